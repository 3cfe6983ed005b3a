"""Open offers and greetings between two players."""

from __future__ import annotations

from collections import Counter

from ....i18n import _
from ....spec.board import Side
from ..schema import model
from ..schema.model import Agreement
from ..store import Event
from .replay import RefusedError

MOST_GREETINGS = 3  # of a side, until the game goes on
ENDING = ("move", "undo", "resign", "declare", "draw", "flag")  # kinds of events with which a game goes on or ends


class Offers:
    """The open offers of a game for two people, derived from its events. An offer is named after the event it asks for.

    An offer lasts until it is accepted or declined, or the game goes on. After an offer was declined or taken back, the
    same side cannot repeat it before the game goes on.
    """

    def __init__(self) -> None:
        self._open: dict[Agreement, Side] = {}
        self._declined: set[tuple[Agreement, Side]] = set()

    def apply(self, event: Event) -> None:
        """Update the offers after an event."""
        if event.kind in ENDING:
            self._open.clear()
            self._declined.clear()
        elif event.kind == "offer":
            self._open[event.payload["what"]] = event.payload["side"]
        elif event.kind == "decline":
            what = event.payload["what"]
            self._declined.add((what, self._open.pop(what)))
        else:
            self._open = {what: side for what, side in self._open.items() if what != event.kind}

    def by(self, what: Agreement) -> Side | None:
        """The side with this open offer, if any."""
        return self._open.get(what)

    def require_new(self, what: Agreement, side: Side) -> None:
        """Check that the side may make this offer.

        Raises:
            RefusedError: it is open already, or was declined.
        """
        if self._open.get(what) == side:
            raise RefusedError(_("You have already offered that: wait for the answer."))
        if (what, side) in self._declined:
            raise RefusedError(_("Your offer was declined: you can offer again after the next move."))

    def require(self, what: Agreement) -> None:
        """Check that this offer is open.

        Raises:
            RefusedError: it is not.
        """
        if what not in self._open:
            raise RefusedError(_("There is no such offer any more."))

    def to_model(self) -> list[model.Offer]:
        """The open offers, for clients."""
        return [model.Offer(what, side) for what, side in self._open.items()]


class Greetings:
    """The number of greetings of each side since the last move or end, derived from the events of a game."""

    def __init__(self) -> None:
        self._said: Counter[Side] = Counter()

    def apply(self, event: Event) -> None:
        """Update the numbers after an event."""
        if event.kind in ENDING:
            self._said.clear()
        elif event.kind == "greet":
            self._said[event.payload["side"]] += 1

    def require(self, side: Side) -> None:
        """Check that the side may greet.

        Raises:
            RefusedError: it has greeted often enough for now.
        """
        if self._said[side] >= MOST_GREETINGS:
            raise RefusedError(_("That is enough for now: you can greet again after the next move."))
