"""The rule sets of the catalog and of tests/data/games in the format that core.cpp reads, one file
each: where the fuzzer begins. `python tests/fuzz/seeds.py FOLDER`."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tabia.engine import RuleSet
from tabia.engine.rules.betza import steps
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.tables import core_tables

GAMES = Path(__file__).parents[1] / "data" / "games"
RESULTS = ("loss", "draw", "win")
CHECK = ("every", "last", "duple")
BARE = ("none", "loss", "draw")
LANDINGS = "mcde"
RANDOM_MOVES = 40
# One of each feature on a small board: these are played fast and stay whole under many mutations.
SMALL = {
    "cannon": "mRcpR", "grasshopper": "gQ", "gryphon": "FyafsF", "cylinder": "oRoB", "ski": "jjR",
    "own-captures": "mcdN", "horse": "afsW", "two-ways": "mpafsK", "jump": "jD", "tame": "tQ",
    "first-move": "WinD", "lion": "KcaKmcabK", "checkers": "fmFfcafmF", "cannibal": "WdafdafcW",
}  # fmt: skip


def encode(tables: dict[str, Any]) -> bytes:
    """The bytes of the core's tables."""
    letters = [ord(letter) - ord("A") for letter in tables["letters"]]

    def named(types: Iterable[int]) -> bytes:
        return _list(types, lambda index: bytes([letters[index]]))

    def primitive(m: dict[str, Any]) -> bytes:
        taken = [m.get("takes", []), m.get("takes_own", [])]
        landing = sum(1 << LANDINGS.index(mode) for mode in m["mode"]) | m["ep"] << 4
        landing |= any(taken) << 5
        victims = m.get("ep_victims" if m["mode"] == "e" else "victims")
        typed = victims or m.get("not_over") or m.get("not_onto")
        seldom = [
            (m["from"] is not None, _squares(m["from"] or [])),
            ("start" in m, bytes([m.get("start", 1)])),
            (m.get("unmoved", False), b""),
            (m.get("wrap", False), b""),
            ("hop" in m, bytes([m.get("hop") == "over"])),
            ("first" in m, _signed(*m.get("first", []))),
            ("over" in m, _offsets(m.get("over", []))),
            (
                bool(typed),
                named(victims or range(len(letters)))
                + named(m.get("not_over", []))
                + named(m.get("not_onto", [])),
            ),
        ]
        return (
            _signed(m["dx"], m["dy"], m["range"])
            + bytes([landing])
            + _offsets(m["via"])
            + bytes([sum(1 << bit for bit, (there, _) in enumerate(seldom) if there)])
            + b"".join(found for there, found in seldom if there)
            + (b"".join(map(_offsets, taken)) if any(taken) else b"")
        )

    def promotion(p: dict[str, Any]) -> bytes:
        flags = p["compulsory"] | (p.get("when_none") == "stays") << 1
        limited = any(limit >= 0 for limit in p["limit"])
        limits = b"\x01" + _signed(*p["limit"]) if limited else b"\x00"
        return _squares(p["squares"]) + named(p["to"]) + limits + bytes([flags])

    def castling(c: dict[str, Any]) -> bytes:
        targets = _list(c.get("moves", [c]), lambda each: bytes([each["king_to"], each["rook_to"]]))
        head = [c["letter"] == "K", c["king_from"], c["rook_from"], letters[c["rook"]]]
        return bytes(head) + targets + bytes([c.get("from_move", 1)])

    def side(own: dict[str, Any]) -> bytes:
        pieces = b"".join(
            _list(moves, primitive) + _list(promotions, promotion)
            for moves, promotions in zip(own["moves"], own["promotions"], strict=True)
        )
        check = CHECK.index(own.get("check", "every"))
        return b"".join(
            [
                pieces,
                _list(own["castling"], castling),
                bytes([RESULTS.index(own["stalemate"])]),
                named(own["royal"]),
                bytes([check]),
            ]
        )

    keys = ["n_move_reset_capture", "n_move_reset_own_capture", "dead_position"]
    keys += ["bare_ignores_citadels", "bare_answer"]
    fen = tables["start_fen"].encode()
    citadels = _list(
        tables.get("citadels", []), lambda each: bytes([each["square"], each["moves_as"]])
    )
    return b"".join(
        [
            bytes([tables["files"], tables["ranks"]]),
            _squares(tables["holes"]),
            _list(letters, lambda letter: bytes([letter])),
            citadels,
            bytes([tables["repetition"]]),
            bytes([RESULTS.index(tables.get("repetition_result", "draw"))]),
            bytes([min(tables["n_move_plies"], 255)]),
            named(tables["n_move_reset_types"]),
            bytes([sum(tables.get(key, False) << bit for bit, key in enumerate(keys))]),
            bytes([BARE.index(tables.get("bare", "none"))]),
            len(fen).to_bytes(2, "big") + fen,
            *map(side, tables["sides"]),
        ]
    )


