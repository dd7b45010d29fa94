"""Rule files of other programs: read into our rule language, written from it.

Fairy-Stockfish's variants.ini goes both ways, Interactive Diagrams come in. What a file asks for is
played, or refused by the name it has there; what is no rule is left out and said to be.
"""
