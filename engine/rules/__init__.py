"""The rule language: load, extend, validate, hash, diff."""

from tabia.engine.rules.diff import Difference
from tabia.engine.rules.ruleset import RuleSet

__all__ = ["Difference", "RuleSet"]