def _list(items: Iterable[Any], each: Callable[[Any], bytes]) -> bytes:
    found = [each(item) for item in items]
    return bytes([len(found)]) + b"".join(found)


def _squares(squares: Iterable[int]) -> bytes:
    return _list(squares, lambda square: bytes([square]))


def _signed(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(1, "big", signed=True) for number in numbers)


def _offsets(offsets: Iterable[list[int]]) -> bytes:
    return _list(offsets, lambda offset: _signed(*offset))


def main(folder: Path) -> None:
    """Writes one file a rule set, with bytes for random moves behind the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    games = {Path(each).stem: RuleSet.load(each) for each in catalog_ids()}
    games |= {path.stem: RuleSet.load(path) for path in sorted(GAMES.glob("*.toml"))}
    games |= {f"small-{name}": _small(moves) for name, moves in SMALL.items()}
    games |= {f"several-kings-{rule}": _several_kings(rule) for rule in CHECK}
    for name, rules in games.items():
        moves = random.Random(name).randbytes(RANDOM_MOVES)
        (folder / name).write_bytes(encode(core_tables(rules)) + moves)


def _small(moves: str) -> RuleSet:
    through = any(s.takes or s.takes_own for s in steps(moves))  # not beside citadels
    citadels = {} if through else {"citadels": {"a6": "b5"}}
    return RuleSet.from_document(
        {
            "board": {"files": 5, "ranks": 6, "holes": ["e3"], **citadels},
            "pieces": {
                "K": {"moves": "K", "royal": True},
                "P": {"moves": "fmWifmnDfceF"},
                "R": {"moves": "R"},
                "X": {"moves": moves, "initial": "unmoved", "not_over": "R", "own_victims": "P"},
            },
            "array": {"6": "x2rk", "5": "pppp1", "2": "PPPPP", "1": "X2RK"},
            "castling": {"queenside": {"king": "c", "partner": "d", "to": "d"}},
            "promotion": {"to": "RX", "supply": "captured", "optional": [5], "compulsory": [6]},
            "endings": {"repetition": {"count": 2, "result": "loss"}},
        }
    )


def _several_kings(rule: str) -> RuleSet:
    """Two kings a side, a royal man of White's alone, and pawns that may become kings."""
    return RuleSet.from_document(
        {
            "board": {"files": 5, "ranks": 6},
            "pieces": {
                "K": {"moves": "K", "royal": True},
                "P": {"moves": "fmWfcF"},
                "R": {"moves": "R"},
                "X": {"moves": "D"},
            },
            "array": {"6": "rkxk1", "5": "ppp2", "2": "2PPP", "1": "RKXK1"},
            "check": {"royals": rule},
            "castling": {"home": "b", "kingside": {"king": "c", "partner": "a", "to": "d"}},
            "promotion": {"to": "RK", "optional": [5], "compulsory": [6]},
            "white": {"pieces": {"X": {"royal": True}}},
        }
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
