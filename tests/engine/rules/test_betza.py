"""Betza notation: where the strings go, what they refuse, and that one spelling suffices."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabia.engine.rules import betza
from tabia.engine.rules.betza import BetzaError, Step


def targets(text: str) -> set[tuple[int, int]]:
    """The vectors of a string, as (right, forward)."""
    return {(step.dx, step.dy) for step in betza.steps(text)}


def squares(text: str, origin: str) -> set[str]:
    """Where single steps of a string lead from a square of a board without edges."""
    file, rank = ord(origin[0]), int(origin[1:])
    return {f"{chr(file + dx)}{rank + dy}" for dx, dy in targets(text)}


@pytest.mark.parametrize(
    ("atom", "first", "count"),
    [
        ("W", (0, 1), 4),
        ("F", (1, 1), 4),
        ("D", (0, 2), 4),
        ("N", (1, 2), 8),
        ("A", (2, 2), 4),
        ("H", (0, 3), 4),
        ("C", (1, 3), 8),
        ("L", (3, 1), 8),
        ("Z", (2, 3), 8),
        ("J", (3, 2), 8),
        ("G", (3, 3), 4),
        ("K", (0, 1), 8),
        ("R", (0, 1), 4),
        ("B", (1, 1), 4),
        ("Q", (1, 1), 8),
    ],
)
def test_atoms(atom: str, first: tuple[int, int], count: int) -> None:
    assert first in targets(atom)
    assert len(targets(atom)) == count


@pytest.mark.parametrize(
    ("text", "from_d4"),
    [
        # Fairy-Stockfish issue 709 and its test `betzatest`.
        ("lhN", "c2 b3 b5 c6"),
        ("rhN", "e2 f3 f5 e6"),
        ("hlN", "e2 b3 f5 c6"),
        ("hrN", "c2 f3 b5 e6"),
        ("fhN", "c6 e6 b5 f5"),
        ("bhN", "c2 e2 b3 f3"),
        # One letter is the narrow pair, two are a half-plane within a pair (XBoard).
        ("fN", "c6 e6"),
        ("ffN", "c6 e6"),
        ("bN", "c2 e2"),
        ("lN", "b3 b5"),
        ("vN", "c6 e6 c2 e2"),
        ("sN", "b3 b5 f3 f5"),
        ("fsN", "b5 f5"),
        ("flN", "b5"),
        ("lfN", "c6"),
        ("rbN", "e2"),
        ("lvN", "c2 c6"),
        ("fbN", "c6 e6 c2 e2"),
        ("ffbsN", "c6 e6 b3 f3"),
        ("fW", "d5"),
        ("fsW", "d5 c4 e4"),
        ("vW", "d5 d3"),
        ("sD", "b4 f4"),
        ("flW", "d5 c4"),
        ("fF", "c5 e5"),
        ("lF", "c3 c5"),
        ("flF", "c5"),
        ("fsF", "c5 e5"),
        ("frblA", "f6 b2"),
        ("flbrF", "c5 e3"),
        ("fbF", "c5 e5 c3 e3"),
        ("fR", "d5"),
        ("bB", "c3 e3"),
        ("fA", "b6 f6"),
        ("lhC", "a3 a5 c1 c7"),
    ],
)
def test_directions(text: str, from_d4: str) -> None:
    assert squares(text, "d4") == set(from_d4.split())


def test_the_pawn_of_chess() -> None:
    assert set(betza.steps("fmWifmnDfceF")) == {
        Step(0, 1, 1, "m", False, ()),
        Step(0, 2, 1, "m", True, ((0, 1),)),
        Step(-1, 1, 1, "c", False, ()),
        Step(1, 1, 1, "c", False, ()),
        Step(-1, 1, 1, "e", False, ()),
        Step(1, 1, 1, "e", False, ()),
    }


@pytest.mark.parametrize(
    ("text", "reach"),
    [("W", 1), ("W3", 3), ("R3", 3), ("WW", 0), ("W0", 0), ("R", 0), ("NN", 0), ("N2", 2),
     ("B12", 12), ("K2", 2), ("Q15", 15), ("KK", 0)],
)  # fmt: skip
def test_ranges(text: str, reach: int) -> None:
    assert {step.reach for step in betza.steps(text)} == {reach}


@pytest.mark.parametrize(
    ("vector", "passed"),
    [
        ((0, 2), [(0, 1)]),
        ((-2, 2), [(-1, 1)]),
        ((0, -3), [(0, -1), (0, -2)]),
        ((1, 2), [(0, 1)]),
        ((-2, 1), [(-1, 0)]),
        ((3, 1), [(1, 0), (2, 0)]),
        ((2, -3), [(0, -1), (1, -2)]),
    ],
)
def test_what_a_lame_leap_passes(vector: tuple[int, int], passed: list[tuple[int, int]]) -> None:
    assert list(betza.path(vector)) == passed


@pytest.mark.parametrize(
    ("text", "plainly"),
    [
        ("WR", "R"),
        ("RW", "R"),
        ("mWcW", "W"),
        ("R3W2", "R3"),
        ("WW", "R"),
        ("KQ", "Q"),
        ("iWK", "K"),
        ("imR0R2", "R2imR"),
        ("WfW", "W"),
    ],
)
def test_each_step_is_there_once(text: str, plainly: str) -> None:
    assert sorted(betza.steps(text)) == sorted(betza.steps(plainly))
    assert len(set(betza.steps(text))) == len(betza.steps(text))


def test_a_slide_and_a_step_of_other_modes_stay_apart() -> None:
    up = {(step.reach, step.mode) for step in betza.steps("mRcW") if (step.dx, step.dy) == (0, 1)}
    assert up == {(0, "m"), (1, "c")}


def test_a_piece_may_be_unable_to_move() -> None:
    assert betza.steps("") == ()


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("mRcpR", 4, '"p" (hop over a piece) is not supported yet'),
        ("gQ", 1, '"g" (hop and land right behind) is not supported yet'),
        ("jW", 1, '"j" (must jump'),
        ("FyafsF", 2, '"y" (change of range'),
        ("afsW", 1, '"a" (a further leg) is not supported yet'),
        ("oR", 1, '"o" ('),
        ("dQ", 1, '"d" (capture of own pieces) is not supported yet'),
        ("tK", 1, '"t" ('),
        ("uK", 1, '"u" ('),
        ("xK", 1, '"x" ('),
        ("zB", 1, '"z" ('),
        ("qN", 1, '"q" ('),
        ("KisO2", 4, '"O" (castling, which has its own section here'),
        ("[F-R]", 1, '"[" (path with a bend) is not supported yet'),
        ("(4,1)", 1, '"(" (leap by coordinates) is not supported yet'),
        ("U", 1, '"U" ('),
        ("wK", 1, '"w" is not known'),
        ("E", 1, '"E" is not known'),
        ("f W", 2, '" " is not known'),
        ("fm", 1, "modifiers without an atom"),
        ("WfmÄ", 4, '"Ä" is not known'),
        ("W16", 2, "found range 16; allowed: 1 to 15, or 0 = to the edge"),
        ("W03", 2, "exactly so many steps"),
        ("RR", 2, "R goes to the edge already"),
        ("fK", 2, "mean one thing to XBoard and another to Fairy-Stockfish"),
        ("rQ", 2, "mean one thing to XBoard and another to Fairy-Stockfish"),
        ("hN", 2, '"h" has no meaning'),
        ("fhW", 3, '"h" (half) has no meaning in the directions of the atom W'),
        ("lhB", 3, '"h" (half) has no meaning in the directions of the atom B'),
        ("sfN", 3, '"sf" has no meaning'),
        ("nW", 2, '"n" (stopped on the way) has no meaning on W with range 1'),
        ("nR", 2, '"n" (stopped on the way) has no meaning on R with range to the edge'),
        ("nN2", 2, '"n" (stopped on the way) has no meaning on N with range 2'),
        ("ceB", 3, '"e" (en passant) with range to the edge is not supported yet'),
        ("ceW3", 3, '"e" (en passant) with range 3 is not supported yet'),
        ("cenD", 4, '"e" (en passant) with "n" is not supported yet'),
        ("iiW", 2, "the modifier is doubled"),
        ("mmW", 2, "the modifier is doubled"),
    ],
)
def test_refusals_name_what_and_where(text: str, place: int, says: str) -> None:
    with pytest.raises(BetzaError) as refused:
        betza.parse(text)
    assert str(refused.value).startswith(f'position {place} of "{text}": ')
    assert says in str(refused.value)


def test_long_strings_are_refused() -> None:
    with pytest.raises(BetzaError, match="202 characters of Betza notation; allowed: 200"):
        betza.parse("fW" * 101)


def test_pieces_of_too_many_steps_are_refused() -> None:
    # Three modes of different range, and others from the start: four steps along each vector.
    text = "".join(f"m{atom}2ce{atom}im{atom}4ic{atom}3" for atom in "NCZ")
    with pytest.raises(BetzaError, match="different steps in one piece; allowed: 128"):
        betza.steps(text + "mnNnCmnZ" + "A2iAAeADHG")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("BA", "2 across and 2 along: by steps of (1,1) and of (2,2)"),
        ("RD", "by steps of (0,1) and of (0,2)"),
        ("DDHH", "0 across and 6 along: by steps of (0,2) and of (0,3)"),
        ("mDmnD", "by steps of (0,2) and of (0,2)"),
        ("imW3fD", "by steps of (0,1) and of (0,2)"),
        ("NNmCC", None),
        ("mRcD", None),
        ("QN", None),
        ("WD", None),
        ("imW3mWfcD", None),
    ],
)
def test_two_paths_to_one_square_are_refused(text: str, says: str | None) -> None:
    if says is None:
        assert betza.steps(text)
    else:
        with pytest.raises(BetzaError, match=r"two paths to one square, .*not supported yet") as e:
            betza.steps(text)
        assert says in str(e.value)


ATOMS = st.sampled_from("WFDNAHCLZJGKRBQ")
GROUPS = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["", "i"]),
    st.lists(st.sampled_from("fblrvsh"), max_size=4).map("".join),
    st.sampled_from(["", "m", "c", "mc", "ce", "e"]),
    st.sampled_from(["", "n"]),
    ATOMS,
    st.sampled_from(["", "0", "2", "7"]),
).map(lambda group: group if group[0].islower() else "mc" + group)  # so that no atom doubles


@st.composite
def readable(draw: st.DrawFn) -> str:
    """A string of groups of which each can be read."""
    groups = []
    for group in draw(st.lists(GROUPS, min_size=1, max_size=5)):
        try:
            betza.steps("".join([*groups, group]))
        except BetzaError:
            continue
        groups.append(group)
    assume(groups)
    return "".join(groups)


@given(readable())
def test_the_canonical_spelling_says_the_same_and_is_its_own(text: str) -> None:
    spelt = betza.canonical(text)
    assert set(betza.steps(spelt)) == set(betza.steps(text))
    assert betza.canonical(spelt) == spelt


def test_an_atom_of_two_ranges_is_not_spelt_as_a_doubled_one() -> None:
    assert betza.canonical("W2W") == "W1W2"
    assert betza.canonical("R4R") == "R0R4"


@given(st.lists(readable(), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_groups_does_not_matter(texts: list[str], random: object) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assume(len("".join(texts)) <= betza.MAX_LENGTH)
    assert betza.canonical("".join(shuffled)) == betza.canonical("".join(texts))


@given(readable())
def test_steps_cover_no_step_of_their_own_kind_twice(text: str) -> None:
    found = betza.steps(text)
    kinds = [
        (step.dx, step.dy, mode, step.initial, step.via) for step in found for mode in step.mode
    ]
    assert len(kinds) == len(set(kinds))


SWAPPED = str.maketrans("lr", "rl")


@given(readable())
def test_left_and_right_are_mirror_images(text: str) -> None:
    # hl and hr are turned into each other by the same letters.
    mirrored = {
        (-step.dx, step.dy, step.reach, step.mode, step.initial) for step in betza.steps(text)
    }
    swapped = betza.steps(text.translate(SWAPPED))
    assert {(s.dx, s.dy, s.reach, s.mode, s.initial) for s in swapped} == mirrored


@given(st.text(alphabet="fblrvshmceinpjgyaodWFDNAHCZGKRBQ0123456789[](),", max_size=24))
def test_any_text_is_read_or_refused(text: str) -> None:
    problem = ""
    try:
        betza.steps(text)
    except BetzaError as refused:
        problem = str(refused)
    assert "\n" not in problem
