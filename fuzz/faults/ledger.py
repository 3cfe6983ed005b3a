"""What people were answered while something failed, and how that compares with what the store has in the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import msgspec

from komadai.app.web.game.replay import read
from komadai.app.web.game.state import GameState
from komadai.app.web.store import Store


@dataclass
class Ledger:
    """The answers of a server.

    Attributes:
        acknowledged: by the id of the command: the game, and the number of the event that did it.
        refused: the reasons, by the id. ``doubted``: the ids that were answered by ``doubt``, at least once.
        shown: the events of games by their numbers, as people have seen them.
        seats: the last token that a person was given for a game.
        followed: the next game, as answered for a game of a match.
        sent: commands, each counted once. ``lines``: connections that were lost.
        faults: what is wrong, each beginning with ``lost``, ``duplicated`` or ``false``, or a word of the script's own.
    """

    acknowledged: dict[str, tuple[str, int]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    doubted: set[str] = field(default_factory=set)
    shown: dict[str, dict[int, Any]] = field(default_factory=dict)
    seats: dict[tuple[str, str], str] = field(default_factory=dict)
    followed: dict[str, str] = field(default_factory=dict)
    sent: int = 0
    lines: int = 0
    faults: list[str] = field(default_factory=list)

    def show(self, game: str, event: dict[str, Any]) -> None:
        """Somebody has seen this event."""
        known = self.shown.setdefault(game, {}).setdefault(event["seq"], event)
        if known != event:
            self.faults.append(f"false: event {event['seq']} of {game} is {event} for one, {known} for another")

    def follow(self, game: str, following: str) -> None:
        """Somebody was answered that this is the game after ``game``."""
        if self.followed.setdefault(game, following) != following:
            self.faults.append(f"duplicated: {following} and {self.followed[game]} follow {game}")

    def compare(self, store: Store) -> None:
        """Add what is wrong, now that everything is over, to the faults."""
        done: Counter[str] = Counter()
        acknowledged: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for id, (game, seq) in self.acknowledged.items():
            acknowledged[game].append((id, seq))
        for game, shown in self.shown.items():
            stored = read(store, game)
            if stored is None:
                self.faults.append(f"lost: game {game}")
                continue
            ids = [(event.command or "").rpartition(" ")[2] for event in stored.events]
            done.update(id for id in ids if id)
            if [event.seq for event in stored.events] != list(range(1, len(ids) + 1)):
                self.faults.append(f"false: game {game} has the events {[event.seq for event in stored.events]}")
            state = GameState(stored)
            kept = {event["seq"]: event for event in msgspec.json.decode(msgspec.json.encode(state.log.since(0)))}
            for seq, event in shown.items():
                if kept.get(seq) != event:
                    self.faults.append(f"lost: event {seq} of {game}, shown as {event}, is {kept.get(seq)}")
            for id, seq in acknowledged[game]:
                if seq > len(ids) or ids[seq - 1] != id:
                    self.faults.append(f"lost: {id}, acknowledged as event {seq} of {game}")
            if game in self.followed and stored.following != self.followed[game]:
                self.faults.append(f"lost: {self.followed[game]}, which follows {game}")
            for (where, person), token in self.seats.items():
                if where == game and not state.seats.sides(token):
                    self.faults.append(f"lost: the seat of {person} in {game}")
        self.faults += [f"duplicated: {id} was done {count} times" for id, count in done.items() if count > 1]
        self.faults += [f"false: {id} was done, and refused: {self.refused[id]}" for id in done if id in self.refused]

    def counts(self) -> str:
        """The numbers in a line."""
        kinds = Counter(fault.partition(":")[0] for fault in self.faults)
        named = ", ".join(f"{kind} {kinds.pop(kind, 0)}" for kind in ("lost", "duplicated", "false"))
        others = "".join(f", {kind} {count}" for kind, count in kinds.items())
        return (
            f"{self.sent} commands: {len(self.acknowledged)} acknowledged, {len(self.refused)} refused, "
            f"{len(self.doubted)} in doubt for a while; {self.lines} lines lost; {named}{others}"
        )
