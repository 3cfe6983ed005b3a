"""Stored games as records."""

from __future__ import annotations

import time

from ....record import Record
from ....spec.board import SIDE_NAMES, SIDES
from ..schema.model import BOT_SEAT
from .seats import HUMAN, OPEN
from .state import GameState


def record_of(state: GameState) -> Record:
    """The record of a game as it stands, with the names of its players and its date."""
    seats, names = state.seats.occupants, state.seats.names
    computers = {side: f"Komadai, {seats[side].removeprefix(BOT_SEAT)}" for side in SIDES}
    players = [
        (SIDE_NAMES[side], names.get(side, "") if seats[side] in (HUMAN, OPEN) else computers[side]) for side in SIDES
    ]
    date = time.strftime("%Y.%m.%d", time.gmtime(state.row.created))
    return Record.of(state.game, [*players, ("Date", date)])
