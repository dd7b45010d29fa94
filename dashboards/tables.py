"""What stands in the tables of an experiment's page, in the order in which it stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabia.dashboards.wording import NARROW, number, signed
from tabia.server.side_by_side import is_part, rows_by_name

View = Mapping[str, Any]


def by_pool(ratings: View) -> list[list[Mapping[str, Any]]]:
    """Players by pool, in every one the best first; those without a rating last."""
    of = {player["key"]: player for player in ratings["players"]}
    pools = ratings["pools"] or [list(of)]
    return [sorted((of[key] for key in pool), key=_best_first("elo")) for pool in pools]


def by_value(men: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Men by value, the most valuable first; those whose value is open last."""
    return sorted(men, key=_best_first("value"))


def _best_first(key: str) -> Any:
    def order(row: Mapping[str, Any]) -> tuple[bool, float]:
        value = row[key]
        return (value is None, -(value or 0.0))

    return order


def signed_or_dash(value: float | None, digits: int = 0) -> str:
    """A rating: ``+85``; a dash for one that is not known."""
    return "–" if value is None else signed(value, digits)


def interval(row: Mapping[str, Any], scale: str) -> str:
    """The interval of a row, ``[+61, +110]`` or ``[4.71, 5.18]``, or that there is none yet.

    An end without a bound is infinite.
    """
    low, high = row["low"], row["high"]
    if low is None and high is None:
        return "no bound yet"
    write, digits = (signed, 0) if scale == "elo" else (number, 2)
    left = "−∞" if low is None else write(low, digits)
    right = "+∞" if high is None else write(high, digits)
    return f"[{left}, {right}]"


_GOOD_FIT, _POOR_FIT = 1.5, 3.0


def fit_words(values: View) -> str:
    """Whether values of single men explain what armies scored, from chi-squared by its dof.

    About 1 is expected of values that add up; the intervals are wider by its root where it is more.
    """
    ratio = values["chi2"] / values["dof"]
    if ratio < _GOOD_FIT:
        return "the values add up, as far as these games can tell"
    worse = "much " if ratio >= _POOR_FIT else ""
    return (
        f"the scores scatter {worse}more than chance would: some men are worth more, or less, "
        "together, and the intervals are widened for it"
    )


class Cell(NamedTuple):
    """One number of a game profile and what there is to say of it."""

    figure: str
    detail: str


class ProfileRow(NamedTuple):
    """One number of a game profile, for every arm that has a column.

    ``is_part`` says that it breaks down another one: draws by repetition, promotions to a queen.
    """

    name: str
    label: str
    unit: str
    is_part: bool
    cells: tuple[Cell, ...]


def profile_rows(profile: View | None, arms: Sequence[str]) -> list[ProfileRow]:
    """The numbers of the arms side by side, in the order of ``tabia.server.profile``."""
    if not profile:
        return []
    rows = []
    for name, lines in rows_by_name([profile[arm] or () for arm in arms]).items():
        line = next(each for each in lines if each is not None)
        unit = "" if line["unit"] in _SELF_EVIDENT else line["unit"]
        rows.append(ProfileRow(name, line["label"], unit, is_part(name), tuple(map(_cell, lines))))
    return rows


_SELF_EVIDENT: Final = frozenset({"%", "percentage points", "plies"})


def _cell(line: Mapping[str, Any] | None) -> Cell:
    if line is None or line["value"] is None:
        return Cell("–", "")
    value, unit = line["value"], line["unit"]
    if unit == "percentage points":
        return Cell(f"{signed(value, 1)}{NARROW}pp", line["detail"])
    sign = f"{NARROW}%" if unit.startswith("%") else ""
    digits = 2 if not sign and unit != "plies" and abs(value) < 10 else 1
    return Cell(number(value, digits) + sign, line["detail"])
