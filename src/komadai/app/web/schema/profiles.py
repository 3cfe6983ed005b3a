"""Profiles: the games that a browser has seats in, kept by the server."""

from __future__ import annotations

from collections.abc import Sequence

from ....spec.board import Side
from .model import Wire


class NewProfile(Wire):
    """A profile just made: its ``key``, which is shown this once."""

    key: str


class ProfileGame(Wire):
    """A game of a profile: the sides that its bearer plays, and the ``token`` for them."""

    game: str
    variant: str
    you: Sequence[Side]
    token: str


class ProfileGames(Wire):
    """The games of a profile, the oldest first."""

    games: Sequence[ProfileGame]
