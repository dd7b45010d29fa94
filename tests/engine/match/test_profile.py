"""The profile of a game, counted again from nothing but the boards before and after each move."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tabia.engine import Position, RuleSet, _core, play_batch
from tabia.engine.compiled import compiled
from tabia.engine.match import Experiment, plan_batch
from tabia.engine.match.leads import decided_at, lead_changes
from tabia.engine.rules.array import parse_row, square_of
from tabia.engine.weights import neutral_weights

Board = dict[tuple[int, int], str]
SIDES = ("white", "black")
# Between them: castling, several e.p. squares, own captures, citadels, forced moves, promotions.
GAMES = (
    "chess",
    "chess-self-capture",
    "chess-torpedo",
    "great",
    "gross",
    "grand-free-promotion",
    "gigachess",
)


def board_of(position: Position) -> Board:
    rows = position.fen().split()[0].split("/")
    cells = [parse_row(row, position.rules.rules.board.files) for row in reversed(rows)]
    return {
        (file, rank): letter
        for rank, row in enumerate(cells)
        for file, letter in enumerate(row)
        if letter
    }


def squares(move: str) -> tuple[tuple[int, int], tuple[int, int]]:
    text = move.rstrip("*").rstrip("abcdefghijklmnopqrstuvwxyz")
    start = next(i for i in range(2, len(text)) if text[i].isalpha())
    return square_of(text[:start]), square_of(text[start:])


class Recount:
    """What a game's record should say, from the boards before and after each move."""

    def __init__(self, rules: RuleSet) -> None:
        self.position = Position(rules)
        self.citadels = {square_of(name) for name in rules.rules.board.citadels}
        self.counts = {
            name: dict.fromkeys(SIDES, 0)
            for name in ("castlings", "en_passant", "own_captures", "citadel_exits")
        }
        self.offered = self.forced = self.chosen = 0
        self.first_promotion: int | None = None
        # Each man of the array is followed by a name of its own.
        self.men = {square: (letter, square) for square, letter in self.board().items()}

    def board(self) -> Board:
        return board_of(self.position)

    def play(self, ply: int, move: str, *, chosen: bool) -> None:
        side = SIDES[(ply - 1) % 2]
        before, legal = self.board(), self.position.legal_moves()
        if chosen:
            self.chosen += 1
            self.offered += len(legal)
            self.forced += len(legal) == 1
        self.position.push(move)
        after = self.board()
        source, target = squares(move)
        ours = str.isupper if side == "white" else str.islower
        left = {square for square in before if square not in after}
        came = {square for square in after if after[square] != before.get(square)}
        theirs_gone = [square for square in left if not ours(before[square])]
        castled = sum(ours(before[square]) for square in left) == 2 or len(came) == 2
        if castled:
            self.counts["castlings"][side] += 1
            self._castle(before, came, left)
            return
        self.counts["en_passant"][side] += bool(theirs_gone)
        self.counts["own_captures"][side] += target in before and ours(before[target])
        self.counts["citadel_exits"][side] += source in self.citadels
        for square in theirs_gone:
            self.men.pop(square, None)
        man = self.men.pop(source, None)
        self.men.pop(target, None)
        promoted = after[target] != before[source]
        if promoted and self.first_promotion is None:
            self.first_promotion = ply
        if man is not None and not promoted:
            self.men[target] = man

    def _castle(
        self, before: Board, came: set[tuple[int, int]], left: set[tuple[int, int]]
    ) -> None:
        # King and rook may land where the other one stood: told apart by their letters.
        moved = {before[square]: self.men.pop(square) for square in {*left, *came} & {*before}}
        after = self.board()
        self.men.update({square: moved[after[square]] for square in came})

    def survivors(self) -> dict[str, dict[str, int]]:
        found = {side: Counter[str]() for side in SIDES}
        for letter, _ in self.men.values():
            found["white" if letter.isupper() else "black"][letter.upper()] += 1
        return {side: dict(sorted(found[side].items())) for side in SIDES}


