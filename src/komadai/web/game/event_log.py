"""What clients are told of a game's events and moves, kept as JSON: data of a thousand open games, hardly ever sent."""

from __future__ import annotations

from typing import Any

import msgspec


class EventLog:
    """The events of a game by number, from 1, and its move list."""

    def __init__(self) -> None:
        self._events: list[tuple[str, msgspec.Raw]] = []
        self.moves: list[msgspec.Raw] = []

    def __len__(self) -> int:
        """The number of the last event, 0 if there is none."""
        return len(self._events)

    def add(self, kind: str, told: dict[str, Any], *, move: bool = False) -> None:
        """What is told of the next event. That of a ``move`` is what the move list shows."""
        raw = msgspec.Raw(msgspec.json.encode(told))
        self._events.append((kind, raw))
        if move:
            self.moves.append(raw)

    def since(self, seq: int) -> list[dict[str, Any]]:
        """The events after that number."""
        return [
            {"seq": number, "kind": kind} | msgspec.json.decode(raw)
            for number, (kind, raw) in enumerate(self._events[seq:], seq + 1)
        ]
