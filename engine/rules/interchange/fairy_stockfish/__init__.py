"""Fairy-Stockfish's variants.ini. Keys and their meaning are those of its parser of 2026."""