def games_of(rules: str, units: int, **changes: Any) -> list[dict[str, Any]]:
    document = {
        "name": "Itself",
        "kind": "compare",
        "nodes": 60,
        "max_plies": 240,
        "arms": {"a": rules, "b": rules},
        **changes,
    }
    experiment = Experiment.from_document(document, "doc")
    return [g for g in play_batch(plan_batch(experiment, 0, 0, units))["games"] if g["arm"] == "a"]


@pytest.mark.parametrize("rules", GAMES)
def test_the_profile_is_what_a_replay_finds(rules: str) -> None:
    for game in games_of(rules, 6):
        recount = Recount(RuleSet.load(rules))
        for ply, move in enumerate(game["moves"].split(), 1):
            recount.play(ply, move, chosen=ply > game["opening_plies"])
        profile = game["profile"]
        assert {name: profile[name] for name in recount.counts} == recount.counts
        assert (profile["offered"], profile["chosen"], profile["forced"]) == (
            recount.offered,
            recount.chosen,
            recount.forced,
        )
        assert profile["first_promotion"] == recount.first_promotion
        assert profile["survivors"] == recount.survivors()


def test_the_replay_has_seen_every_special_rule() -> None:
    # Or the test above would be one of zeros.
    seen = Counter[str]()
    for rules in GAMES:
        for game in games_of(rules, 6):
            profile = game["profile"]
            for name in ("castlings", "en_passant", "own_captures", "citadel_exits"):
                seen[name] += sum(profile[name].values())
            seen["forced"] += profile["forced"]
            seen["promotions"] += profile["first_promotion"] is not None
    assert all(
        seen[name] > 0
        for name in (
            "castlings",
            "en_passant",
            "own_captures",
            "citadel_exits",
            "forced",
            "promotions",
        )
    ), dict(seen)


def test_scores_are_whites_and_make_lead_changes_and_the_ply_that_decided() -> None:
    rules = RuleSet.load("chess")
    core = compiled(rules)
    evaluator = _core.Evaluator.build(core, neutral_weights(rules, rules))
    mated = 0
    for game in games_of("chess", 6):
        opening = game["moves"].split()[: game["opening_plies"]]
        again = _core.play_game(core, evaluator, evaluator, opening, 60, 60, 240)
        scores = again["scores"]
        assert len(scores) == game["profile"]["chosen"]
        if game["reason"] == "checkmate":
            mated += 1
            assert abs(scores[-1]) > 31_000
            assert (scores[-1] > 0) == (game["result"] == "1-0")
        winner = {"1-0": 1, "0-1": -1}.get(game["result"], 0)
        plies = list(enumerate(scores, game["opening_plies"] + 1))
        assert game["profile"]["lead_changes"] == lead_changes(scores)
        assert game["profile"]["decided_at"] == decided_at(plies, winner, game["plies"])
    assert mated


def test_a_game_from_a_fen_is_the_game_from_the_position_reached() -> None:
    # The array by its own FEN, and a mate in one for whoever is to move.
    rules = RuleSet.load("chess")
    core = compiled(rules)
    evaluator = _core.Evaluator.build(core, neutral_weights(rules, rules))

    def game(fen: str | None, opening: list[str]) -> Mapping[str, Any]:
        return _core.play_game(core, evaluator, evaluator, opening, 60, 60, 40, fen)

    assert game(rules.start_fen, ["e2e4"]) == game(None, ["e2e4"])
    black = game("6k1/8/8/8/8/1r6/r7/7K b - - 0 1", [])
    assert (black["moves"], black["result"]) == (["b3b1"], "0-1")
    assert black["scores"][0] < -31_000
    assert black["survivors"] == {"white": {"K": 1}, "black": {"K": 1, "R": 2}}
    with pytest.raises(_core.FenError, match="board: Black has 0 royal pieces"):
        game("8/8/8/8/8/8/8/K7 w - - 0 1", [])
