"""Legal moves against Fairy-Stockfish's, in random games of every variant that both play."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from peer import Comparison, compare, has

from tabia.engine import RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.resolve import catalog_ids

TEST_GAMES = Path(__file__).parents[1] / "data" / "games"

# Ours -> what Fairy-Stockfish calls the same game, where it has it built in.
BUILT_IN = {
    "berolina": "berolina",
    "capablanca": "capablanca",
    "chess": "chess",
    "chess-no-castling": "nocastle",
    "chess-pawn-back": "pawnback",
    "chess-pawn-sideways": "pawnsideways",
    "chess-torpedo": "torpedo",
    "coregal": "coregal",
    "courier": "courier",
    "embassy": "embassy",
    "gothic": "gothic",
    "grand": "grand",
    "janus": "janus",
    "opulent-2005": "opulent",
    "shako": "shako",
    "shatranj": "shatranj",
    "spartan": "spartan",
    "tencubed": "tencubed",
    "almost": "almost",
    "amazon": "amazon",
    "centaur": "centaur",
    "chancellor": "chancellor",
    "chigorin": "chigorin",
    "grasshopper": "grasshopper",
    "gustav3": "gustav3",
    "knightmate": "knightmate",
    "losalamos": "losalamos",
    "nightrider": "nightrider",
    "omicron": "omicron",
}

# Whose legal moves are found another way, by trying every one.
SEVERAL_KINGS = {"coregal", "spartan"}

# What Fairy-Stockfish has no rule for, as our export refuses it.
LACKING = {
    "chess-12": "12 ranks",
    "chess-no-castling-10": "castling from a later move on only",
    "chess-self-capture": "captures of own men",
    "cylindrical": "files that wrap round",
    "falcon": "lame leaps by another path",
    "gigachess": "14 files",
    "great": "citadels",
    "great-hawk-alibaba": "citadels",
    "great-hawk-champion": "citadels",
    "great-hawk-musketeer": "citadels",
    "great-hawk-pasha": "citadels",
    "great-wolf-kingside": "citadels",
    "gross": "12 ranks",
    "gross-bison": "12 ranks",
    "gross-castling-onto-rook": "12 ranks",
    "gross-general-pasha": "12 ranks",
    "gross-korean": "12 ranks",
    "gross-mastodon-falcon": "12 ranks",
    "gross-templar": "12 ranks",
    "lions": "captures on the way",
    "locusts": "captures on the way",
    "omega": "12 ranks",
}

ALL: dict[str, str | Path] = {
    **{catalog_id: catalog_id for catalog_id in catalog_ids()},
    **{path.stem: path for path in sorted(TEST_GAMES.glob("*.toml"))},
}
PLAYED_BY_BOTH = [variant for variant in ALL if variant not in LACKING]


@pytest.mark.parametrize("variant", sorted(LACKING))
def test_a_variant_is_left_out_for_a_rule_that_the_peer_lacks(variant: str) -> None:
    with pytest.raises(DocumentError, match=LACKING[variant]):
        write_section(RuleSet.load(ALL[variant]))


@pytest.mark.parametrize("variant", PLAYED_BY_BOTH)
def test_random_games_have_the_same_moves(variant: str) -> None:
    games = 10 if variant in SEVERAL_KINGS else 3
    found = compare(ALL[variant], BUILT_IN.get(variant), range(games), plies=90, every=3)
    assert found.differences == []
    assert found.positions > 3


@pytest.fixture
def processes() -> Iterator[ProcessPoolExecutor]:
    # New ones for every variant: a process that dies fails one test and not all that follow.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.nightly
@pytest.mark.parametrize("variant", PLAYED_BY_BOTH)
def test_200_random_games_have_the_same_moves(variant: str, processes: ProcessPoolExecutor) -> None:
    """Twenty games ply by ply; the others at every fourth, not the same ones in every game, and at
    their last ten: the peer takes some 2.5 ms a position."""
    played = partial(compare, ALL[variant], BUILT_IN.get(variant), plies=100)
    parts = [processes.submit(played, range(n, n + 10)) for n in (0, 10)]
    parts += [
        processes.submit(played, range(n, n + 30), every=4, last=10) for n in range(20, 200, 30)
    ]
    found = Comparison()
    for part in parts:
        found += part.result()
    print(f"{variant}: {found}")
    assert found.differences == []
    assert found.games == 200
    met = {kind: getattr(found, kind) > 0 for kind in has(ALL[variant])}
    assert met == has(ALL[variant]), "the games met too little, or what the variant does not have"
