"""What every kind's course can do, and the shape of what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from tabia.server.stopping import LOOK
from tabia.server.tally import Unit

Json = dict[str, Any]

_DENSE_LOOKS = 32
_LOOKS_PER_OCTAVE = 16


class Course(Protocol):
    """One experiment on its way. Its units come in schedule order, and none after the verdict."""

    verdict: Json | None
    """``{"outcome", "sentence", "at_unit"}`` once there is one; whoever resumes a course that is
    over sets it."""

    @property
    def units(self) -> int:
        """How many units were taken in."""

    def take(self, unit: Unit) -> list[Json]:
        """Count the next unit, and look if it is time to; the new points of the chart, if any.

        A point is ``{"units", "value", "low", "high", "llr", "bounds"}``, with None for what the
        kind does not have.
        """

    def to_json(self) -> Json:
        """Plain data to resume from, but for the verdict."""

    def estimate(self) -> Json:
        """What is known: those keys of :data:`NOTHING_KNOWN` that this kind has."""


NOTHING_KNOWN: Final[Mapping[str, Any]] = {
    "estimate": {},
    "test": {
        "rule": "budget",
        "scale": None,
        "bounds_elo": None,
        "llr": None,
        "llr_plus": None,
        "llr_minus": None,
        "lower": None,
        "upper": None,
        "bounds": None,
        "bounds_plus": None,
        "bounds_minus": None,
        "p_value": None,
        "log_e": None,
    },
    "adjusted": None,
    "secondary": [],
    "profile": None,
    "ratings": None,
    "values": None,
    "tallies": {},
    "touched": None,
    "right": None,
}
"""Every key that an experiment of any kind shows, with what stands there for a kind without it.

``after_decision`` comes on top, from :mod:`tabia.server.decision`.
"""


def is_charted(units: int) -> bool:
    """Whether the look at so many units gives a point of the chart.

    The first 32 looks do, and 16 looks in every doubling after them: 200 points or so for any
    experiment, and the same ones however the units came.
    """
    look = units // LOOK
    if look <= _DENSE_LOOKS:
        return True
    step = 1 << (look.bit_length() - _LOOKS_PER_OCTAVE.bit_length())
    return look % step == 0
