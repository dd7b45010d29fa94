"""Every result counts once, in schedule order, whoever brings it and whenever."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from players import DECIDED_AT, Players, odds_document, ratings_document, stalemate_document
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import func, select
from structlog.testing import capture_logs

from tabia.engine.documents import DocumentError
from tabia.server import leases
from tabia.server.database import Database
from tabia.server.intake import ConflictError, Receipt
from tabia.server.lifecycle import stop_experiment
from tabia.server.models import (
    BatchRow,
    GameRow,
    LeaseRow,
    LeaseState,
    Provenance,
    Verification,
)
from tabia.server.results import Moves, ResultError


def count_games(players: Players) -> int:
    with players.database.read() as session:
        return session.scalars(select(func.count()).select_from(GameRow)).one()


def test_players_may_have_the_longest_keys_there_are(players: Players) -> None:
    keys = [f"{letter * 32}" for letter in "ab"]
    experiment = players.submit(
        ratings_document(players={key: {"nodes": 5} for key in keys}, test={"budget": 1})
    )
    players.finish(experiment)
    assert {game["match"] for game in players.games_of(experiment)} == {":".join(reversed(keys))}


def test_a_result_is_games_in_the_table_and_numbers_on_the_page(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=5)
    lease = players.lease(experiment)
    assert lease is not None
    result = players.play(lease)
    assert players.deliver(lease, result) is Receipt.RECORDED

    kept = players.games_of(experiment)
    told = sorted(result["games"], key=lambda game: (game["unit"], game["arm"]))
    assert [{**game, "moves": game["moves"].split()} for game in told] == [
        {key: game[key] for key in told[0]} for game in kept
    ]
    with players.database.read() as session:
        assert session.get_one(BatchRow, (experiment, 0)).openings == result["openings"]
    view = players.view(experiment)
    assert (view["state"], view["units_done"], view["batches_done"]) == ("running", 5, 1)
    assert view["tallies"]["a"]["games"] == 5
    assert view["tallies"]["a"]["mean_plies"] == pytest.approx(
        sum(game["plies"] for game in told if game["arm"] == "a") / 5
    )


def test_only_the_prefix_counts_until_the_gap_is_closed(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=4)
    first, second, third, *_ = players.lease_all(experiment)
    players.deliver(third)
    players.deliver(second)
    view = players.view(experiment)
    assert (view["units_done"], view["units_played"], view["batches_done"]) == (0, 8, 0)
    assert view["tallies"]["a"]["games"] == 0
    players.deliver(first)
    view = players.view(experiment)
    assert (view["units_done"], view["units_played"], view["batches_done"]) == (12, 12, 3)


def test_the_same_result_twice_counts_once(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    before, games = players.view(experiment), count_games(players)
    assert players.deliver(lease) is Receipt.DUPLICATE
    assert players.view(experiment) == before
    assert count_games(players) == games


def test_another_result_for_a_recorded_batch_is_refused_and_both_are_logged(
    players: Players,
) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    honest = players.play(lease)
    players.deliver(lease, honest)
    before = players.view(experiment)
    forged = players.play(lease)
    forged["games"][0]["profile"]["offered"] += 1
    with capture_logs() as logs, pytest.raises(ConflictError, match="batch 0 has another result"):
        players.deliver(lease, forged)
    assert players.view(experiment) == before
    (entry,) = [entry for entry in logs if entry["event"] == "conflicting results"]
    assert entry["recorded"] != entry["refused"]
    assert (entry["experiment"], entry["batch"]) == (experiment, 0)


def test_the_first_crossing_is_the_verdict_and_later_games_are_kept_beside_it(
    players: Players,
) -> None:
    experiment = players.submit(odds_document())
    for lease in players.lease_all(experiment):
        players.deliver(lease)
    view = players.view(experiment)
    assert view["state"] == "decided"
    assert view["verdict"]["outcome"] == "a_higher"
    assert view["verdict"]["at_unit"] == view["units_done"] == DECIDED_AT
    assert view["tallies"]["a"]["games"] == DECIDED_AT
    assert view["units_played"] == view["budget"] == 84
    assert view["after_decision"] == 84 - DECIDED_AT
    assert view["finished"] is not None
    marked = {game["unit"]: game["after_decision"] for game in players.games_of(experiment)}
    assert marked == {unit: unit >= DECIDED_AT for unit in range(84)}


def test_a_verdict_cancels_what_nobody_has_begun(players: Players) -> None:
    experiment = players.submit(odds_document())
    out = [players.lease(experiment) for _ in range(9)]
    for lease in out[:7]:
        assert lease is not None
        players.deliver(lease)
    assert players.view(experiment)["state"] == "decided"
    assert players.states(experiment) == ["done"] * 7 + ["out"] * 2 + ["cancelled"] * 3
    assert players.lease(experiment) is None
    late = out[7]
    assert late is not None
    assert players.deliver(late) is Receipt.RECORDED
    assert players.view(experiment)["after_decision"] == 8 * 7 - DECIDED_AT


def test_a_spent_budget_is_an_answer_too(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    players.finish(experiment)
    view = players.view(experiment)
    assert view["state"] == "out_of_budget"
    assert view["verdict"]["outcome"] == "inconclusive"
    assert view["verdict"]["at_unit"] == view["units_done"] == view["budget"] == 20
    assert view["failure"] is None


def test_rights_have_their_own_numbers(players: Players) -> None:
    experiment = players.submit(
        stalemate_document(
            kind="rights",
            arms={"a": "grand", "b": "grand-free-promotion"},
            test={"margin": 50, "budget": 6},
        )
    )
    players.finish(experiment)
    view = players.view(experiment)
    assert view["primary"]["metric"] == "elo"
    assert set(view["estimate"]) >= {"score", "elo"}
    assert view["right"]["never_arose"] <= 6
    assert view["state"] == "out_of_budget"


def test_a_stopped_experiment_still_takes_what_was_out(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    with players.database.write() as session:
        stop_experiment(session, experiment, players.now)
    assert players.deliver(lease) is Receipt.RECORDED
    view = players.view(experiment)
    assert (view["state"], view["units_done"]) == ("stopped", 7)
    assert players.lease(experiment) is None


def test_a_result_that_comes_after_its_lease_was_lost_is_welcome(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    slow = players.lease(experiment)
    assert slow is not None
    players.now += 2 * players.terms.claim_within
    with players.database.write() as session:
        assert leases.expire(session, now=players.now, terms=players.terms) == 1
    second = players.lease(experiment)
    assert second is not None
    assert second.batch == slow.batch
    assert players.deliver(slow) is Receipt.RECORDED
    with players.database.write() as session:
        assert not leases.renew(session, second.id, now=players.now, terms=players.terms)
    assert players.deliver(second) is Receipt.DUPLICATE
    with players.database.read() as session:
        states = set(session.scalars(select(LeaseRow.state)))
    assert states == {LeaseState.DONE}
    assert players.view(experiment)["units_played"] == 7


def test_the_message_of_a_batch_that_came_late_after_all_is_taken_back(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    slow = players.lease(experiment)
    assert slow is not None
    players.now += 2 * players.terms.claim_within
    with players.database.write() as session:
        leases.expire(session, now=players.now, terms=players.terms)
    second = players.lease(experiment)
    assert second is not None
    players.deliver(slow)
    with players.database.write() as session:
        assert leases.withdraw(session, now=players.now) == [second.id]
    assert players.states(experiment) == ["done", "waiting", "waiting"]


def test_whose_result_it_was_is_kept_with_it(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=5)
    ours = players.lease(experiment)
    assert ours is not None
    with players.database.write() as session:
        theirs = leases.lend(
            session, experiment, holder="ada", now=players.now, terms=players.terms
        )
    assert theirs is not None
    players.deliver(ours)
    players.deliver(theirs)
    with players.database.read() as session:
        rows = session.scalars(select(BatchRow).order_by(BatchRow.number).limit(2)).all()
    assert [(row.provenance, row.verified) for row in rows] == [
        (Provenance.WORKER, Verification.TRUSTED),
        (Provenance.VOLUNTEER, Verification.UNVERIFIED),
    ]


def _without_a_game(result: dict[str, Any]) -> None:
    result["games"].pop()


def _with_a_game_twice(result: dict[str, Any]) -> None:
    result["games"][1] = result["games"][0]


def _with_a_unit_of_another_batch(result: dict[str, Any]) -> None:
    result["games"][0]["unit"] = 7


def _of_another_engine(result: dict[str, Any]) -> None:
    result["engine"] = "1"


def _with_a_third_arm(result: dict[str, Any]) -> None:
    result["games"][0]["arm"] = "c"


def _with_moves_that_are_none(result: dict[str, Any]) -> None:
    result["games"][0]["moves"] = "e4 e5 Nf3"


def _with_a_move_too_few(result: dict[str, Any]) -> None:
    result["games"][0]["moves"] = result["games"][0]["moves"].rpartition(" ")[0]


def _with_an_unheard_of_score(result: dict[str, Any]) -> None:
    result["games"][0]["result"] = "2-0"


def _longer_than_the_cap(result: dict[str, Any]) -> None:
    game = result["games"][0]
    game["moves"] = " ".join(["e2e4"] * 81)
    game["plies"] = 81


def _with_a_shorter_opening(result: dict[str, Any]) -> None:
    result["games"][0]["opening_plies"] = 2


def _with_a_win_at_the_cap(result: dict[str, Any]) -> None:
    result["games"][0]["reason"] = "ply cap"
    result["games"][0]["result"] = "1-0"


def _with_more_promotions_than_moves(result: dict[str, Any]) -> None:
    result["games"][0]["promotions"]["white"] = {"Q": 20_000}


def _with_an_end_of_its_own(result: dict[str, Any]) -> None:
    result["games"][0]["reason"] = "boredom"


def _with_more_to_say(result: dict[str, Any]) -> None:
    result["remark"] = "hello"


def _with_a_novel_about_its_openings(result: dict[str, Any]) -> None:
    result["openings"]["novel"] = "It was a dark and stormy night" * 1000


def _about_another_batch(result: dict[str, Any]) -> None:
    result["batch"] = 1


def _about_another_experiment(result: dict[str, Any]) -> None:
    result["experiment"] = "f" * 64


def _spoilt(result: dict[str, Any], **changes: Any) -> None:
    result["games"][0]["profile"].update(changes)


def _with_another_match(result: dict[str, Any]) -> None:
    result["games"][0]["match"] = "Q:RR"


def _with_a_match_that_is_none(result: dict[str, Any]) -> None:
    result["games"][0]["match"] = "<b>Q</b>"


def _without_a_profile(result: dict[str, Any]) -> None:
    del result["games"][0]["profile"]


def _with_more_forced_than_chosen(result: dict[str, Any]) -> None:
    _spoilt(result, forced=result["games"][0]["plies"])


def _with_fewer_offered_than_chosen(result: dict[str, Any]) -> None:
    _spoilt(result, offered=3)


def _with_more_castlings_than_plies(result: dict[str, Any]) -> None:
    _spoilt(result, castlings={"white": 300, "black": 0})


def _with_a_ply_beyond_the_last(result: dict[str, Any]) -> None:
    result["games"][0].update(result="1-0", reason="checkmate")
    _spoilt(result, decided_at=result["games"][0]["plies"] + 1)


def _won_and_never_decided(result: dict[str, Any]) -> None:
    result["games"][0].update(result="1-0", reason="checkmate")
    _spoilt(result, decided_at=None)


def _with_a_promotion_out_of_nowhere(result: dict[str, Any]) -> None:
    result["games"][0]["promotions"] = {"white": {}, "black": {}}
    _spoilt(result, first_promotion=7)


def _with_a_lead_that_changes_too_often(result: dict[str, Any]) -> None:
    _spoilt(result, lead_changes=result["games"][0]["plies"])


@pytest.mark.parametrize("moves", ["e4e5,e5f6", "e4e4 p16p15,p15o16q", "a1b2,b2c3,c3d4,d4e5,e5f6"])
def test_moves_that_capture_on_the_way_are_moves(moves: str) -> None:
    assert TypeAdapter(Moves).validate_python(moves) == moves


@pytest.mark.parametrize("moves", ["e4e5,", "e4e5,e5", ",e4e5", "e4,e5", "e4e5,e5f6,"])
def test_half_a_move_is_none(moves: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Moves).validate_python(moves)


def _with_a_crowd_of_survivors(result: dict[str, Any]) -> None:
    _spoilt(result, survivors={"white": {"Q": 257}, "black": {}})


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_without_a_game, "the result holds 13 games"),
        (_with_a_game_twice, "the first wrong one is unit 0 under arm a"),
        (_with_a_unit_of_another_batch, "batch 0 holds units 0 to 6"),
        (_of_another_engine, "engine '1' played it; this experiment needs"),
        (_with_a_third_arm, 'result:games.0.arm: found "c"; allowed: "a" or "b"'),
        (_with_moves_that_are_none, "allowed: moves such as e2e4"),
        (_with_a_move_too_few, "plies are said and"),
        (_with_an_unheard_of_score, 'found "2-0"; allowed:'),
        (_longer_than_the_cap, "81 plies; this experiment stops games at 80"),
        (_with_a_shorter_opening, "here openings have 4"),
        (_with_a_win_at_the_cap, "a game that ends at the ply cap is scored 1/2-1/2"),
        (_with_more_promotions_than_moves, "20000 promotions and 0 declined ones in"),
        (_with_an_end_of_its_own, 'games.0.reason: found "boredom"; allowed: "checkmate" or'),
        (_with_more_to_say, "result:remark: unknown key"),
        (_with_a_novel_about_its_openings, "result:openings.novel: unknown key"),
        (_with_another_match, "the match '' was asked for, not 'Q:RR'"),
        (_with_a_match_that_is_none, "allowed: the label of a match"),
        (_without_a_profile, "result:games.0.profile"),
        (_with_more_forced_than_chosen, "of them forced, in a game"),
        (_with_fewer_offered_than_chosen, "3 legal moves cannot be offered over"),
        (_with_more_castlings_than_plies, "300 castlings in"),
        (_with_a_ply_beyond_the_last, "names a ply beyond the last"),
        (_won_and_never_decided, "if and only if it was won"),
        (_with_a_promotion_out_of_nowhere, "the first promotion's ply is there if and only if"),
        (_with_a_lead_that_changes_too_often, "the lead cannot change"),
        (_with_a_crowd_of_survivors, "games.0.profile.survivors.white.Q"),
        (_about_another_batch, "was not given for batch 1"),
        (_about_another_experiment, "was not given for batch 0 of ffff"),
    ],
)
def test_what_was_not_asked_for_is_refused_in_one_line_and_nothing_is_stored(
    players: Players, spoil: Any, said: str
) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    result = players.play(lease)
    spoil(result)
    before = players.view(experiment)
    with pytest.raises((ResultError, DocumentError)) as refused:
        players.deliver(lease, result)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert players.view(experiment) == before
    assert count_games(players) == 0


def test_a_result_nobody_asked_for_is_refused(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    result = players.play(lease)
    forged = LeaseRow(id="0" * 32, experiment_id=experiment, batch=0)
    with pytest.raises(leases.UnknownLeaseError, match=r"no lease '0+'"):
        players.deliver(forged, result)


@pytest.mark.parametrize("seed", range(3))
def test_results_that_come_at_once_from_many_threads_count_once_each(
    players: Players, seed: int
) -> None:
    experiment = players.submit(odds_document())
    deliveries = [(lease, players.play(lease)) for lease in players.lease_all(experiment)] * 2
    random.Random(seed).shuffle(deliveries)
    with ThreadPoolExecutor(8) as threads:
        receipts = list(threads.map(lambda each: players.deliver(*each), deliveries))
    assert receipts.count(Receipt.RECORDED) == len(deliveries) // 2
    assert receipts.count(Receipt.DUPLICATE) == len(deliveries) // 2
    assert count_games(players) == 2 * 84
    _assert_as_undisturbed(players, experiment)


def _deliver_in_a_process(url: str, deliveries: list[tuple[str, dict[str, Any]]]) -> list[str]:
    players = Players(Database(url))
    return [players.deliver(LeaseRow(id=lease_id), result).value for lease_id, result in deliveries]


def test_results_that_come_at_once_from_many_processes_count_once_each(
    players: Players,
) -> None:
    experiment = players.submit(odds_document())
    deliveries = [(lease.id, players.play(lease)) for lease in players.lease_all(experiment)]
    url = players.database.engine.url.render_as_string(hide_password=False)
    with get_context("spawn").Pool(2) as pool:
        receipts = pool.starmap(_deliver_in_a_process, [(url, deliveries), (url, deliveries[::-1])])
    assert sorted(receipts[0] + receipts[1]) == ["duplicate"] * 12 + ["recorded"] * 12
    _assert_as_undisturbed(players, experiment)


def _assert_as_undisturbed(players: Players, experiment: str) -> None:
    outcome = players.outcome(experiment)
    assert outcome["verdict"]["at_unit"] == outcome["units_done"] == DECIDED_AT
    assert outcome["tallies"]["a"]["games"] == DECIDED_AT
    assert [point["units"] for point in outcome["history"]] == [16, 32, 48]
