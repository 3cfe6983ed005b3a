"""Positions, games and matches: the objects that play by the rules."""

from . import time_control as time_control
