"""The events of a game for its clients. Moves are kept as JSON, which takes a third of the memory of objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from ..schema.events import GameEvent, MoveEvent
from ..schema.model import PlayedMove, fields_of


class EventLog:
    """The events of a game by number, from 1, and its move list."""

    def __init__(self) -> None:
        self._events: list[GameEvent | msgspec.Raw] = []
        self._moves: list[msgspec.Raw] = []

    def __len__(self) -> int:
        """The number of the last event, 0 if there is none."""
        return len(self._events)

    @property
    def moves(self) -> Sequence[PlayedMove]:
        """The move list; its items can be sent, not read (:func:`..schema.model.encoded`)."""
        return cast("Sequence[PlayedMove]", self._moves)

    def add(self, event: GameEvent) -> None:
        """Add an event that makes no move."""
        self._events.append(event)

    def add_move(self, move: PlayedMove) -> None:
        """Add a move to the events and to the move list."""
        raw = msgspec.Raw(msgspec.json.encode(move))
        self._events.append(raw)
        self._moves.append(raw)

    def keep_moves(self, count: int) -> None:
        """Shorten the move list after a takeback."""
        del self._moves[count:]

    def since(self, seq: int) -> list[GameEvent]:
        """The events after that number."""
        return [
            _move_event(number, event) if isinstance(event, msgspec.Raw) else event
            for number, event in enumerate(self._events[seq:], seq + 1)
        ]


def _move_event(seq: int, raw: msgspec.Raw) -> MoveEvent:
    return MoveEvent(seq=seq, **fields_of(msgspec.json.decode(raw, type=PlayedMove)))
