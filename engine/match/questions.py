"""`[test]`: what an experiment asks and what ends it, declared before the first game.

| rule         | what ends it                                            | takes           |
|--------------|---------------------------------------------------------|-----------------|
| `sobel-wald` | a difference above the margin, or none of that size      | `margin`        |
| `gsprt`      | one of two hypotheses on Elo is accepted                 | `bounds`, `scale` |
| `budget`     | nothing but the budget: the numbers are what was asked for | -             |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.match.document import ExperimentDocument, Rule, Scale
from tabia.engine.match.kinds import Kind


@dataclass(frozen=True)
class Asked:
    """What a kind can ask. The first of `metrics` and of `rules` is the default; margin: default
    and largest, or None where there is no such thing; scale: the default of `gsprt`."""

    metrics: tuple[str, ...]
    rules: tuple[Rule, ...]
    margin: tuple[float, float] | None = None
    scale: Scale = "normalized"
    unit: str = ""


ASKED: Mapping[Kind, Asked] = {
    "compare": Asked(
        ("white_score", "draws", "decisive", "promotions"), ("sobel-wald", "budget"), (0.03, 0.5)
    ),
    "rights": Asked(
        ("elo",), ("sobel-wald", "gsprt", "budget"), (20.0, 400.0), "logistic", unit=" Elo"
    ),
    "engines": Asked(("elo",), ("gsprt", "budget"), unit=" Elo"),
    "ratings": Asked(("elo",), ("budget",)),
    "material": Asked(("piece_values",), ("budget",)),
}

DEFAULT_BOUNDS = (0.0, 10.0)
LOOK = 16
"""Units between two looks at the counts."""


def frozen_test(model: ExperimentDocument, source: str) -> dict[str, Any]:
    """`[test]` in full: {"metric", "rule", "margin", "bounds", "scale", "alpha", "beta", "budget"}.

    margin: 0 where the rule has none; with `gsprt`, the width of the bounds. bounds, scale: null
    but for `gsprt`. Each level of a `[curve]` plays its whole budget. Raises DocumentError.
    """
    test, asked, curve = model.test, ASKED[model.kind], model.curve is not None
    metric = test.metric or asked.metrics[0]
    if metric not in asked.metrics:
        raise _not_allowed(source, "test.metric", metric, model.kind, asked.metrics)
    rules: tuple[Rule, ...] = ("budget",) if curve else asked.rules
    rule = test.rule or rules[0]
    if rule not in rules:
        raise _not_allowed(
            source, "test.rule", rule, f"{model.kind} with [curve]" if curve else model.kind, rules
        )
    bounds, scale = _hypotheses(model, rule, source)
    return {
        "metric": metric,
        "rule": rule,
        "margin": bounds[1] - bounds[0] if bounds else _margin(model, source),
        "bounds": bounds,
        "scale": scale,
        "alpha": float(test.alpha),
        "beta": float(test.beta),
        "budget": test.budget,
    }


def _hypotheses(
    model: ExperimentDocument, rule: Rule, source: str
) -> tuple[list[float] | None, Scale | None]:
    test = model.test
    if rule != "gsprt":
        for key in ("bounds", "scale"):
            if getattr(test, key) is not None:
                raise DocumentError(
                    source, f"test.{key}", f'found with the rule "{rule}"; allowed with "gsprt"'
                )
        return None, None
    if test.margin is not None:
        raise DocumentError(
            source, "test.margin", 'found with the rule "gsprt"; allowed there: bounds'
        )
    low, high = test.bounds or DEFAULT_BOUNDS
    if not low < high:
        raise DocumentError(
            source, "test.bounds", f"found {low:g} and {high:g}; allowed: the smaller one first"
        )
    return [float(low), float(high)], test.scale or ASKED[model.kind].scale


def _margin(model: ExperimentDocument, source: str) -> float:
    asked, margin = ASKED[model.kind], model.test.margin
    if asked.margin is None:
        if margin is not None:
            raise DocumentError(
                source, "test.margin", f"not for {model.kind}; allowed for compare and rights"
            )
        return 0.0
    default, most = asked.margin
    if margin is not None and margin > most:
        raise DocumentError(
            source,
            "test.margin",
            f"found {margin:g}; allowed for {model.kind}: above 0, up to {most:g}{asked.unit}",
        )
    return default if margin is None else float(margin)


def _not_allowed(
    source: str, key: str, found: str, kind: str, allowed: tuple[str, ...]
) -> DocumentError:
    return DocumentError(
        source, key, f"found {show(found)}; allowed for {kind}: {', '.join(allowed)}"
    )
