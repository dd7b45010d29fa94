"""H. G. Muller's Interactive Diagrams, as the Chess Variant Pages have them."""
