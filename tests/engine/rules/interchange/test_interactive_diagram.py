"""Interactive Diagrams as they stand on pages."""

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet, betza
from tabia.engine.rules.interchange.importing import Imported, import_rules

GRAND = (
    "Interactive Diagram: You can also play against a very basic AI: see http://host/?a=b\n\n"
    "files=10 ranks=10 promoZone=3 promoChoice=*N*B*R*Q*M*C!P holdingsType=1 squareSize=50 "
    "pawn:P:ifmnDfmWfceF:pawn:a3,b3,c3,d3,e3,f3,g3,h3,i3,j3,,a8,b8,c8,d8,e8,f8,g8,h8,i8,j8 "
    "knight:N:N:knight:b2,i2,,b9,i9 bishop:B:B:bishop:c2,h2,,c9,h9 rook:R:R:rook:a1,j1,,a10,j10 "
    "queen:Q:Q:queen:d2,,d9 marshall:M:RN:chancellor:f2,,f9 cardinal:C:BN:cardinal:g2,,g9 "
    "king:K:K:king:e2,,e9\n\nEquipment\n\nVery nice wooden sets can be had.\n"
)
GROSS = """<div class="idiagram"><!--
files=12
ranks=12
symmetry=mirror
promoZone=3
maxPromote=1
holdingsType=1
promoChoice=!P*N*B*R2*S2*W*C2*V*A1*M1*Q1
pawn:P:fceFifmnDifmnHfmW:pawn:a3-l3
knight:N:::d2,i2:4
bishop:B:::e2,h2:4
rook:R:::b2,k2:4
champion:S:::c2,j2
wizard:W:::d1,i1
cannon:C:::e1,h1
vao:V:::c1,j1
archbishop:A:::b1,k1
marshall:M:::a1,l1
queen:Q:::f2:2
king:K:KisO4isO3isO2::g2
--></div>
<script type="text/javascript">
function WeirdPromotion(x1, y1) { return 5; }
</script>
"""
GIGACHESS = """
files=14 ranks=14 symmetry=mirror royal=3 maxPromote=2 promoChoice=A
pawn:P:fmWfmnDfceF::a3-d3,k3-n3,e4-j4
corporal:O:fmWfmnDfFfceF::e3-j3
king:K:K::h2
queen:Q:::g2
amazon:A:::h1
marshall:M:::i1
cardinal:C:::j1
gryphon:H:FyafsF::g1
lion:L:KNAD::f1
buffalo:F:NCZ::e1
ship:X:FfryaflFflyafrFbryafrFblyaflF::d1,k1
camel:J:C::c1,l1
cannon:Z:::b1,m1
crossbow:W:mBcpB::a1,n1
prince:I:K::f2,i2
bishop:B:::e2,j2
knight:N:::d2,k2
rook:R:::c2,l2
elephant:E:FA::b2,m2
machine:D:WD::a2,n2
"""


def imported(text: str) -> Imported:
    return import_rules(text, "page.txt")


@pytest.mark.parametrize(
    ("text", "name"), [(GRAND, "grand"), (GROSS, "gross"), (GIGACHESS, "gigachess")]
)
def test_diagrams_are_the_catalogs_rules(text: str, name: str) -> None:
    got = imported(text)
    assert got.rule_set.id == RuleSet.load(name).id, got.rule_set.diff(RuleSet.load(name))
    assert f'extends = "{name}"' in got.text
    assert RuleSet.from_toml(got.text).id == got.rule_set.id


def test_what_is_lost_is_said() -> None:
    remarks = imported(GROSS).remarks
    assert any("WeirdPromotion" in each and "lost" in each for each in remarks)
    # The string lets the king castle onto the nearer rook's own square; the rules do not.
    assert any("O with 4 squares" in each for each in remarks)


SMALL = "files=5 ranks=5 symmetry={symmetry} pawn::::a2-e2 rook::::a1 queen::::b1 king::::{king}"


def test_symmetry_and_moves_by_name() -> None:
    mirrored = imported(SMALL.format(symmetry="mirror", king="c1")).rule_set
    assert mirrored.rules.rows[5] == ["r", "q", "k", "", ""]
    turned = imported(SMALL.format(symmetry="rotate", king="c1")).rule_set
    assert turned.rules.rows[5] == ["", "", "k", "q", "r"]
    assert mirrored.rules.sides["white"].pieces["Q"].moves == "Q"


def test_a_lion_is_read() -> None:
    lion = SMALL.format(symmetry="mirror", king="c1").replace("rook:::", "lion:L:KNADcaKmcabK:")
    pieces = imported(lion).rule_set.rules.sides["white"].pieces
    assert betza.parse(pieces["L"].moves) == betza.parse(betza.canonical("KNADcaKmcabK"))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("no diagram at all", ""),
        (SMALL.format(symmetry="mirror", king="z9"), "king"),
        (SMALL.format(symmetry="sideways", king="c1"), "symmetry"),
        (SMALL.format(symmetry="none", king="c1"), "royal"),
        (SMALL.format(symmetry="mirror", king="a1"), "king"),
        (SMALL.format(symmetry="mirror", king="c1") + " lion::::d1 king2:K:K::e1", "lion"),
        (SMALL.format(symmetry="mirror", king="c1") + " shuffle=QR", None),
        ("shuffle=QR " + SMALL.format(symmetry="mirror", king="c1"), "shuffle"),
        ("promoChoice=*Q " + SMALL.format(symmetry="mirror", king="c1"), "promoChoice"),
        ("promoChoice=J " + SMALL.format(symmetry="mirror", king="c1"), "promoChoice"),
        ("holdingsType=7 promoChoice=*Q " + SMALL.format(symmetry="mirror", king="c1"),
         "holdingsType"),
        ("promoZone=9 " + SMALL.format(symmetry="mirror", king="c1"), "promoZone"),
        (SMALL.format(symmetry="mirror", king="c1").replace("rook:::", "rook::uR:"), "rook"),
        (SMALL.format(symmetry="mirror", king="c1").replace("rook", "weird=1 rook"), "weird"),
    ],
)  # fmt: skip
def test_refused_by_name(text: str, key: str | None) -> None:
    if key is None:
        key = "shuffle"
    with pytest.raises(DocumentError) as refused:
        imported(text)
    assert refused.value.key == key


COREGAL = """
files=8 ranks=8 symmetry=mirror promoChoice=QRBN
pawn:P:fmWfceFifmnD::a2-h2
knight:N:N::b1,g1
bishop:B:B::c1,f1
rook:R:R::a1,h1
queen:Q:Q::d1
king:K:KisO2::e1
royal=5
royal=6
"""


def test_every_royal_line_names_a_royal_piece() -> None:
    got = import_rules(COREGAL, "page.txt", None)
    assert got.rule_set.id == RuleSet.load("coregal").id
    assert sum("several royal men" in remark for remark in got.remarks) == 2
    commas = COREGAL.replace("royal=5\nroyal=6", "royal=5,6")
    assert import_rules(commas, "page.txt", None).rule_set.id == got.rule_set.id


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("royal=6", "royal=7", 'royal: found "5,7"; allowed: 1 to 6'),
        ("queen:Q:Q:", "queen:Q:QisO2:", "royal: castling of Q and of K; allowed: of one"),
        ("::e1", "::e1,d3", "royal: castling with 2 K of White"),
    ],
)
def test_royal_pieces_that_cannot_be(old: str, new: str, says: str) -> None:
    with pytest.raises(DocumentError) as refused:
        import_rules(COREGAL.replace(old, new), "page.txt", None)
    assert says in str(refused.value)
