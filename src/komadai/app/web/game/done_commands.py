"""The commands that have been done in a game, so that a repeated one is acknowledged and not done again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Set
from typing import NamedTuple

import msgspec

from ....i18n import _
from ....spec.board import Side
from ..schema.commands import Command
from ..store import Event
from .replay import RefusedError


class CommandKey(NamedTuple):
    """A command of a person. Its string is stored with the event that the command causes.

    Attributes:
        person: the sides they play. ``id``: chosen by their client. ``content``: a digest of the command.
    """

    person: str
    content: str
    id: str

    @classmethod
    def of(cls, command: Command, sides: Set[Side]) -> CommandKey:
        """The key of a command of the person who plays these sides."""
        content = hashlib.sha256(msgspec.json.encode(command)).hexdigest()[:16]
        return cls("".join(sorted(sides)), content, command.id)

    def __str__(self) -> str:
        return " ".join(self)


class DoneCommands:
    """The commands done in one game, by person and id: people do not know one another's ids."""

    def __init__(self) -> None:
        self._done: dict[tuple[str, str], tuple[str, int]] = {}

    @classmethod
    def of(cls, events: Iterable[Event]) -> DoneCommands:
        """Those of a game with these events."""
        done = cls()
        for event in events:
            if event.command is not None:
                done.add(event.command, event.seq)
        return done

    def add(self, stored: str, seq: int) -> None:
        """Add the stored key of the command that caused event ``seq``; what is no key is passed over."""
        if stored.count(" ") == 2:
            person, content, command = stored.split(" ")
            self._done[person, command] = (content, seq)

    def seq(self, key: CommandKey) -> int | None:
        """The number of the event that the command has caused; ``None`` if it has not been done.

        Raises:
            RefusedError: the person has given another command that id.
        """
        content, seq = self._done.get((key.person, key.id), (key.content, None))
        if content != key.content:
            raise RefusedError(_("Another command had the id {id}: each needs an id of its own.", id=repr(key.id)))
        return seq
