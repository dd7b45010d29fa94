"""An account of reference values: each is compared, or left out for a reason that is named."""

from collections import Counter
from math import isfinite
from pathlib import Path

DATA = Path(__file__).parents[2] / "data" / "statistics"


class Ledger:
    """Counts what was compared and what was left out, and keeps what differs."""

    def __init__(self) -> None:
        self.compared = 0
        self.left_out: Counter[str] = Counter()
        self.differs: list[str] = []

    def compare(self, what: str, ours: float, theirs: float, tolerance: float) -> None:
        """One value that has to be within ``tolerance`` (absolute) of theirs."""
        self.compared += 1
        if not abs(ours - theirs) <= tolerance:
            self.differs.append(f"{what}: ours {ours}, theirs {theirs}")

    def check(self, what: str, holds: bool) -> None:
        """One value of theirs that is at fault, and of ours that has to be right instead."""
        self.compared += 1
        if not holds:
            self.differs.append(what)

    def leave(self, reason: str) -> None:
        """One value that is left out."""
        self.left_out[reason] += 1

    def close(self, compared: int, left_out: dict[str, int]) -> None:
        """Nothing differs, and everything is accounted for."""
        print(f"{self.compared} compared, {self.left_out.total()} left out")
        for reason, number in self.left_out.items():
            print(f"  {number:5} {reason}")
        assert not self.differs, "\n".join(self.differs[:20])
        counted = (self.compared, dict(self.left_out))
        assert counted == (compared, left_out), counted


def table(name: str) -> list[dict[str, str]]:
    """The rows of a TSV file of reference values, by column."""
    lines = [line for line in (DATA / name).read_text().splitlines() if not line.startswith("#")]
    columns = lines[0].split("\t")
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:]]


def number(text: str) -> float | None:
    """A number of theirs, or None where they had none: nan, an infinity or an error."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
