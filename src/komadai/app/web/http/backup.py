"""The HTTP interface by which a browser that has the application for itself saves all games, and brings them back."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ....i18n import _
from ..game.backup import Backup, Restored, back_up, restore
from ..game.store_calls import ask_store
from ..store import Store
from .operations import operation
from .responses import json_of, json_response, refusing

_MOST = 256 << 20  # bytes


class Backups:
    """The interface."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @operation("GET", "/api/backup", Backup, refuses=(503,))
    async def save(self, _request: Request) -> Response:
        """All games."""
        with refusing(422):
            return json_response(await ask_store(back_up, self._store))

    @operation("POST", "/api/backup", Restored, takes=Backup, refuses=(503, 507))
    async def bring_back(self, request: Request) -> Response:
        """Add the games of a backup that are not there."""
        backup = await json_of(request, Backup, _("The games could not be read"), _MOST)
        with refusing(422):
            return json_response(await ask_store(restore, self._store, backup))
