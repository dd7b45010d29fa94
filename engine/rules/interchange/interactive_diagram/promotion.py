"""Promotion in an Interactive Diagram: promoZone, maxPromote, promoChoice, holdings.

promoChoice is a row of choices: a letter; `*` before it for a piece that must be in the holdings;
a digit behind it for the last so many ranks only; the promoting piece itself for staying what it
is, with `!` everywhere but on the last rank. (Grand Chess's own diagram and its rules together say
so much of `!`; its exact meaning is documented nowhere that we could read.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError, show

_CHOICE = re.compile(r"([*!]*)([A-Z])([0-9]?)")


@dataclass(frozen=True)
class Choice:
    """One choice: from the holdings only, not on the last rank, on the last so many ranks (0 = on
    all of the zone)."""

    letter: str
    held: bool
    early: bool
    depth: int


def promotion_of(
    settings: Mapping[str, str],
    source: str,
    ranks: int,
    letters: list[str],
    royals: str,
    reserve: Mapping[str, int],
) -> tuple[dict[str, Any], list[str]]:
    """The promotion table, and remarks. letters: of the pieces in the diagram's order. Raises
    DocumentError about a parameter."""
    zone = _number(settings, "promoZone", 1, 0, ranks, source)
    count = _number(settings, "maxPromote", 1, 0, len(letters), source)
    promoting = [letter for letter in letters[:count] if letter not in royals]
    if not zone or not promoting:
        return {}, []
    remarks = []
    text = settings.get("promoChoice", "")
    if not text:
        text = "".join(letter for letter in letters if letter not in (*royals, *promoting))
        remarks.append(f"promoChoice: not given, read as any piece: {text}")
    choices = _choices(text, letters, source)
    stays = [choice for choice in choices if choice.letter in promoting]
    others = [choice for choice in choices if choice.letter not in promoting]
    tiers = []
    for depth in range(zone, 0, -1):
        to = "".join(sorted(c.letter for c in others if not c.depth or c.depth >= depth))
        stay = any((not c.early or depth > 1) and (not c.depth or c.depth >= depth) for c in stays)
        if to:
            tiers.append((ranks + 1 - depth, to, not stay))
    if not tiers:
        return {}, remarks
    if any(choice.early for choice in stays):
        remarks.append("promoChoice: ! read as: may stay what it is, but not on the last rank")
    table = {"pieces": "".join(sorted(promoting)), **_by_rank(tiers)}
    return table | _supply(others, settings, reserve, source, remarks), remarks


def _by_rank(tiers: list[tuple[int, str, bool]]) -> dict[str, Any]:
    """Ranks of the largest choice in the plain fields, others as tiers."""
    to = tiers[-1][1]
    table: dict[str, Any] = {
        "to": to,
        "optional": [rank for rank, own, must in tiers if own == to and not must],
        "compulsory": [rank for rank, own, must in tiers if own == to and must],
    }
    further: dict[tuple[str, bool], list[int]] = {}
    for rank, own, must in tiers:
        if own != to:
            further.setdefault((own, must), []).append(rank)
    if further:
        table["tiers"] = [
            {"ranks": own, "to": letters, **({"compulsory": True} if must else {})}
            for (letters, must), own in further.items()
        ]
    return table


def _supply(
    others: list[Choice],
    settings: Mapping[str, str],
    reserve: Mapping[str, int],
    source: str,
    remarks: list[str],
) -> dict[str, Any]:
    kind = settings.get("holdingsType", "0")
    held = {choice.held for choice in others}
    if kind not in ("0", "1"):
        raise DocumentError(
            source, "holdingsType", f"found {show(kind)}; allowed: 1 = captured pieces, 0 = none"
        )
    if held == {False}:
        remarks.extend(f"holdings of {letter}: left out, as nothing brings them in"
                       for letter, count in reserve.items() if count)  # fmt: skip
        return {}
    if kind != "1":
        raise DocumentError(source, "promoChoice", "found *; needed with it: holdingsType=1")
    if held != {True}:
        free = "".join(sorted(choice.letter for choice in others if not choice.held))
        raise DocumentError(
            source, "promoChoice", f"{free} without *; allowed: all from the holdings, or none"
        )
    wanted = {choice.letter for choice in others}
    army = "".join(letter * count for letter, count in sorted(reserve.items()) if letter in wanted)
    return {"supply": "captured", **({"reserve": army} if army else {})}


def _choices(text: str, letters: list[str], source: str) -> list[Choice]:
    found = []
    at = 0
    while at < len(text):
        match = _CHOICE.match(text, at)
        if match is None or match[2] not in letters:
            raise DocumentError(
                source,
                "promoChoice",
                f'position {at + 1} of "{text[:60]}": allowed: letters of {"".join(letters)}, each '
                "with * or ! before it and a digit behind it",
            )
        found.append(Choice(match[2], "*" in match[1], "!" in match[1], int(match[3] or 0)))
        at = match.end()
    return found


def _number(
    settings: Mapping[str, str], key: str, default: int, low: int, high: int, source: str
) -> int:
    text = settings.get(key)
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,3}", text) or not low <= int(text) <= high:
        raise DocumentError(source, key, f"found {show(text)}; allowed: {low} to {high}")
    return int(text)
