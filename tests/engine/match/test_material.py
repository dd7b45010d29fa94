"""What an experiment about piece values may play."""

from collections.abc import Sequence
from typing import Any

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, Imbalance, Material, openings
from tabia.engine.match.openings import draw_move


def material(rules: str = "grand", budget: int = 4000, **table: Any) -> Material:
    document = {
        "name": "Values",
        "kind": "material",
        "rules": rules,
        "test": {"budget": budget},
        **({"material": table} if table else {}),
    }
    made = Experiment.from_document(document, "doc").material
    assert made is not None
    return made


def refusal(rules: str = "grand", **table: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        material(rules, **table)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_by_default_every_man_but_the_king_is_weighed_in_pawns() -> None:
    made = material()
    assert made.men == ("B", "C", "M", "N", "P", "Q", "R")
    assert (made.pawn, made.target) == ("P", 0.25)
    assert made.guess["Q"] > made.guess["R"] > made.guess["N"] > made.guess["P"] > 0
    # Corporals promote too, but there are more pawns; Great Chess calls its pawns soldiers.
    assert (material("gigachess").pawn, material("great").pawn) == ("P", "S")


def test_imbalances_are_nearly_level_and_of_few_men() -> None:
    made = material()
    assert list(made.matches) == sorted(set(made.matches))
    assert {"M:NR", "Q:RR", "N:PPP", "R:NPP", "B:N"} <= set(made.matches)
    for label in made.matches:
        match = Imbalance.parse(label)
        gap = sum(made.guess[man] for man in match.a) - sum(made.guess[man] for man in match.b)
        assert abs(gap) <= 1.5
        assert max(len(army) - army.count("P") // 2 for army in (match.a, match.b)) <= 2
    more = material(most_men=3)
    assert set(made.matches) < set(more.matches)
    assert "QR:BMN" in more.matches


def test_only_the_men_that_are_asked_for_are_missing() -> None:
    made = material("gross", men=["S", "R", "N"])
    assert made.men == ("N", "P", "R", "S")
    assert {man for label in made.matches for man in label} - {":"} == {"N", "P", "R", "S"}


def test_a_published_order_may_be_declared() -> None:
    assert material(expected=["M", "Q", "R", "P"]).expected == ("M", "Q", "R", "P")
    assert material().expected == ()


def test_the_allocation_is_made_anew_between_two_looks() -> None:
    assert material(budget=4000).stages == (0, 496, 992, 2000)
    assert material(budget=100).stages == (0, 16, 48)
    assert material(budget=1).stages == (0,)


@pytest.mark.parametrize(
    ("rules", "table", "says"),
    [
        ("grand", {"men": ["Q", "X"]}, 'doc:material.men.1: found "X"; allowed: a man that both'),
        ("grand", {"men": ["K"]}, 'doc:material.men.0: found "K"; allowed: a man that both sides'),
        ("grand", {"men": ["q"]}, 'doc:material.men.0: found "q"; allowed: one capital letter'),
        ("grand", {"pawn": "X"}, 'doc:material.pawn: found "X"; allowed: a man that both sides'),
        ("grand", {"men": ["Q", "M"]}, "doc:material.men: no nearly level imbalances tie M, Q to"),
        ("grand", {"men": ["P"]}, "doc:material.men: found no man but the pawn, P; allowed:"),
        ("gigachess", {"most_men": 3}, "doc:material.most_men: found 3, which gives more than"),
        ("grand", {"target": 0}, "doc:material.target: found 0; allowed: a number from 0.01 to 10"),
        ("grand", {"expected": ["Q", "X"]}, 'doc:material.expected.1: found "X"; allowed: each of'),
        ("grand", {"expected": ["Q", "Q"]}, 'doc:material.expected.1: found "Q"; allowed: each of'),
        ("grand", {"mne": []}, 'doc:material.mne: unknown key; did you mean "men"?'),
    ],
)
def test_refusals(rules: str, table: dict[str, Any], says: str) -> None:
    assert refusal(rules, **table).startswith(says)


def test_without_a_man_that_promotes_the_pawn_must_be_named() -> None:
    document: dict[str, Any] = {
        "name": "Values",
        "kind": "material",
        "rules": "dull",
        "rulesets": {
            "dull": {"extends": "chess", "promotion": {"optional": [], "compulsory": []}},
        },
    }
    with pytest.raises(
        DocumentError, match=r"doc:material.pawn: missing, and no man of .* promote"
    ):
        Experiment.from_document(document, "doc")
    named = Experiment.from_document({**document, "material": {"pawn": "P"}}, "doc").material
    assert named is not None
    assert named.pawn == "P"


def test_rules_under_which_no_opening_lives_are_refused_as_soon_as_for_any_other_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []

    def counted(seed: str, moves: Sequence[str]) -> str:
        tried.append(seed)
        return draw_move(seed, moves)

    rules = {"extends": "chess", "endings": {"n_move": {"moves": 2, "resets": []}}}
    document = {
        "name": "Values",
        "kind": "material",
        "rules": "short",
        "openings": {"plies": 6},
        "rulesets": {"short": rules},
    }
    monkeypatch.setattr(openings, "draw_move", counted)
    with pytest.raises(DocumentError) as caught:
        Experiment.family(document, "doc")
    assert str(caught.value).startswith("doc:openings.plies: no opening of 6 plies found")
    assert 0 < len(tried) <= openings.MOST_ATTEMPTS * 6
