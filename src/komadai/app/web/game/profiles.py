"""Profiles: the seats of one person, whatever browser they play in, under a secret key.

The browser makes the key and shows the server no more than an access key derived from it, 26 letters; another key
derived from it encrypts what the browser keeps here. A key of the former form is an access key itself. The store has
digests only. The bearer of the key has a token of their own for each seat, made from the access key and the game's id,
so that it need not be kept; it ends with the profile, while the seat's first token stays valid.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from base64 import b32decode, b32encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ....i18n import _
from ....spec.board import SIDES, Side
from ..store import USED_TO, DamagedError, Profile, ProfileSeat, Sealed, Store
from .replay import RefusedError, UnreadableError, readable, require_payload
from .seats import GRANTED, Seats, digest, is_granted
from .store_calls import ask_store

MOST_SEATS = 500
"""The seats of a profile; those in the oldest games leave it first."""
SEAT_BYTES = 400
"""Bytes of a seat of a profile in the store, at most about."""

_LETTERS = 26  # of an access key, 5 bits each
_OWN_LETTERS = 28  # of a key from which the browser derives it
_LOOK_ALIKE = str.maketrans("018", "OIB")  # which the letters and digits of keys do not have


class TakenSeat(NamedTuple):
    """A seat of a profile, with the token for it."""

    game: str
    variant: str
    you: list[Side]
    token: str


class UnknownProfileError(RefusedError):
    """A key that opens no profile."""

    def __init__(self) -> None:
        super().__init__(_("No profile has this key. It may have been deleted, or replaced by a new one."))


def _letters(text: str) -> str:
    """The letters of a key as it is written: in groups, small, with look-alikes."""
    return "".join(filter(str.isalnum, text)).upper().translate(_LOOK_ALIKE)


class _Key:
    """An access key."""

    def __init__(self, text: str) -> None:
        """Raises:
        RefusedError: it is none.
        """
        letters = _letters(text)
        try:
            if len(letters) != _LETTERS:
                raise ValueError
            self._secret = b32decode(letters + "=" * (-_LETTERS % 8))
        except ValueError:
            words = _(
                "This is no profile key: {count} letters and digits are expected, or {former}.",
                count=_OWN_LETTERS,
                former=_LETTERS,
            )
            raise RefusedError(words) from None

    @property
    def profile(self) -> str:
        """The id of its profile."""
        return hashlib.sha256(b"profile " + self._secret).hexdigest()

    def token(self, game: str) -> str:
        """The profile's token for a game."""
        made = hmac.new(self._secret, b"seat " + game.encode(), hashlib.sha256).digest()[:24]
        return GRANTED + urlsafe_b64encode(made).decode()


def access_of(key: str) -> str:
    """The access key that the browser shows of a key, by HKDF with SHA-256; one of the former form is one itself."""
    letters = _letters(key)
    if len(letters) != _OWN_LETTERS:
        return letters
    extracted = hmac.new(bytes(32), letters.encode(), hashlib.sha256).digest()
    derived = hmac.new(extracted, b"komadai profile access\1", hashlib.sha256).digest()[:16]
    return b32encode(derived).decode().rstrip("=")


def profile_of(key: str) -> str:
    """The id of the profile that a key opens, as its bearer has it.

    Raises:
        RefusedError: it is no key.
    """
    return _Key(access_of(key)).profile


async def granted(store: Store, token: str | None) -> str | None:
    """The key of the seat for which a profile has that token; ``None`` for any other token.

    Raises:
        RefusedError: the store fails.
    """
    return await ask_store(store.granted, digest(token)) if token is not None and is_granted(token) else None


class Profiles:
    """The profiles of a store."""

    def __init__(self, store: Store, renew: Callable[[Iterable[str]], None]) -> None:
        """``renew``: lets the sessions of games ask the store again."""
        self._store, self._renew = store, renew

    async def make(self, key: str) -> None:
        """Make a profile with an access key.

        Raises:
            RefusedError: it is none, or the store fails.
        """
        await ask_store(self._store.make_profile, _Key(key).profile)

    async def seats(self, key: str) -> list[TakenSeat]:
        """The seats of a profile, the oldest game first.

        Raises:
            UnknownProfileError: no profile has that key.
            RefusedError: it is no key, or the store fails.
        """
        read, found = await self._open(key)
        return [
            TakenSeat(seat.game, seat.variant, [side for side in SIDES if side in seat.sides], read.token(seat.game))
            for seat in found.seats
        ]

    async def add(self, key: str, tokens: Sequence[tuple[str, str]]) -> int:
        """Add the seats of these tokens, each with the id of its game; the number of those that belong to a seat.

        Raises:
            ConflictError: the profile or a game is deleted meanwhile.
            RefusedError: as from :meth:`seats`.
        """
        read, found = await self._open(key)
        seats = []
        for game, token in tokens:
            own = await granted(self._store, token) or digest(token)
            seat = await ask_store(_seat, self._store, game, own, digest(read.token(game)))
            seats += [] if seat is None else [seat]
        if seats or found.used < time.time() - USED_TO:
            await ask_store(self._store.add_seats, read.profile, seats, MOST_SEATS)
        return len(seats)

    async def memory(self, key: str) -> Sealed:
        """What the browser keeps under a profile.

        Raises:
            RefusedError: as from :meth:`seats`.
        """
        found = await ask_store(self._store.memory, _Key(key).profile)
        if found is None:
            raise UnknownProfileError
        return found

    async def keep_memory(self, key: str, after: int, text: str) -> bool:
        """Replace what the browser keeps; false if it has another number than ``after``.

        Raises:
            RefusedError: as from :meth:`seats`.
        """
        return await ask_store(self._store.keep_memory, _Key(key).profile, after, text)

    async def delete(self, key: str) -> None:
        """Delete a profile: its key and tokens are worth nothing any more.

        Raises:
            RefusedError: as from :meth:`seats`.
        """
        read, found = await self._open(key)
        await ask_store(self._store.delete_profile, read.profile)
        self._renew(seat.game for seat in found.seats)

    async def _open(self, key: str) -> tuple[_Key, Profile]:
        read = _Key(key)
        found = await ask_store(self._store.profile, read.profile)
        if found is None:
            raise UnknownProfileError
        return read, found


def _seat(store: Store, game: str, key: str, token: str) -> ProfileSeat | None:
    """The seat in a game that its key opens, for a profile's token with that digest. A damaged game has none. Blocks on
    the store."""
    try:
        loaded = store.load(game)
        if loaded is None:
            return None
        row, events = loaded
        with readable():
            seats = Seats(row)
            for event in events:
                require_payload(event)
                seats.apply(event)
    except (DamagedError, UnreadableError):
        return None
    sides = "".join(sorted(seats.sides_of(key)))
    return ProfileSeat(game, row.variant, sides, key, token) if sides else None
