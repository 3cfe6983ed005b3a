"""Komadai in the terminal (extra ``tui``): every game, by keys and by mouse, alone or against the computer."""
