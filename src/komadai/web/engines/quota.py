"""The bytes that each address may store in a day: new games and records are refused first, moves last."""

from __future__ import annotations

from .rate_limits import Buckets, Rate, is_loopback

GAME_BYTES = 1_000
"""Bytes of a game without its position, at most about."""
EVENT_BYTES = 600
"""Bytes of the event of a command with its place in the indices, and of the computer's answer, at most about."""


class Quota:
    """A bucket of bytes for each address but those of this machine. Half of it is kept for games under way."""

    def __init__(self, rate: Rate) -> None:
        self._buckets, self._kept = Buckets(*rate), rate[1] / 2

    def may_begin(self, address: str) -> bool:
        """True if the address may store a new game or record."""
        return is_loopback(address) or self._buckets.of(address).left > self._kept

    def may_go_on(self, address: str) -> bool:
        """True if the address may go on with its games."""
        return is_loopback(address) or self._buckets.of(address).left > 0

    def spend(self, address: str, size: int) -> None:
        """Count bytes stored for the address."""
        self._buckets.of(address).spend(size)
