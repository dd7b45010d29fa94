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
        Step(0, 1, 1, "m"),
        Step(0, 2, 1, "m", initial=True, via=((0, 1),), lame=True),
        Step(-1, 1, 1, "c"),
        Step(1, 1, 1, "c"),
        Step(-1, 1, 1, "e"),
        Step(1, 1, 1, "e"),
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


UP = ((0, 1),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A man of Checkers jumps, twice in one direction; hit and run; rifle; passing the turn.
        ("fcafmW", {Step(0, 2, 1, "m", takes=UP)}),
        ("fcafmafcafmW", {Step(0, 4, 1, "m", via=((0, 2),), takes=((0, 1), (0, 3)))}),
        ("fcafW", {Step(0, 2, 1, "mc", takes=UP)}),
        ("fcabW", {Step(0, 0, 1, "m", takes=UP)}),
        ("fabW", {Step(0, 0, 1, "m", via=UP)}),
        ("fmcabW", {Step(0, 0, 1, "m", via=UP), Step(0, 0, 1, "m", takes=UP)}),
        ("fdabW", {Step(0, 0, 1, "m", takes_own=UP)}),
        ("fmpabW", {Step(0, 0, 1, "m", via=UP), Step(0, 0, 1, "m", over=UP)}),
        ("fmpcafmW", {
            Step(0, 2, 1, "m", via=UP), Step(0, 2, 1, "m", over=UP), Step(0, 2, 1, "m", takes=UP)
        }),
        ("fcafpafmD", {Step(0, 6, 1, "m", over=((0, 4),), takes=((0, 2),))}),
        ("fcafdafmW", {Step(0, 3, 1, "m", takes=UP, takes_own=((0, 2),))}),
        # A step forward that captures the man it comes to stand before; one away from a man.
        ("fmafcabmW", {Step(0, 1, 1, "m", takes=((0, 2),))}),
        ("fcabafmW", {Step(0, -1, 1, "m", takes=UP)}),
        # A man captured on the way is off the board: the piece may end or pass there.
        ("fcabafW", {Step(0, -1, 1, "mc", takes=UP)}),
        ("fcafabmW", {Step(0, 1, 1, "c", via=((0, 2),))}),
    ],
)  # fmt: skip
def test_captures_on_the_way(text: str, found: set[Step]) -> None:
    assert set(betza.steps(text)) == found


def test_a_piece_may_be_unable_to_move() -> None:
    assert betza.steps("") == ()


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("uK", 1, '"u" (unload what was captured) is not supported'),
        ("xK", 1, '"x" ('),
        ("zB", 1, '"z" ('),
        ("qN", 1, '"q" ('),
        ("KisO2", 4, '"O" (castling, which has its own section here'),
        ("[F-R]", 1, '"[" (path with a bend, which `a` can describe: FyafsF) is not supported'),
        ("(4,1)", 1, '"(" (leap by coordinates) is not supported'),
        ("U", 1, '"U" ('),
        # What a table of paths cannot say.
        ("caemK", 3, '"e" (capture en passant on the way) in the last leg is not supported'),
        ("ecafF", 1, '"e" (capture en passant on the way) in a leg that is not the last'),
        ("catK", 3, '"t" (no capture of the royal piece) after a capture on the way is not'),
        ("cyafF", 2, '"y" already says empty; allowed: "y" without m, c, d and p'),
        ("camR", 4, '"a" (a further leg) on R is not supported'),
        ("ucabK", 1, '"u" (unload what was captured) is not supported'),
        ("gafsF", 1, '"g" (hop that changes the range) in a leg that is not the last'),
        ("tpafsF", 1, '"t" (restriction on what may be hopped over) in a leg that is not'),
        ("nafD", 1, '"n" (lame leap on the way) in a leg that is not the last'),
        ("afeF", 3, '"e" (capture en passant on the way) in the last leg is not supported'),
        ("afpF", 3, '"p" (hop over a man) in the last leg is not supported'),
        ("afyF", 3, '"y" (change of range, which needs another leg) in the last leg'),
        ("afiF", 3, '"i" (first move only, which stands before the first leg) in the last leg'),
        ("afR", 3, '"a" (a further leg) on R is not supported; allowed: on W F K D A H G'),
        ("afN", 3, '"a" (a further leg) on N is not supported'),
        ("afW3", 3, '"a" (a further leg) with range 3 is not supported'),
        ("yafsafF", 7, '"y" (change of range) among 3 legs is not supported'),
        ("myafsF", 2, '"y" already says empty'),
        ("aaaaaW", 6, "found 6 legs; allowed: 5"),
        ("afhW", 4, '"h" (half) has no meaning in the directions of a further leg'),
        ("afmtW", 5, '"t" (no capture of the royal piece) has no meaning here'),
        ("yW", 2, '"y" (change of range) has no meaning without a further leg'),
        ("jW", 2, '"j" (must jump, or skip the first square) has no meaning on W with range 1'),
        ("jjR2", 3, '"jj" (must jump, or skip the first square) has no meaning on R with range 2'),
        ("jjD", 3, '"jj" (must jump, or skip the first square) has no meaning on D with range 1'),
        ("jH", 2, '"j" (must jump, or skip the first square) has no meaning on H with range 1'),
        ("pW", 2, '"p" (hop over a man) has no meaning on W with range 1; allowed: on rides'),
        ("gN", 2, '"g" (hop and land right behind) has no meaning on N with range 1'),
        ("pgR", 3, '"p" together with "g" is not supported'),
        ("noD", 3, '"o" together with "n" is not supported'),
        ("poR", 3, '"o" together with "p" is not supported'),
        ("cejD", 4, '"e" (en passant) with "j" is not supported'),
        ("mtK", 3, '"t" (no capture of the royal piece) has no meaning here; allowed: on captures'),
        ("FY", 1, "FY is no longer leap; allowed before Y: D N A C Z"),
        ("RX", 1, "RX is no longer leap; allowed before X: W F D N A H C Z G"),
        ("nNX", 2, '"n" (stopped on the way) has no meaning on NX with range 1'),
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
        ("ceB", 3, '"e" (en passant) with range to the edge is not supported'),
        ("ceW3", 3, '"e" (en passant) with range 3 is not supported'),
        ("cenD", 4, '"e" (en passant) with "n" is not supported'),
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


