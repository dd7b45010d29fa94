"""The names of the variants that are built into Fairy-Stockfish, which no file may give anew."""

BUILT_IN_NAMES = frozenset(
    """
    3check 5check ai-wok almost amazon amazons antichess armageddon asean ataxx atomar atomic
    berolina breakthrough bughouse cambodian capablanca capahouse caparandom centaur
    chancellor chaturanga checkshogi chess chessgi chigorin clobber clobber10 codrus coregal
    courier crazyhouse dobutsu dragon duck embassy euroshogi extinction fairy fischerandom
    flipello flipello10 flipersi fox-and-hounds gardner georgian giveaway gorogoro gothic
    grand grasshopper gustav3 hoppelpoppel horde isolation isolation7x7 janggi janggicasual
    janggimodern janggitraditional janus jesonmor joust judkins karouk kinglet kingofthehill
    knightmate koedem kyotoshogi legan loop losalamos losers makpong makruk manchu micro mini
    minishogi minixiangqi misere modern newzealand nightrider nocastle nocheckatomic normal
    okisakishogi omicron opulent paradigm pawnback pawnsideways perfect petrified placement
    pocketknight raazuvaa racingkings seirawan shako shatar shatranj shogi shoshogi shouse
    sittuyin snailtrail sortofalmost spartan suicide supply tencubed threekings torishogi
    torpedo troitzky wolf xiangqi yarishogi
    """.split()  # noqa: SIM905 - a table of words
)
