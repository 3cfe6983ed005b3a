"""The health of the server, for its supervisor."""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response

from ....i18n import LANGUAGES, sentence, speaking
from ..game.replay import UnavailableError
from ..game.store_calls import ask_store
from ..schema import model
from ..store import Store
from .operations import operation
from .responses import error_response, json_response

_BELIEVED = 1.0  # seconds for which an answer is given again
_PATIENCE = 5.0  # seconds in which the store must answer


class Health:
    """The HTTP interface for supervisors. However often it is asked, the store is read once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking = asyncio.Lock()
        self._asked, self._fault = float("-inf"), ""

    @operation("GET", "/healthz", model.Health, refuses=(503,))
    async def health(self, _request: Request) -> Response:
        """The server answers, and its store can be read."""
        async with self._asking:
            if monotonic() - self._asked > _BELIEVED:
                self._fault, self._asked = await self._look(), monotonic()
        return error_response(503, self._fault) if self._fault else json_response(model.Health(True))

    async def _look(self) -> str:
        """The fault of the store in a sentence, empty if there is none."""
        with speaking(LANGUAGES[0]):
            try:
                async with asyncio.timeout(_PATIENCE):
                    await ask_store(self._store.load_record, "")
            except UnavailableError as error:
                return sentence(error.__cause__ or error)
            except TimeoutError:
                return f"The game store has not answered for {_PATIENCE:g} seconds."
        return ""
