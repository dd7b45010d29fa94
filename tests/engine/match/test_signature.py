"""The bench signature is the one recorded, and stands for how the engine plays."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabia.engine import bench_signature
from tabia.engine.commands import bench
from tabia.engine.match import signature


def test_the_recorded_signature_is_what_the_engine_does() -> None:
    counts = signature.bench()
    assert counts == signature.recorded(), "play has changed: `tabia bench --record`"
    assert bench_signature() == str(sum(counts.values()))


def test_an_engine_that_plays_otherwise_has_another_signature(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = tmp_path / "bench.json"
    record.write_text(json.dumps({**signature.recorded(), signature.PROBE: 1}))
    monkeypatch.setattr(signature, "RECORD", record)
    signature.bench_signature.cache_clear()
    try:
        assert signature.bench_signature() == str(sum(signature.bench().values()))
        told = CliRunner().invoke(bench)
        assert told.exit_code == 1
        assert f"not what is recorded: {signature.PROBE}" in told.output
    finally:
        signature.bench_signature.cache_clear()