@pytest.mark.parametrize("text", ["mDmnD", "mW2fmnD", "imW3fmnD", "fmRifmnH", "mnNafsmW"])
def test_a_move_does_or_does_not_leave_squares_open_to_en_passant(text: str) -> None:
    refused = r"two ways to one empty square, .* of which one leaves squares open .*; allowed: one"
    with pytest.raises(BetzaError, match=refused):
        betza.steps(text)


@pytest.mark.parametrize("text", ["BA", "RD", "DDHH", "mDcnD", "fmWfmnDifmnD", "NNmCC"])
def test_several_ways_may_lead_to_one_square(text: str) -> None:
    assert betza.steps(text)


ATOMS = st.sampled_from("WFDNAHCLZJGKRBQ")
WAYS = st.lists(st.sampled_from("fblrvsh"), max_size=4).map("".join)
PLAIN = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["", "i"]),
    WAYS,
    st.sampled_from(["", "m", "c", "mc", "ce", "e", "d", "mcd", "ct"]),
    st.sampled_from(["", "", "n", "j", "jj", "p", "g", "o"]),
    ATOMS,
    st.sampled_from(["", "0", "2", "7", "X", "Y"]),
)
BENT = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["", "i"]),
    WAYS,
    st.sampled_from(["a", "ya", "pa", "mpa", "ca", "mca", "cpa", "da"]),
    st.lists(
        st.tuples(WAYS, st.sampled_from(["", "p", "mp", "c", "md"])).map("".join), max_size=2
    ).map(lambda legs: "".join(leg + "a" for leg in legs)),
    WAYS,
    st.sampled_from(["", "m", "c", "mcd", "dt"]),
    st.sampled_from("WFKDAHG"),
)
# The small letters before each, so that no atom doubles.
GROUPS = (PLAIN | BENT).map(lambda group: group if group[0].islower() else "mc" + group)


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
    kinds = [step._replace(reach=0, mode=mode) for step in found for mode in step.mode]
    assert len(kinds) == len(set(kinds))


SWAPPED = str.maketrans("lr", "rl")


@given(readable())
def test_left_and_right_are_mirror_images(text: str) -> None:
    # hl and hr are turned into each other by the same letters.
    def essence(step: Step, sign: int) -> tuple[object, ...]:
        first = (sign * step.first[0], step.first[1]) if step.first else ()
        crossed = [
            {(sign * x, y) for x, y in squares}
            for squares in (step.via, step.over, step.takes, step.takes_own)
        ]
        rest = step._replace(dx=sign * step.dx, via=(), over=(), first=(), takes=(), takes_own=())
        return (rest, first, *map(frozenset, crossed))

    swapped = betza.steps(text.translate(SWAPPED))
    mirrored = {essence(step, -1) for step in betza.steps(text)}
    assert {essence(step, 1) for step in swapped} == mirrored


@given(st.text(alphabet="fblrvshmceinpjgyaodtWFDNAHCZGKRBQXY0123456789[](),", max_size=24))
def test_any_text_is_read_or_refused(text: str) -> None:
    problem = ""
    try:
        betza.steps(text)
    except BetzaError as refused:
        problem = str(refused)
    assert "\n" not in problem
