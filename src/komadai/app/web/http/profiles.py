"""The HTTP interface for profiles: a person's games on another device, by a secret key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import Response

from ....i18n import _
from ..engines.addresses import address
from ..engines.quota import Quota
from ..engines.rate_limits import RateLimits, Shares
from ..game.profiles import SEAT_BYTES, Profiles, UnknownProfileError
from ..metrics import Metrics
from ..schema.profiles import ProfileGame, ProfileGames, ProfileMemory
from ..schema.requests import MOST_SEALED, KeepMemory, OpenProfile, ProfileKey, ReadMemory
from .operations import operation
from .responses import ProblemError, admit, json_of, json_response, refusing, require_share

_GUESS = 4.0  # what a key that opens nothing counts for, beside the request itself
_MOST_ASKED = 16_384  # bytes of a request
_MOST_KEPT = 2 * MOST_SEALED  # bytes of one with a memory, in base64


class ProfilePages:
    """The HTTP interface for the profiles of a store."""

    def __init__(self, profiles: Profiles, quota: Quota, metrics: Metrics, limits: RateLimits) -> None:
        self._profiles, self._quota, self._metrics = profiles, quota, metrics
        self._asked = Shares(*limits.profiles)

    @contextmanager
    def _opening(self, request: Request) -> Iterator[None]:
        """Count a key that opens nothing, and refuse it."""
        with refusing(422):
            try:
                yield
            except UnknownProfileError as error:
                self._metrics.refused("profile")
                self._asked.of(address(request)).spend(_GUESS)
                raise ProblemError(404, str(error)) from None

    @operation("POST", "/api/profile", ProfileGames, takes=ProfileKey, status=201, refuses=(429, 503, 507))
    async def make(self, request: Request) -> Response:
        """Make a profile with an access key. It has no game yet."""
        admit(self._asked, request)
        asked = await json_of(request, ProfileKey, _("The profile could not be made"))
        require_share(self._quota, request)
        with refusing(422):
            await self._profiles.make(asked.key)
        self._quota.spend(address(request), SEAT_BYTES)
        return json_response(ProfileGames([]), 201)

    @operation("POST", "/api/profile/games", ProfileGames, takes=OpenProfile, refuses=(404, 429, 503, 507))
    async def open(self, request: Request) -> Response:
        """The games of a profile, after seats have been added to it. Tokens that belong to no seat are passed over."""
        admit(self._asked, request)
        asked = await json_of(request, OpenProfile, _("The profile could not be opened"), _MOST_ASKED)
        if asked.add:
            require_share(self._quota, request)
        with self._opening(request):
            added = await self._profiles.add(asked.key, [(seat.game, seat.token) for seat in asked.add])
            seats = await self._profiles.seats(asked.key)
        self._quota.spend(address(request), added * SEAT_BYTES)
        return json_response(ProfileGames([ProfileGame(*seat) for seat in seats]))

    @operation("POST", "/api/profile/memory", ProfileMemory, takes=ReadMemory, refuses=(404, 429, 503, 507))
    async def memory(self, request: Request) -> Response:
        """What the browser keeps under a profile, encrypted; without the bytes if they are known."""
        admit(self._asked, request)
        asked = await json_of(request, ReadMemory, _("The profile could not be opened"))
        with self._opening(request):
            found = await self._profiles.memory(asked.key)
        known = found.number == asked.known
        return json_response(ProfileMemory(found.number, None if known or not found.text else found.text))

    @operation("PUT", "/api/profile/memory", ProfileMemory, takes=KeepMemory, refuses=(404, 413, 429, 503, 507))
    async def keep(self, request: Request) -> Response:
        """Keep what the browser has encrypted. If another one has written meanwhile, nothing changes, and the answer
        has its bytes: they are to be merged, and sent again."""
        admit(self._asked, request)
        asked = await json_of(request, KeepMemory, _("The profile could not be kept"), _MOST_KEPT)
        with self._opening(request):
            before = await self._profiles.memory(asked.key)
            if before.number == asked.after:
                more = len(asked.sealed) - len(before.text)
                if more > 0:
                    require_share(self._quota, request)
                if await self._profiles.keep_memory(asked.key, asked.after, asked.sealed):
                    self._quota.spend(address(request), max(more, 0))
                    return json_response(ProfileMemory(asked.after + 1, None))
            found = await self._profiles.memory(asked.key)
        return json_response(ProfileMemory(found.number, found.text))

    @operation("POST", "/api/profile/delete", ProfileGames, takes=ProfileKey, refuses=(404, 429, 503, 507))
    async def delete(self, request: Request) -> Response:
        """Delete a profile. Its key and the tokens that it gave are worth nothing from then on."""
        admit(self._asked, request)
        asked = await json_of(request, ProfileKey, _("The profile could not be deleted"))
        with self._opening(request):
            await self._profiles.delete(asked.key)
        return json_response(ProfileGames([]))
