"""Profiles: the games that a browser has seats in, and what it keeps encrypted, kept by the server."""

from __future__ import annotations

from collections.abc import Sequence

from ....spec.board import Side
from .model import Wire


class ProfileGame(Wire):
    """A game of a profile: the sides that its bearer plays, and the ``token`` for them."""

    game: str
    variant: str
    you: Sequence[Side]
    token: str


class ProfileGames(Wire):
    """The games of a profile, the oldest first."""

    games: Sequence[ProfileGame]


class ProfileMemory(Wire):
    """What a browser keeps under a profile, encrypted by it: how often it was written, and the bytes in base64;
    ``null``: the browser has them."""

    number: int
    sealed: str | None
