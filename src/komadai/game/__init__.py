"""Positions, games and matches: the objects that play by the rules."""
