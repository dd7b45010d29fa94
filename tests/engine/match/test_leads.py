"""Lead changes and the ply that decided: what the scores of a game are read as."""

import pytest

from tabia.engine.match.leads import decided_at, lead_changes


@pytest.mark.parametrize(
    ("scores", "changes"),
    [
        ([], 0),
        ([99, 99, -99, -99, 99], 0),  # nobody ever led
        ([100, 100, 20, -20, -99, 150], 0),  # a smaller score leaves the lead where it is
        ([150, -150, 150, -150], 0),  # each side thinks that it leads
        ([100, 100, -100, 20, -100, -100], 1),
        ([-100, -120, 0, 100, 100, 0, -100, -300], 2),
        ([31_990, 31_990, -31_990, -31_990], 1),
    ],
)
def test_the_lead_changes_when_both_engines_see_the_other_side_a_pawn_ahead(
    scores: list[int], changes: int
) -> None:
    assert lead_changes(scores) == changes
    assert lead_changes([-score for score in scores]) == changes


@pytest.mark.parametrize(
    ("scores", "decided"),
    [
        ([0, 300, 500, 31_990], 10),  # plies 9 to 12
        ([300, 299, 300, 31_990], 11),
        ([900, 900, 900, 900], 9),
        ([900, 900, 900, -50], 12),  # only the end decided it
        ([], 12),
    ],
)
def test_a_game_is_decided_when_the_winner_never_has_less_again(
    scores: list[int], decided: int
) -> None:
    plies = list(enumerate(scores, 9))
    assert decided_at(plies, 1, 12) == decided
    mirrored = [(ply, -score) for ply, score in plies]
    assert decided_at(mirrored, -1, 12) == decided
    assert decided_at(plies, 0, 12) is None
