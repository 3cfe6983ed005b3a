"""The bytes that each address may store in a day: new games and records are refused first, moves last."""

from __future__ import annotations

from .addresses import Address
from .rate_limits import Rate, Shares

GAME_BYTES = 1_000
"""Bytes of a game without its position, at most about."""
EVENT_BYTES = 600
"""Bytes of the event of a command with its place in the indices, and of the computer's answer, at most about."""


_KEPT = 0.5  # part of a share that is for games under way


class Quota:
    """A share of bytes for each address but those of this machine."""

    def __init__(self, rate: Rate) -> None:
        self._shares = Shares(*rate)

    def may_begin(self, address: Address) -> bool:
        """True if the address may store a new game or record."""
        return address.local or self._shares.of(address).part > _KEPT

    def may_go_on(self, address: Address) -> bool:
        """True if the address may go on with its games."""
        return address.local or self._shares.of(address).left > 0

    def spend(self, address: Address, size: int) -> None:
        """Count bytes stored for the address."""
        self._shares.of(address).spend(size)
