"""Verdicts in plain words, with the numbers they rest on."""

from __future__ import annotations

from collections.abc import Mapping

from tabia.server.metrics import COMPARED
from tabia.server.numbers import share, signed
from tabia.server.question import Question
from tabia.server.stopping import Outcome
from tabia.server.tally import Tally

Estimates = Mapping[str, Mapping[str, float | None]]


def sentence(question: Question, tally: Tally, outcome: Outcome, estimates: Estimates) -> str:
    """The verdict as a page and a terminal say it."""
    if outcome == "refused":
        return _refused(tally)
    if question.kind == "compare":
        return _compare(question, tally, outcome, estimates)
    if question.rule == "gsprt":
        return _one_of_two(question, tally, outcome, estimates)
    return _meetings(question, tally, outcome, estimates)


def _compare(question: Question, tally: Tally, outcome: Outcome, estimates: Estimates) -> str:
    name_a, name_b = _names(question)
    seen = COMPARED[question.metric].phrase.format(
        a=_share(estimates["a"]["value"]),
        b=_share(estimates["b"]["value"]),
        name_a=name_a,
        name_b=name_b,
    )
    difference = _points(estimates["difference"]["value"])
    margin = f"{100 * question.margin:g}"
    games = f"{tally.units} {'openings' if question.paired else 'games under either'}"
    touched = _touched(tally) if question.coupled else ""
    if outcome in ("inconclusive", "measured"):
        low, high = (_points(estimates["difference"][end]) for end in ("low", "high"))
        return (
            f"{_spent(outcome, games)} {seen}: a difference of {difference} "
            f"percentage points, which may be anything from {low} to {high}.{touched}"
        )
    if outcome == "equivalent":
        return (
            f"{seen}: the difference of {difference} percentage points is below the margin of "
            f"{margin}. Decided after {games}; {_missed(question, f'{margin} points')}{touched}"
        )
    return (
        f"{seen}: a difference of {difference} percentage points. "
        f"Decided after {games}; {_false_alarm(question, 'no difference')}{touched}"
    )


def _meetings(question: Question, tally: Tally, outcome: Outcome, estimates: Estimates) -> str:
    """A and B met, and the question was whose score is higher, or by how much."""
    a, b = _sides(question)
    seen, games, arose = _seen(question, estimates), _openings(tally), _arose(question, tally)
    if outcome in ("inconclusive", "measured"):
        return f"{_spent(outcome, games)} {_first_up(seen)}, {_range(estimates)}.{arose}"
    if outcome == "equivalent":
        return (
            f"{_first_up(a)} and {b} are worth the same to within "
            f"{question.margin:g} Elo: {seen}. Decided after {games}; "
            f"{_missed(question, f'{question.margin:g} Elo')}{arose}"
        )
    better, worse = (a, b) if outcome == "a_higher" else (b, a)
    return (
        f"{_first_up(better)} are worth more than {worse}: {seen}. Decided after {games}; "
        f"{_false_alarm(question, 'rights of equal worth')}{arose}"
    )


def _one_of_two(question: Question, tally: Tally, outcome: Outcome, estimates: Estimates) -> str:
    """Two hypotheses on A's Elo, of which one was accepted."""
    assert question.bounds is not None, "a gsprt has bounds"
    a, b = _sides(question)
    unit = "normalized Elo" if question.scale == "normalized" else "Elo"
    elo0, elo1 = (f"{bound:g} {unit}" for bound in question.bounds)
    seen, games, arose = _seen(question, estimates), _openings(tally), _arose(question, tally)
    if outcome == "inconclusive":
        return f"{_spent(outcome, games)} {_first_up(seen)}, {_range(estimates)}.{arose}"
    accepted = outcome == "a_higher"
    chosen, other = (elo1, elo0) if accepted else (elo0, elo1)
    said = _above if accepted else _not_above
    rate, truth = (question.alpha, "or less") if accepted else (question.beta, "or more")
    return (
        f"{_first_up(said(question, a, b, elo0))}: {seen}. Decided for {chosen} against {other} "
        f"after {games}; of experiments with a true difference of {other} {truth}, at most about "
        f"{100 * rate:g} % end like this.{arose}"
    )


