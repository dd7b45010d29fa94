"""The moves of a piece in words: what is said is what is played, whatever the piece is called."""

import pytest

from tabia.engine.rules import RuleSet
from tabia.engine.rules.explain.explanation import explain

GAME = """
name = "one piece"
board = {{ files = 8, ranks = 8 }}
array = {{ 1 = "K1X5", 8 = "k1x5" }}
[pieces.K]
moves = "K"
royal = true
[pieces.X]
name = "Thing"
{piece}
"""


def words(piece: str) -> str:
    if "=" not in piece:
        piece = f'moves = "{piece}"'
    explained = explain(RuleSet.from_toml(GAME.format(piece=piece)))
    return " ".join(next(part.sentences for part in explained.pieces if part.letter == "X"))


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("", "It cannot move."),
        ("W", "It moves or captures one square along rank or file."),
        ("fsW", "It moves or captures one square forward or sideways."),
        ("flbrF", ("It moves or captures one square diagonally forward to the left or diagonally "
                  "backward to the right.")),
        ("K", "It moves or captures one square in any direction, as a king."),
        ("Q", "It moves or captures any number of squares in any direction, as a queen."),
        ("R3", "It moves or captures up to three squares along rank or file."),
        ("mRcB", ("It moves without capturing any number of squares along rank or file, as a rook. "
                 "It captures any number of squares diagonally, as a bishop.")),
        ("N", ("It moves or captures by a leap of two squares along rank or file and one across, "
              "as a knight.")),
        ("fN", "It moves or captures by a leap of two squares forward and one to either side."),
        ("flN", None),
        ("A", "It moves or captures two squares diagonally, leaping over whatever stands between."),
        ("nD", ("It moves or captures two squares along rank or file, if the square between is "
               "empty.")),
        ("nN", ("It moves or captures by a leap of two squares along rank or file and one across, "
               "straight ahead and then diagonally, if the squares on that path are empty.")),
        ("cpR", ("It captures any number of squares along rank or file, hopping over exactly one "
                "man of either side on the way.")),
        ("gB", ("It moves or captures diagonally, over the first man it meets, to the square right "
               "behind him.")),
        ("NN", ("It moves or captures any number of times by a leap of two squares along rank or "
               "file and one across, each time the same way and to an empty square.")),
        ("FyafsF", None),
        ("fcafmF", ("It captures an enemy man one square diagonally forward, jumping over him to "
                    "the square right behind, if that is empty.")),
        ("cabK", "It captures an enemy man one square in any direction, without moving."),
        ("abK", ("It may stay where it is, as a move, if a square next to it, in any direction, is "
                 "empty.")),
        ("caK", ("It captures an enemy man one square in any direction and goes on one square in "
                 "any direction, but not back, where it may capture again.")),
        ("mafcabmW", ("It goes one square along rank or file, if that is empty, and captures an "
                      "enemy man on the square right beyond.")),
        ("cabafmF", ("It captures an enemy man one square diagonally by a step of one square "
                     "straight away from him, if that is empty.")),
        ('moves = "dafW"\nown_victims = "X"',
         ("It captures one of its own Thing one square along rank or file, jumping over him to "
          "the square right behind, where it may capture again.")),
        ("frcafmafcafmF", ("It captures enemy men one square forward and one to the right and "
                           "three squares forward and three to the right and ends four squares "
                           "forward and four to the right, if nobody stands two squares forward "
                           "and two to the right.")),
        ("fFfcafmafcafmF", (
            "It moves or captures one square diagonally forward. "
            "It captures enemy men one square forward and one to the right and three squares "
            "forward and three to the right and ends four squares forward and four to the right, "
            "if nobody stands two squares forward and two to the right; or all this to the other "
            "side.")),
        ("camWcabmW", (
            "It captures an enemy man one square along rank or file, without moving. "
            "It captures an enemy man one square along rank or file and goes on one square along "
            "rank or file, but not back, if that is empty.")),
        ("mcdW", "It moves or captures, own men too, one square along rank or file."),
        ('moves = "mcdW"\nown_victims = "X"',
         "It moves or captures, own Thing too, one square along rank or file."),
        ('moves = "fWimR2"\ninitial = "unmoved"',
         ("It moves or captures one square forward. As its first move it moves without capturing "
         "up to two squares along rank or file.")),
        ('moves = "bWfW"\nranks = [1, 2, 3]',
         ("It moves or captures one square forward or backward. It moves to its own ranks 1 to 3 "
         "only.")),
        ('moves = "pR"\nnot_over = "X"\nnot_onto = "X"',
         ("It moves or captures any number of squares along rank or file, hopping over exactly one "
         "man of either side on the way, but not over a Thing; it cannot capture a Thing.")),
    ],
)  # fmt: skip
def test_words(moves: str, said: str | None) -> None:
    told = words(moves)
    if said is not None:
        assert told == said
    elif moves == "flN":
        assert told.startswith("It moves or captures by a leap of ")
        assert "to the left" in told
    else:
        assert "one square diagonally to an empty square and from there any number" in told
        assert "along rank or file, away from where it stood" in told


def test_the_other_words_of_a_pawn() -> None:
    pawn = explain(RuleSet.load("grand")).pieces[5]
    assert pawn.name == "Pawn"
    assert pawn.sentences == (
        "It moves without capturing one square forward.",
        "It captures one square diagonally forward.",
        (
            "From its own rank 3 it moves without capturing two squares forward, if the square "
            "between is empty. Right after that it can be captured en passant on a square it "
            "passed over."
        ),
        "It captures en passant.",
    )


def test_paths_are_counted() -> None:
    falcon = next(
        piece
        for piece in explain(RuleSet.load("gross-mastodon-falcon")).pieces
        if "afafsW" in piece.betza
    )
    assert "by any of three paths" in " ".join(falcon.sentences)


def test_a_side_that_moves_otherwise_is_told_for_itself() -> None:
    tweak = 'extends = "chess"\n[black.pieces.N]\nmoves = "C"\n'
    knight = next(p for p in explain(RuleSet.from_toml(tweak)).pieces if p.letter == "N")
    assert [each.split(":")[0] for each in knight.sentences] == ["White", "Black"]
