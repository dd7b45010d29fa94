"""The files in experiments/: ready to run, and each says how."""

from collections import Counter
from pathlib import Path

import pytest
from outsiders import require

from tabia.engine.documents import parse_toml
from tabia.engine.match import Experiment
from tabia.engine.match.kinds import KINDS

FOLDER = Path(__file__).parents[3] / "experiments"
FILES = sorted(FOLDER.glob("*.toml"))


def family(path: Path) -> list[Experiment]:
    if path.stem == "grand-against-fairy-stockfish":
        require("fairy-stockfish")
    text = path.read_text(encoding="utf-8")
    return Experiment.family(parse_toml(text, path.name), path.name, folder=path.parent)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_can_be_run_and_says_how(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert f"#     tabia run experiments/{path.name}\n" in text
    assert all(experiment.question for experiment in family(path))


def test_there_is_one_for_every_kind_and_for_the_curve() -> None:
    families = [family(path) for path in FILES if "against" not in path.stem]
    kinds = Counter(experiments[0].kind for experiments in families)
    assert set(kinds) == set(KINDS)
    assert any(len(experiments) > 1 for experiments in families)


def test_the_published_values_name_every_piece_that_is_weighed() -> None:
    for stem in ("gross-piece-values", "gigachess-piece-values"):
        path = FOLDER / f"{stem}.toml"
        (experiment,) = family(path)
        assert experiment.material is not None
        names = experiment.arms["a"].piece_names
        text = path.read_text(encoding="utf-8")
        for letter in experiment.material.men:
            assert names[letter] in text
