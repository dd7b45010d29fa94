"""Weights from self-play: fast games of the engine against itself, and a fit to how they ended."""
