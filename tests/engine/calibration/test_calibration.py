"""Calibration: games to weights, the same for everybody, and better than what one began with."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tabia.engine import Position, RuleSet, _core, cli
from tabia.engine.calibration.fit import TooFewGamesError, fit
from tabia.engine.calibration.games import SAMPLES, Game, play_games
from tabia.engine.calibration.parameters import changed, opened, parameters, value
from tabia.engine.calibration.returns import returns
from tabia.engine.calibration.slopes import Course, Samples, samples_of
from tabia.engine.compiled import compiled
from tabia.engine.weights import Weights, neutral_weights
from tabia.engine.weights_file import weights_hash

RULES = RuleSet.load("chess")


@cache
def games(seed: int = 1, count: int = 120, workers: int = 1) -> tuple[Game, ...]:
    found = play_games(
        RULES, neutral_weights(RULES), games=count, nodes=30, seed=seed, workers=workers
    )
    return tuple(found)


def wide() -> Weights:
    return opened(neutral_weights(RULES), RULES.rules.board.ranks)


def test_the_games_depend_on_the_seed_and_not_on_the_threads() -> None:
    assert games(count=12) == games(count=12, workers=3)
    assert games(count=12) != games(seed=2, count=12)
    assert games(count=12) == games()[: len(games(count=12))]


def test_samples_are_quiet_positions_the_engines_chose_in() -> None:
    for game in games()[:20]:
        assert 1 <= len(game.plies) <= SAMPLES
        board = Position(RULES)
        men = [sum(map(str.isalpha, board.fen().split()[0]))]
        for ply, move in enumerate(game.moves):
            if ply in game.plies:
                assert not board.in_check()
            board.push(move)
            men.append(sum(map(str.isalpha, board.fen().split()[0])))
        assert all(men[ply - 1] == men[ply] == men[ply + 1] for ply in game.plies)


def test_evaluations_are_those_of_a_board_from_whites_side() -> None:
    core, game = compiled(RULES), games()[0]
    evaluator = _core.Evaluator.build(core, neutral_weights(RULES))
    board, expected = _core.Board(core), []
    for ply in range(len(game.moves) + 1):
        sign = 1 if board.white_to_move() else -1
        expected.append(sign * board.evaluate(evaluator))
        if ply < len(game.moves):
            board.push(game.moves[ply])
    every = list(range(len(game.moves) + 1))
    assert _core.evaluations(core, game.moves, every, [evaluator]) == expected
    assert _core.evaluations(core, game.moves, [3, 5], [evaluator, evaluator]) == [
        expected[3], expected[5], expected[3], expected[5],
    ]  # fmt: skip
    with pytest.raises(ValueError, match="rising"):
        _core.evaluations(core, game.moves, [5, 3], [evaluator])


def test_rows_that_are_opened_play_the_same() -> None:
    core = compiled(RULES)
    both = [_core.Evaluator.build(core, each) for each in (neutral_weights(RULES), wide())]
    for game in games()[:20]:
        one, other = (_core.evaluations(core, game.moves, game.plies, [each]) for each in both)
        assert one == other


def test_every_number_but_the_phase_is_a_parameter() -> None:
    paths = parameters(wide())
    assert ("tempo",) in paths
    assert ("letters", "P", "advance_end", 2) in paths
    assert not any("phase" in path for path in paths)
    tweaked = changed(wide(), {("letters", "Q", "mid"): 99_999})
    assert value(tweaked, ("letters", "Q", "mid")) == 3000
    assert value(wide(), ("letters", "Q", "mid")) != 3000


def test_a_term_that_nobody_has_told_of_is_a_parameter_too() -> None:
    more = {**wide(), "pairs": {"B": {"mid": 30}}, "mobility": [1, 2]}
    assert {("pairs", "B", "mid"), ("mobility", 1)} <= set(parameters(more))


def test_the_slopes_foretell_what_other_weights_say() -> None:
    # Not for every distance: whether a man is threatened depends on which of two is worth more.
    weights, core = wide(), compiled(RULES)
    samples = samples_of(RULES, weights, games())
    numbers = {("letters", "N", "mid"): 250, ("letters", "P", "end"): 60, ("tempo",): 90}
    shift = np.zeros(len(samples.paths))
    for path, number in numbers.items():
        shift[samples.paths.index(path)] = number - value(weights, path)
    evaluator = _core.Evaluator.build(core, changed(weights, numbers))
    said = [
        score
        for game in games()
        for score in _core.evaluations(core, game.moves, game.plies, [evaluator])
    ]
    assert np.max(np.abs(samples.now + samples.slope @ shift - said)) <= 5


def test_the_fit_finds_what_was_planted() -> None:
    """Results drawn from an evaluation in which knights are worth 120 more."""
    weights = wide()
    samples = samples_of(RULES, weights, games())
    path = ("letters", "N", "mid")
    rng = np.random.default_rng(5)
    column = samples.slope[:, samples.paths.index(path)]
    true = samples.now + 120 * column
    many = 12
    score = (rng.random((many, len(true))) < 1 / (1 + np.exp(-0.004 * true))).astype(float)
    planted = Samples(
        score=score.ravel(),
        game=np.arange(score.size),
        ply=np.zeros(score.size, dtype=np.int64),
        left=np.tile(samples.left, many),
        now=np.tile(samples.now, many),
        slope=np.tile(column[:, None], (many, 1)),
        paths=(path,),
        courses=(),
    )
    found = fit(weights, planted)
    assert value(found.weights, path) - value(weights, path) == pytest.approx(120, abs=40)
    assert found.loss_after < found.loss_before < found.loss_chance
    assert fit(weights, planted) == found


def test_a_return_weighs_what_comes_soon_and_the_result_the_rest() -> None:
    course = Course(np.array([4, 6, 7]), np.ones(3), np.zeros(3))
    found = returns(course, np.array([0.9, 0.2, 0.6]), 1.0)
    assert found[7] == 1.0
    assert found[6] == pytest.approx(0.02 * 0.6 + 0.98 * 1.0)
    kept = 0.98**2
    assert found[4] == pytest.approx((1 - kept) * 0.2 + kept * found[6])


def test_too_few_games() -> None:
    with pytest.raises(TooFewGamesError, match="too few to fit weights to"):
        fit(wide(), samples_of(RULES, wide(), games()[:20]))
    with pytest.raises(TooFewGamesError, match="0 games with quiet positions are too few"):
        fit(wide(), samples_of(RULES, wide(), []))


def test_results_that_are_all_the_same_where_they_are_not_held_out() -> None:
    """Then chance expects one of them, and still not for certain."""
    many = 100
    won = Samples(
        score=np.array([float(game % 5 != 0) for game in range(many)]),
        game=np.arange(many),
        ply=np.zeros(many, dtype=np.int64),
        left=np.ones(many),
        now=np.zeros(many),
        slope=np.zeros((many, 1)),
        paths=(("tempo",),),
        courses=(),
    )
    assert np.isfinite(fit(wide(), won).loss_chance)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ask = ["calibrate", "chess", "--games", "120", "--nodes", "30", "--seed", "1"]
    assert cli.main(ask) == 0
    told = capsys.readouterr().out
    assert "Q  Queen" in told
    assert "log loss on games held out: neutral 0." in told
    text = (tmp_path / "chess.weights.json").read_text()
    found = json.loads(text)
    assert found["sha256"] == weights_hash(found["weights"])
    assert found["rules_id"] == RULES.id
    made = found["calibration"]
    assert (made["games"], made["nodes"], made["seed"]) == (120, 30, 1)
    assert max(map(len, text.splitlines())) < 100
    assert cli.main([*ask, "--out", "again.json", "--workers", "2"]) == 0
    assert (tmp_path / "again.json").read_text() == text
    assert cli.main([*ask, "--out", "no/where.json"]) == 2


BARE = """
id = "bare"
name = "Two kings"
extends = "chess-no-castling"
array = { 1 = "4K3", 2 = "8", 7 = "8", 8 = "4k3" }
"""


def test_what_cannot_be_done_is_one_line_and_said_before_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["calibrate", "chess", "--out", "/proc/chess.json"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("tabia: --out: /proc/chess.json cannot be written: ")
    Path("bare.toml").write_text(BARE)
    assert cli.main(["calibrate", "bare.toml"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("tabia: bare.toml: no opening of ")
    assert told.count("\n") == 1
    assert not Path("bare.weights.json").exists()
