"""Stored games: their state, players, clocks and clients."""
