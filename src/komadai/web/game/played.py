"""Stored games as records."""

from __future__ import annotations

import time

from ...record import Record
from ...spec.board import SIDE_NAMES, SIDES
from .seats import HUMAN, OPEN
from .state import GameState


def record_of(state: GameState) -> Record:
    """The record of a game as it stands, with the names of its players and its date."""
    seats, names = state.seats.occupants, state.seats.names
    players = [
        (SIDE_NAMES[side], names.get(side, "") if seats[side] in (HUMAN, OPEN) else f"Komadai, {seats[side]}")
        for side in SIDES
    ]
    date = time.strftime("%Y.%m.%d", time.gmtime(state.row.created))
    return Record.of(state.game, [*players, ("Date", date)])
