"""The HTTP interface for profiles: a person's games on another device, by a secret key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import Response

from ....i18n import _
from ..engines.addresses import address
from ..engines.quota import Quota
from ..engines.rate_limits import USUAL, RateLimits, Shares
from ..game.profiles import SEAT_BYTES, Profiles, UnknownProfileError
from ..metrics import Metrics
from ..schema.profiles import NewProfile, ProfileGame, ProfileGames
from ..schema.requests import CloseProfile, OpenProfile
from .operations import Operation
from .responses import ProblemError, json_of, json_response, refusing, require_share, too_many_questions

_GUESS = 4.0  # what a key that opens nothing counts for, beside the request itself
_MOST_ASKED = 16_384  # bytes of a request


class ProfilePages:
    """The HTTP interface for the profiles of a store, which are set before the first request."""

    profiles: Profiles

    def __init__(self, quota: Quota, metrics: Metrics, limits: RateLimits = USUAL) -> None:
        self._quota, self._metrics, self._asked = quota, metrics, Shares(*limits.profiles)

    def operations(self) -> list[Operation]:
        """The operations of this interface."""
        opened, closed, refuses = OpenProfile, CloseProfile, (404, 429, 503, 507)
        return [
            Operation("POST", "/api/profile", self.make, NewProfile, status=201, refuses=(429, 503, 507)),
            Operation("POST", "/api/profile/games", self.open, ProfileGames, takes=opened, refuses=refuses),
            Operation("POST", "/api/profile/delete", self.delete, ProfileGames, takes=closed, refuses=refuses),
        ]

    def _admit(self, request: Request) -> None:
        if not self._asked.of(address(request)).take():
            raise too_many_questions()

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

    async def make(self, request: Request) -> Response:
        """Make a profile. Its key is in the answer and nowhere else."""
        self._admit(request)
        require_share(self._quota, request)
        with refusing(422):
            key = await self.profiles.make()
        self._quota.spend(address(request), SEAT_BYTES)
        return json_response(NewProfile(key), 201)

    async def open(self, request: Request) -> Response:
        """The games of a profile, after seats have been added to it. Tokens that belong to no seat are passed over."""
        self._admit(request)
        asked = await json_of(request, OpenProfile, _("The profile could not be opened"), _MOST_ASKED)
        if asked.add:
            require_share(self._quota, request)
        with self._opening(request):
            added = await self.profiles.add(asked.key, [(seat.game, seat.token) for seat in asked.add])
            seats = await self.profiles.seats(asked.key)
        self._quota.spend(address(request), added * SEAT_BYTES)
        return json_response(ProfileGames([ProfileGame(*seat) for seat in seats]))

    async def delete(self, request: Request) -> Response:
        """Delete a profile. Its key and the tokens that it gave are worth nothing from then on."""
        self._admit(request)
        asked = await json_of(request, CloseProfile, _("The profile could not be deleted"))
        with self._opening(request):
            await self.profiles.delete(asked.key)
        return json_response(ProfileGames([]))
