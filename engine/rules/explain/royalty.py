"""Who is royal and what check is, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from tabia.engine.rules.effective import SIDES, Rules, promotes_to
from tabia.engine.rules.explain.phrases import counted, listed, number

Name = Callable[[str], str]

_CHECK = {
    "every": "It is in check when any of its royal men is attacked, and may leave none of them "
    "attacked.",
    "last": "It may lose all but one of them, and is in check only when the last one is attacked.",
    "duple": "It may lose all but one of them, and is in check only when all that it has are "
    "attacked at once.",
}

_ROYAL = {
    "every": "it must not be left attacked",
    "last": "the last royal man must not be left attacked",
    "duple": "not all royal men may be left attacked at once",
}


def check_in_words(rules: Rules, name: Name) -> Iterator[str]:
    """What check and checkmate are, and how many royal men each side has where not one."""
    kings = {rules.only_king(side) for side in SIDES}
    king = kings.pop() if len(kings) == 1 else None
    if king is not None:
        yield f"A side whose {name(king)} is attacked and cannot be saved is checkmated and loses."
        return
    for side in SIDES:
        yield _royal_men(rules, side, name)
    yield "A side that is in check and cannot get out of it is checkmated and loses."


def royalty_in_words(rules: Rules, letter: str) -> Iterator[str]:
    """What it means for a piece to be royal."""
    checks = {
        side: rules.sides[side].check.royals
        for side in SIDES
        if letter in rules.royals(side) and rules.has(side, letter)
    }
    having = [side for side in SIDES if rules.has(side, letter)]
    if len(set(checks.values())) == 1 and len(checks) == len(having):
        yield f"It is royal: {_ROYAL[checks[having[0]]]}."
    else:
        for side, check in checks.items():
            yield f"{side.capitalize()}: It is royal: {_ROYAL[check]}."


def _royal_men(rules: Rules, side: str, name: Name) -> str:
    king = rules.only_king(side)
    if king is not None:
        return (
            f"{side.capitalize()} has one royal man, the {name(king)}, and is in check when it is "
            "attacked."
        )
    men = Counter(man.letter for man in rules.royal_men(side))
    each = [
        name(letter) if count == 1 else f"{number(count)} {name(letter)}s"
        for letter, count in sorted(men.items())
    ]
    gets = set(rules.royals(side)) & promotes_to(rules.sides[side].promotion)
    also = ", and may get others by promotion" if gets else ""
    total = counted(sum(men.values()), "royal man").replace("mans", "men")
    check = _CHECK[rules.sides[side].check.royals]
    return f"{side.capitalize()} has {total}, {listed(each)}{also}. {check}"