def _above(question: Question, a: str, b: str, elo0: str) -> str:
    if question.bounds is not None and question.bounds[0] != 0:
        return f"the lead of {a} over {b} is above {elo0}"
    return f"{a} {'are worth more' if question.kind == 'rights' else 'is stronger'} than {b}"


def _not_above(question: Question, a: str, b: str, elo0: str) -> str:
    if question.bounds is not None and question.bounds[0] != 0:
        return f"the lead of {a} over {b} is not above {elo0}"
    return (
        f"{a} {'are not worth more' if question.kind == 'rights' else 'is not stronger'} than {b}"
    )


def _spent(outcome: Outcome, games: str) -> str:
    if outcome == "measured":
        return f"Measured over {games}, as declared."
    return f"Undecided within the budget of {games}."


def _sides(question: Question) -> tuple[str, str]:
    """Who met: the holders of rights, or two players."""
    name_a, name_b = _names(question)
    if question.kind == "rights":
        return f"the rights of {name_a}", f"those of {name_b}"
    return name_a, name_b


def _seen(question: Question, estimates: Estimates) -> str:
    name_a, name_b = _names(question)
    score, elo = _share(estimates["score"]["value"]), _elo(estimates["elo"]["value"])
    if question.kind == "rights":
        return (
            f"whoever has the rights of {name_a} scores {score} against those of {name_b} "
            f"({elo} Elo)"
        )
    nelo = estimates["normalized_elo"]["value"]
    normalized = "" if nelo is None else f", {signed(nelo)} normalized"
    return f"{name_a} scores {score} against {name_b} ({elo} Elo{normalized})"


def _range(estimates: Estimates) -> str:
    low, high = (_elo(estimates["elo"][end], end) for end in ("low", "high"))
    return f"which may be anything from {low} to {high} Elo"


def _openings(tally: Tally) -> str:
    return f"{tally.units} openings, each played both ways round"


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def _refused(tally: Tally) -> str:
    capped = sum(arm.capped for arm in tally.arms.values())
    games = sum(arm.games for arm in tally.arms.values())
    return (
        f"No verdict after {tally.units} openings: {capped} of {games} games "
        f"({_share(capped / games)}) were stopped at the ply cap, and the answer changes with what "
        "they are counted as. A higher cap would let them end."
    )


def _false_alarm(question: Question, null: str) -> str:
    return (
        f"of experiments with {null}, at most {100 * question.alpha:g} % end with a verdict "
        "like this or its opposite."
    )


def _missed(question: Question, size: str) -> str:
    return (
        f"of experiments with a true difference of {size}, about {100 * question.beta:g} % "
        "end like this."
    )


def _touched(tally: Tally) -> str:
    if tally.touched == 0:
        return " Not one of them was played differently: the change of rules never mattered."
    return (
        f" The change of rules came to matter in {tally.touched} of them "
        f"({_share(tally.touched / tally.units)})."
    )


def _arose(question: Question, tally: Tally) -> str:
    """Whether what the rights are about came up at all."""
    if question.kind != "rights":
        return ""
    if question.coupled and tally.touched == 0:
        return " In every one both games were the same: it never mattered who had which rights."
    arose = tally.right.arose
    if arose == 0:
        return " No pawn could promote in any of them: this says nothing of rights to promote."
    if not question.coupled:
        return f" A pawn could promote in {arose} of them ({_share(arose / tally.units)})."
    return (
        f" A pawn could promote in {arose} of them ({_share(arose / tally.units)}), and it came to "
        f"matter who had which rights in {tally.touched} ({_share(tally.touched / tally.units)})."
    )


def _names(question: Question) -> tuple[str, str]:
    if question.name_a == question.name_b:
        return f"{question.name_a} (A)", f"{question.name_b} (B)"
    return question.name_a, question.name_b


def _share(value: float | None) -> str:
    return share(_known(value))


def _points(value: float | None) -> str:
    return signed(100 * _known(value))


def _known(value: float | None) -> float:
    assert value is not None, "a verdict has units to speak of"
    return value


def _elo(value: float | None, end: str = "value") -> str:
    if value is None:
        return {"low": "minus infinity", "high": "plus infinity"}.get(end, "more than measurable")
    return signed(value)
