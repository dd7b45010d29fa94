"""Games against real programs of Debian's, and against ourselves over UCI."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from outsiders import require

from tabia.engine import Position, RuleSet, play_batch
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, plan_batch
from tabia.engine.outside.player import Asked, Outsider
from tabia.engine.outside.programs import Program, Programs
from tabia.engine.outside.uci import Limit

HERE = Path()
TABIA = Program(
    "tabia",
    (sys.executable, "-c", "from tabia.engine.cli import main; raise SystemExit(main(['uci']))"),
)


def played(rules: str, them: Mapping[str, Any], units: int = 2, **changes: Any) -> dict[str, Any]:
    """Our engine with few nodes against a program."""
    experiment = Experiment.from_document(
        {
            "name": "Against a real program",
            "kind": "engines",
            "rules": rules,
            "max_plies": 240,
            "openings": {"plies": 6},
            "players": {"a": {"nodes": 60}, "b": dict(them)},
            "test": {"budget": 20},
            **changes,
        },
        "doc",
        folder=HERE,
    )
    batch = plan_batch(experiment, 0, 0, units)
    result = play_batch(batch, programs=Programs.here(HERE))
    assert result["voids"] == []
    assert len(result["games"]) == 2 * units
    for game in result["games"]:
        assert game["profile"]["chosen"] == game["plies"] - 6
    return result


def score(result: Mapping[str, Any]) -> float:
    """Of player b, a share."""
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    whites = [points[game["result"]] if game["arm"] == "b" else 1 - points[game["result"]]
              for game in result["games"]]  # fmt: skip
    return sum(whites) / len(whites)


@pytest.mark.parametrize(
    "rules",
    ["chess", "grand", "shako", "capablanca", "janus", "courier", "shatranj", "chess-no-castling"],
)  # fmt: skip
def test_fairy_stockfish_plays_what_it_has_built_in(rules: str) -> None:
    """Each of its moves is legal by our rules, and in its first position of each game it knows the
    moves that we know."""
    program = require("fairy-stockfish")
    result = played(rules, {"program": program, "nodes": 3000}, units=1)
    assert score(result) >= 0.5


def test_fairy_stockfish_is_told_what_it_does_not_have_or_is_said_to_be_too_old() -> None:
    """Grander is no variant of its own. Of the keys that say how it goes, an old one would skip
    those that it does not know, and play another game."""
    them = {"program": require("fairy-stockfish"), "nodes": 200}
    try:
        result = played("grander", them, units=1)
    except DocumentError as error:
        refused = str(error)
    else:
        refused = ""
        assert result["voids"] == []
    assert not refused or "too old to be told these rules: its variants.ini has no" in refused


def test_games_at_fixed_nodes_can_be_played_again() -> None:
    program = require("fairy-stockfish")
    first, again = (played("grand", {"program": program, "nodes": 200}) for _ in range(2))
    assert first == again


def test_options_arrive() -> None:
    """At its lowest level it loses to what it beats at its highest."""
    program = require("fairy-stockfish")
    weak = {"program": program, "nodes": 3000, "options": {"Skill Level": -20, "Hash": 4}}
    assert score(played("chess", weak, units=4)) < 0.5
    assert score(played("chess", {"program": program, "nodes": 3000}, units=4)) > 0.5


def test_a_program_that_is_named_plays_in_a_pool() -> None:
    program = require("fairy-stockfish")
    pool = {
        "few": {"nodes": 20},
        "theirs": {"program": program, "nodes": 100},
        "deep": {"program": program, "depth": 2},
    }
    experiment = Experiment.from_document(
        {"name": "pool", "kind": "ratings", "rules": "grand", "players": pool,
         "test": {"budget": 6}},
        "doc",
        folder=HERE,
    )  # fmt: skip
    result = play_batch(plan_batch(experiment, 0, 0, 3), programs=Programs.here(HERE))
    met = {game["match"] for game in result["games"]}
    assert {frozenset(match.split(":")) for match in met} == {
        frozenset(pair) for pair in (("few", "theirs"), ("few", "deep"), ("theirs", "deep"))
    }
    assert result["voids"] == []


def test_both_may_play_by_the_clock() -> None:
    program = require("fairy-stockfish")
    players = {"a": {"movetime_ms": 5}, "b": {"program": program, "movetime_ms": 5}}
    played("grand", {}, units=1, players=players, max_plies=40)


@pytest.mark.parametrize("rules", ["chess", "chess-no-castling", "capablanca", "gothic", "janus"])
def test_fairy_max_plays_in_the_xboard_protocol(rules: str) -> None:
    them = {"program": require("fairymax"), "protocol": "xboard", "depth": 3}
    played(rules, them, units=2)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("chess", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"),
        ("capablanca", "h2h4 h7h5 h1g3 h8g6 i1j3 i8j6 g1h2 g8h7 f1i1"),
    ],
)
def test_fairy_max_believes_our_castling(rules: str, line: str) -> None:
    asked = Asked("fairymax", protocol="xboard")
    program = Program("fairymax", (require("fairymax"),))
    rule_set = RuleSet.load(rules)
    position = Position(rule_set)
    for move in line.split():
        position.push(move)
    with Outsider(asked, program, rule_set) as outsider:
        move, _ = outsider.game(Limit(depth=3))(line.split())
    assert move in position.legal_moves()


def test_fairy_max_plays_by_the_clock_in_whole_seconds() -> None:
    program = require("fairymax")
    them = {"program": program, "protocol": "xboard", "movetime_ms": 1000}
    played("chess", them, units=1, max_plies=12)
    with pytest.raises(DocumentError, match=r"players\.b\.movetime_ms: found 500; .*whole seconds"):
        played("chess", {**them, "movetime_ms": 500})


def test_fairy_max_does_not_play_what_it_does_not_have() -> None:
    them = {"program": require("fairymax"), "protocol": "xboard", "depth": 3}
    with pytest.raises(DocumentError, match=r"players\.b\.program: Fairy-Max .* Grand Chess"):
        played("grand", them)


def test_tabia_itself_is_a_program_over_uci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve by twelve squares and citadels are no matter to it."""
    file = tmp_path / "engines.toml"
    file.write_text(Programs({"tabia": TABIA}).text())
    monkeypatch.setenv("TABIA_ENGINES", str(file))
    for rules in ("gross", "great"):
        played(rules, {"program": "tabia", "nodes": 60}, units=1, max_plies=60)


def test_rights_that_a_program_cannot_be_told_are_refused() -> None:
    document = {
        "name": "rights",
        "kind": "rights",
        "arms": {"a": "grand-no-ep", "b": "grand"},
        "player": {"program": require("fairymax"), "protocol": "xboard", "depth": 2},
    }
    with pytest.raises(
        DocumentError,
        match=r"player\.program: Fairy-Max .* cannot be told rules that differ by side",
    ):
        Experiment.from_document(document, "doc", folder=HERE)
