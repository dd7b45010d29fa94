"""The parameters of Interactive Diagrams: rules that are read, rules that are refused, looks."""

PLAYED = {"files", "ranks", "promoZone", "maxPromote", "promoChoice", "holdingsType", "symmetry",
          "royal", "firstRank"}  # fmt: skip

REFUSED = {
    "promoOffset": "promotion of each piece to another one, as in shogi",
    "shuffle": "an array that is shuffled",
    "morph": "promotions that depend on the square",
    "captureMatrix": "captures that depend on who takes whom",
    "baring": "a rule about bare kings whose meaning is not documented",
    "stalemate": "a rule about stalemate whose meaning is not documented",
    "protected": "pieces that cannot be captured",
    "iron": "pieces that cannot be captured",
    "lionTrade": "restrictions on trading lions",
    "zoneBoard": "zones that pieces are confined to",
    "confine": "zones that pieces are confined to",
    "counterStrike": "a special rule",
}
"""Rules that we do not read, and what they ask for."""

LOOKS = {"satellite", "startShade", "squareSize", "graphicsDir", "graphicsType", "whitePrefix",
         "blackPrefix", "lightShade", "darkShade", "rimColor", "coordColor", "holeColor", "theme",
         "borders", "useMarkers", "newClick", "trackPieces", "enableAI", "tabs"}  # fmt: skip
"""How the diagram looks and behaves; no rules."""

EVERY_KEY = PLAYED | set(REFUSED) | LOOKS
