"""Betza notation as text: a string read into groups, and groups spelt one way.

A group is some modifiers (small letters), an atom (a capital) and perhaps a range. With `a` it has
further legs: what stands before the `a` belongs to the leg before. What is not played is refused by
name and place; nothing is skipped.

What a leg that is not the last may do at its end is as XBoard 4.9 reads it (`MovesFromString` in
its moves.c): `m` an empty square, and that alone where no letter says more; `c` an enemy man, who
is captured, and the move goes on; `d` the same of an own man; `p` any man, who stays where he is.
The square that the piece left counts as empty; so does, here, that of a man captured by a leg
before, where XBoard looks at the board as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from tabia.engine.rules import turns as turning
from tabia.engine.rules.atoms import (
    ATOMS,
    COMPOUNDS,
    EXTENDED,
    LEAPS,
    SLIDERS,
    SYNONYMS,
    first_vectors,
)
from tabia.engine.rules.directions import (
    MeaninglessError,
    Token,
    Vector,
    spelling,
    symmetric,
    tokens,
)

MAX_LENGTH = 200
MAX_RANGE = 15
MAX_LEGS = 5
TO_THE_EDGE = 0

MODES = "mcde"
CROSSINGS = "mcdp"
DIRECTIONS = "fblrvsh"
OTHERS = "itpgoynja"
MODIFIERS = "f b l r v s h, m c d e, i, t p g o y n j, a"

REFUSED = {
    "u": "unload what was captured",
    "x": "lend or borrow moves",
    "z": "crooked path",
    "q": "circular path",
    "k": "restriction to royal targets",
    "O": "castling, which has its own section here, [castling]",
    "U": "leap to any square",
    "I": "imitation of the last move",
    "[": "path with a bend, which `a` can describe: FyafsF",
    "(": "leap by coordinates",
}

ON_THE_WAY = {
    "e": "capture en passant on the way",
    "g": "hop that changes the range",
    "t": "restriction on what may be hopped over",
    "n": "lame leap on the way",
    "j": "jump on the way",
    "o": "cylinder",
    "i": "first move only, which stands before the first leg",
}
IN_THE_LAST_LEG = {key: ON_THE_WAY[key] for key in "enjoi"} | {
    "p": "hop over a man",
    "g": "hop and land right behind",
    "y": "change of range, which needs another leg",
}


class BetzaError(ValueError):
    """What in a string of Betza notation is not understood or not played, and where."""


@dataclass(frozen=True)
class Leg:
    """One leg after the first: turns, in eighths to the right of the leg before, and for all but
    the last what its square may hold (see `Group.crosses`)."""

    turns: tuple[int, ...]
    crosses: str = ""


@dataclass(frozen=True)
class Group:
    """One atom with its modifiers.

    vectors: the steps of the first leg, as (files to the right, ranks forward); reach: how often
    the step may be repeated, 0 = until something stands in the way; modes: of "m" (to an empty
    square), "c" (capture), "d" (capture of an own man), "e" (capture en passant); initial: only on
    the first move; lame: stopped by a man on a square passed over; jumps: only over a man; skips:
    so many squares of a ride are passed whatever stands there; hop: "p" over exactly one man, "g"
    the same and no further than right behind him; wraps: from the last file to the first; tame: no
    capture of the royal piece.

    crosses: what the square at the end of the first leg may hold when there are further ones, of
    "m" nobody, "c" an enemy man, who is captured, "d" an own man, who is captured, "p" any man, who
    stays; or "y" nobody, and the next leg is a ride; legs: those.
    """

    atom: str
    directions: str
    vectors: tuple[Vector, ...]
    reach: int
    modes: str
    initial: bool = False
    lame: bool = False
    jumps: bool = False
    skips: int = 0
    hop: str = ""
    wraps: bool = False
    tame: bool = False
    crosses: str = ""
    legs: tuple[Leg, ...] = field(default=())

    def __str__(self) -> str:
        modes = ("" if self.modes == "mc" else self.modes) + "t" * self.tame
        usual = TO_THE_EDGE if self.atom in SLIDERS else 1
        reach = "" if self.reach == usual else str(self.reach)
        start = "i" * self.initial + self.directions
        if self.legs:
            pieces = [start + _spelt_crossing(self.crosses)]
            for leg in self.legs:
                way = turning.spelling(leg.turns, self.atom)
                pieces.append(way + (_spelt_crossing(leg.crosses) if leg.crosses else modes))
            return "a".join(pieces) + self.atom
        after = self.hop + "o" * self.wraps + "n" * self.lame + "j" * (self.skips or self.jumps)
        return f"{start}{modes}{after}{self.atom}{reach}"


@lru_cache(maxsize=256)  # both sides have most pieces in common, and a tweak has its parent's
def parse(text: str) -> tuple[Group, ...]:
    """The groups of a string, "" for a piece that cannot move. Raises BetzaError."""
    if len(text) > MAX_LENGTH:
        raise BetzaError(f"{len(text)} characters of Betza notation; allowed: {MAX_LENGTH}")
    groups = []
    at = 0
    while at < len(text):
        group, at = _group(text, at)
        groups.append(group)
    return tuple(groups)


@lru_cache(maxsize=256)
def canonical(text: str) -> str:
    """One spelling for all strings that differ in the order of groups and modifiers only."""
    spelt = sorted({str(group): group for group in parse(text)}.items())
    whole = ""
    for one, group in reversed(spelt):
        # An atom right before the same atom would read as a doubled one.
        doubled = one[-1] == whole[:1]
        whole = one + (str(group.reach) if doubled else "") + whole
    return whole


def _spelt_crossing(crosses: str) -> str:
    return "" if crosses == "m" else crosses


@dataclass
class _Modifiers:
    """The small letters of one leg; `at` are their places by letter."""

    runs: list[str] = field(default_factory=lambda: [""])
    at: dict[str, list[int]] = field(default_factory=dict)

    def __contains__(self, letter: str) -> bool:
        return letter in self.at

    @property
    def modes(self) -> str:
        return "".join(mode for mode in MODES if mode in self)


def _group(text: str, at: int) -> tuple[Group, int]:
    """The group that starts there, and where the next one starts."""
    start = at
    legs = [_Modifiers()]
    while at < len(text) and text[at].islower():
        letter, leg = text[at], legs[-1]
        if letter in DIRECTIONS:
            leg.runs[-1] += letter
        elif letter == "a":
            legs.append(_Modifiers())
        elif letter in MODES + OTHERS:
            leg.runs.append("")
            leg.at.setdefault(letter, []).append(at)
            if len(leg.at[letter]) > 1 and letter != "j":
                raise BetzaError(f"{_place(text, at)}: the modifier is doubled; allowed: once")
        else:
            raise _unknown(text, at)
        at += 1
    if at == len(text):
        raise BetzaError(f"{_place(text, start)}: modifiers without an atom; atoms: {ATOMS}")
    atom, end = _atom(text, at)
    reach, end = _range(text, at, atom, end)
    if len(legs) > 1:
        return _bent(text, at, atom, reach, legs), end
    return _straight(text, at, atom, reach, legs[0]), end


def _atom(text: str, at: int) -> tuple[str, int]:
    """The atom at that place with its suffix, and the place behind it."""
    atom = SYNONYMS.get(text[at], text[at])
    if atom not in LEAPS and atom not in COMPOUNDS:
        raise _unknown(text, at)
    suffix = text[at + 1 : at + 2]
    if suffix not in EXTENDED:
        return atom, at + 1
    if atom not in EXTENDED[suffix]:
        raise BetzaError(
            f"{_place(text, at)}: {atom}{suffix} is no longer leap; "
            f"allowed before {suffix}: {' '.join(EXTENDED[suffix])}"
        )
    return atom + suffix, at + 2


def _straight(text: str, at: int, atom: str, reach: int, found: _Modifiers) -> Group:
    """A group of one leg."""
    _require_meaning(text, at, atom, reach, found)
    directions, vectors = _directed(text, at, atom, found.runs)
    jumps = len(found.at.get("j", ()))
    rides = reach != 1
    return Group(
        atom=atom,
        directions=directions,
        vectors=vectors,
        reach=reach,
        modes=found.modes or "mc",
        initial="i" in found,
        lame="n" in found,
        jumps=bool(jumps) and not rides,
        skips=jumps if rides else 0,
        hop="p" if "p" in found else "g" if "g" in found else "",
        wraps="o" in found,
        tame="t" in found,
    )


def _require_meaning(text: str, at: int, atom: str, reach: int, found: _Modifiers) -> None:
    """Refuses modifiers that say nothing, or nothing that we play, on that atom."""
    far = reach or "to the edge"

    def refuse(letter: str, says: str, allowed: str) -> BetzaError:
        return BetzaError(f'{_place(text, at)}: "{letter}" ({says}; allowed: {allowed}')

    if "n" in found and (reach != 1 or atom in "WFK" or len(atom) > 1):
        raise refuse(
            "n",
            f"stopped on the way) has no meaning on {atom} with range {far}",
            "on single leaps, D N A H C Z G",
        )
    if "j" in found:
        _require_jump(text, at, atom, reach, len(found.at["j"]))
    for letter, says in (("p", "hop over a man"), ("g", "hop and land right behind")):
        if letter in found and reach == 1:
            raise refuse(
                letter, f"{says}) has no meaning on {atom} with range 1", "on rides, such as R"
            )
    if "y" in found:
        raise refuse(
            "y", "change of range) has no meaning without a further leg", "before an a: FyafsF"
        )
    for one, other in ("pg", "pj", "gj", "nj", "on", "oj", "op", "og"):
        if one in found and other in found:
            raise BetzaError(
                f'{_place(text, at)}: "{one}" together with "{other}" is not supported; '
                "allowed: one of the two"
            )
    if "e" in found and (reach != 1 or "n" in found or "j" in found):
        with_what = f"range {far}" if reach != 1 else '"n"' if "n" in found else '"j"'
        raise BetzaError(
            f'{_place(text, at)}: "e" (en passant) with {with_what} is not supported; '
            "allowed: on single steps that nothing can stop"
        )
    if "t" in found and "c" not in (found.modes or "mc"):
        raise refuse("t", "no capture of the royal piece) has no meaning here", "on captures")


def _require_jump(text: str, at: int, atom: str, reach: int, jumps: int) -> None:
    ski = atom in "WFKRBQ" and reach != 1 and (reach == TO_THE_EDGE or reach > jumps)
    leap = atom in "DNA" and reach == 1 and jumps == 1
    if not ski and not leap:
        raise BetzaError(
            f'{_place(text, at)}: "{"j" * jumps}" (must jump, or skip the first square) has no '
            f"meaning on {atom} with range {reach or 'to the edge'}; allowed: on single leaps of "
            "D N A, and on longer rides of W F K R B Q"
        )


def _bent(text: str, at: int, atom: str, reach: int, found: list[_Modifiers]) -> Group:
    """A group of several legs."""
    place = _place(text, at)
    if atom not in "WFKDAHG":
        raise BetzaError(
            f'{place}: "a" (a further leg) on {atom} is not supported; allowed: on W F K D A H G'
        )
    if reach != 1:
        raise BetzaError(
            f'{place}: "a" (a further leg) with range {reach or "to the edge"} is not supported; '
            'allowed: range 1, and a ride at the end after "y": FyafsF'
        )
    if len(found) > MAX_LEGS:
        raise BetzaError(f"{place}: found {len(found)} legs; allowed: {MAX_LEGS}")
    crossings = [_crossing(text, leg, first=i == 0) for i, leg in enumerate(found[:-1])]
    last = found[-1]
    _refuse_first(text, last, IN_THE_LAST_LEG, "in the last leg")
    if "t" in last and any(mode in crosses for crosses in crossings for mode in "cd"):
        raise BetzaError(
            f'{_place(text, last.at["t"][0])}: "t" (no capture of the royal piece) after a capture '
            "on the way is not supported"
        )
    if "y" in crossings and len(found) != 2:
        raise BetzaError(
            f'{place}: "y" (change of range) among {len(found)} legs is not supported; allowed: in '
            "the first of two"
        )
    if "t" in last and "c" not in (last.modes or "mc"):
        raise BetzaError(
            f'{place}: "t" (no capture of the royal piece) has no meaning here; '
            "allowed: on captures"
        )
    legs = []
    for leg, crosses in zip(found[1:], [*crossings[1:], ""], strict=True):
        try:
            legs.append(Leg(turning.turns("".join(leg.runs), atom), crosses))
        except MeaninglessError as error:
            raise BetzaError(f"{place}: {error}") from None
    directions, vectors = _directed(text, at, atom, found[0].runs)
    return Group(
        atom=atom,
        directions=directions,
        vectors=vectors,
        reach=reach,
        modes=last.modes or "mc",
        initial="i" in found[0],
        tame="t" in last,
        crosses=crossings[0],
        legs=tuple(legs),
    )


def _crossing(text: str, leg: _Modifiers, *, first: bool) -> str:
    """What the square at the end of a leg that is not the last may hold."""
    refused = {key: ON_THE_WAY[key] for key in ON_THE_WAY if not (first and key == "i")}
    _refuse_first(text, leg, refused, "in a leg that is not the last")
    crosses = "".join(letter for letter in CROSSINGS if letter in leg)
    if "y" not in leg:
        return crosses or "m"
    if crosses:
        raise BetzaError(
            f'{_place(text, leg.at["y"][0])}: "y" already says empty; '
            'allowed: "y" without m, c, d and p'
        )
    return "y"


def _refuse_first(text: str, leg: _Modifiers, refused: dict[str, str], where: str) -> None:
    there = sorted((places[0], letter) for letter, places in leg.at.items() if letter in refused)
    for place, letter in there:
        raise BetzaError(
            f'{_place(text, place)}: "{letter}" ({refused[letter]}) {where} is not supported'
        )


def _range(text: str, at: int, atom: str, end: int) -> tuple[int, int]:
    """The range behind the atom at that place, and where the next group starts."""
    usual = TO_THE_EDGE if atom in SLIDERS else 1
    if len(atom) == 1 and text[end : end + 1] == text[at]:
        if atom in SLIDERS:
            raise BetzaError(f"{_place(text, end)}: {atom} goes to the edge already; allowed: once")
        if text[end + 1 : end + 2] not in EXTENDED:
            return TO_THE_EDGE, end + 1
    begin = end
    while end < len(text) and text[end] in "0123456789":
        end += 1
    digits = text[begin:end]
    if not digits:
        return usual, end
    if len(digits) > 1 and digits[0] == "0":
        raise BetzaError(
            f"{_place(text, begin)}: {digits} (exactly so many steps) is not supported; "
            f"allowed: 1 to {MAX_RANGE}, or 0 = to the edge"
        )
    if len(digits) > 2 or int(digits) > MAX_RANGE:
        raise BetzaError(
            f"{_place(text, begin)}: found range {digits}; allowed: 1 to {MAX_RANGE}, "
            "or 0 = to the edge"
        )
    return int(digits), end


def _directed(text: str, at: int, atom: str, found: list[str]) -> tuple[str, tuple[Vector, ...]]:
    """The atom's vectors in the directions of those runs of letters, and the directions in a
    spelling that reads the same when it stands in one run."""
    runs = [run for run in found if run]
    every = tuple(v for first in first_vectors(atom) for v in symmetric(first))
    if not runs:
        return "", every
    if atom in "KQ":
        raise BetzaError(
            f"{_place(text, at)}: directions on {atom} mean one thing to XBoard and another to "
            "Fairy-Stockfish; write its parts, such as fWfF" + (" or fRfB" if atom == "Q" else "")
        )
    (first,) = first_vectors(atom)
    chosen: list[Token] = []
    for run in runs:
        try:
            chosen.extend(tokens(run, first))
        except MeaninglessError as error:
            raise BetzaError(f"{_place(text, at)}: {error} of the atom {atom}") from None
    wanted = tuple(v for v in every if any(test(v) for _, test in chosen))
    return spelling(token for token, _ in chosen), wanted


def _place(text: str, at: int) -> str:
    return f'position {at + 1} of "{text}"'


def _unknown(text: str, at: int) -> BetzaError:
    found = text[at]
    meaning = REFUSED.get(found)
    problem = f"({meaning}) is not supported" if meaning else "is not known"
    return BetzaError(
        f'{_place(text, at)}: "{found}" {problem}; modifiers: {MODIFIERS}; atoms: {ATOMS}'
    )
