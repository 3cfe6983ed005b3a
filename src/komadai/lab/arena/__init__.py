"""Matches between engines: players, openings, a referee that goes by our own rules, and what the results prove."""
