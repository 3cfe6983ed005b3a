"""Stored games: their state, players, clocks and connections."""
