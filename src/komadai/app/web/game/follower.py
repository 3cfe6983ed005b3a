"""The WebSocket of a client that follows a live study."""

from __future__ import annotations

from starlette.websockets import WebSocket

from ....i18n import _
from ..engines.addresses import Address
from ..engines.pace import Pace
from ..engines.rate_limits import Rate
from ..engines.turns import Payer
from ..metrics import Metrics
from ..schema import events
from ..schema import live as wire
from .live import Lives, LiveStudy, NotLiveError
from .replay import RefusedError
from .socket import Line


class Follower(Line):
    """A connected client. It follows one study at a time, that of its last ``follow``."""

    def __init__(
        self, socket: WebSocket, lives: Lives, pace: Pace, metrics: Metrics, messages: Rate, address: Address
    ) -> None:
        """Arguments as of :class:`Line`; ``pace``: at which clients begin."""
        super().__init__(socket, metrics, messages, address)
        self._lives, self._pace = lives, pace
        self._study: LiveStudy | None = None

    def _leave(self) -> None:
        if self._study is not None:
            self._study.leave(self._send)
            self._study = None

    async def _answer(self, data: str | bytes) -> None:
        message = wire.decode_follower(data)
        with self._metrics.command(str(message.__struct_config__.tag)):
            if isinstance(message, wire.Follow):
                await self._follow(message)
            elif isinstance(message, wire.AskChapter):
                if self._study is None:
                    raise RefusedError(_("Send follow first, to name the study."))
                await self._lives.chapter(self._study, self._send, message.id, self._address)
            else:
                self._say(events.PongMessage())

    async def _follow(self, message: wire.Follow) -> None:
        self._leave()
        await self._pace.begin(Payer(self._address))
        try:
            self._study = await self._lives.join(message.live, self._send, message.key, self._address)
        except NotLiveError:
            self._say(wire.EndedMessage("gone"))
            return
        if self._study is None:
            self._say(wire.EndedMessage("full"))
