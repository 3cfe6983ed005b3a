"""What one player has offered and the other has not answered yet."""

from __future__ import annotations

from ...i18n import _
from ...spec.board import Side
from ..store import Event
from .replay import RefusedError

_ENDING = ("move", "undo", "resign", "draw", "flag")  # what makes all offers void


class Offers:
    """The offers of a game of two, made from its events: what is offered is named as the event that it would bring.

    An offer lasts until it is accepted or declined, or the game goes on. What was declined, or taken back, cannot be
    offered again by the same side before it goes on.
    """

    def __init__(self) -> None:
        self._open: dict[str, Side] = {}
        self._declined: set[tuple[str, Side]] = set()

    def apply(self, event: Event) -> None:
        """Let an event happen."""
        if event.kind in _ENDING:
            self._open.clear()
            self._declined.clear()
        elif event.kind == "offer":
            self._open[event.payload["what"]] = event.payload["side"]
        elif event.kind == "decline":
            what = event.payload["what"]
            self._declined.add((what, self._open.pop(what)))
        else:
            self._open.pop(event.kind, None)

    def by(self, what: str) -> Side | None:
        """Who has offered it, if anybody."""
        return self._open.get(what)

    def require_new(self, what: str, side: Side) -> None:
        """Make sure that the side may offer it.

        Raises:
            RefusedError: it has done so.
        """
        if self._open.get(what) == side:
            raise RefusedError(_("You have already offered that: wait for the answer."))
        if (what, side) in self._declined:
            raise RefusedError(_("Your offer was declined: you can offer again after the next move."))

    def require(self, what: str) -> None:
        """Make sure that it is offered.

        Raises:
            RefusedError: it is not, or no longer.
        """
        if what not in self._open:
            raise RefusedError(_("There is no such offer any more."))

    def told(self) -> list[dict[str, str]]:
        """The open offers for clients."""
        return [{"what": what, "side": side} for what, side in self._open.items()]
