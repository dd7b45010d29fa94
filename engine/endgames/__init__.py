"""Endings with few men, solved exactly under any rule set."""

from tabia.engine.endgames.ending import Count, Ending, Kind, Win
from tabia.engine.endgames.material import Material

__all__ = ["Count", "Ending", "Kind", "Material", "Win"]
