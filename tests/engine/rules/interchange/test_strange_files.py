"""Files from strangers: whatever they hold, one line says what is wrong, or they can be played."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tabia.engine import FenError, Position
from tabia.engine.documents import DocumentError
from tabia.engine.rules.interchange.fairy_stockfish.keys import EVERY_KEY
from tabia.engine.rules.interchange.importing import import_rules

VALUES = (
    st.sampled_from(
        ["true", "false", "-", "*", "*3", "a*", "e4 d4", "kq", "nbrq", "0", "3", "12", "l", "loss",
         "win", "draw", "none", "q:1 r:2", "p:g", "k:KN", "p:fmWfceFifmnD", "c:mRcpR", "a:gQ",
         "r:R4", "n:nN", "x:hlNfsK", "KQkq", "10", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
         "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1*k3/6/6/2*3/6/K5 w"]
    )
    | st.text(max_size=20)
    | st.text("kqrbnp0123456789/*[]-+ ", max_size=30)
    | st.text("abcpk:fblrvshmceinpgWFDNAHLCJZGKRBQ0123456789", max_size=20)
)  # fmt: skip
LINES = st.tuples(st.sampled_from(EVERY_KEY) | st.text(max_size=10), VALUES).map(" = ".join)
HEADS = st.sampled_from(["[a:chess]", "[a:grand]", "[a:shako]", "[a]\nking = k\npawn = p"])


@st.composite
def sections(draw: st.DrawFn) -> str:
    return "\n".join([draw(HEADS), *draw(st.lists(LINES, max_size=6))])


TOKENS = st.sampled_from(
    ["files=10", "ranks=10", "files=1", "ranks=17", "promoZone=3", "promoChoice=*N!P*Q2",
     "holdingsType=1", "symmetry=mirror", "symmetry=rotate", "royal=2", "maxPromote=3",
     "firstRank=0", "pawn::::a2-h2", "king:K:KisO2::e1,,e8", "king::::e1", "rook::::a1,h1",
     "knight:N:N:x:b1,g1,,b8,g8:4", "weird:W:FyafsF::c1", "hole::::d4,e5", "a:b:c:d:e:f",
     "<script>function f(){}", "lion:::::2", "morph=x", "<b>", "&lt;"]
) | st.text(max_size=15)  # fmt: skip


def handled(text: str) -> None:
    try:
        got = import_rules(text, "stranger.txt")
        position = Position(got.rule_set)
    except (DocumentError, FenError) as refused:
        line = str(refused)
        assert line.isprintable()
        assert len(line) < 3000
        return
    for _ in range(6):
        moves = position.legal_moves()
        if not moves:
            break
        position.push(moves[-1])


@settings(max_examples=400)
@given(sections())
def test_variants_ini(text: str) -> None:
    handled(text)


@settings(max_examples=400)
@given(st.lists(TOKENS, max_size=12).map(" ".join) | st.lists(TOKENS, max_size=12).map("\n".join))
def test_diagrams(text: str) -> None:
    handled(text)


@settings(max_examples=200)
@given(st.text(max_size=400) | st.text("[]=:\n#kq*-/ a1", max_size=200))
def test_any_text(text: str) -> None:
    handled(text)
