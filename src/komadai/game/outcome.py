"""The end of a game: the winner and the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from ..errors import NotationError
from ..i18n import _
from ..spec.board import SIDES, Side
from ..spec.names import Message
from ..spec.variant import Variant
from ..typed import typed

Reason = Literal[
    "checkmate",
    "stalemate",
    "repetition",
    "perpetual_check",
    "extinction",
    "goal",
    "resign",
    "agreement",
    "declaration",
    "illegal",
    "time",
    "called_off",
]


REASONS: tuple[Reason, ...] = get_args(Reason)


BY_RULE: tuple[Reason, ...] = ("checkmate", "stalemate", "repetition", "perpetual_check", "extinction", "goal")
"""The ends that follow from the rules alone, named as in ``End`` of native/state.hpp."""


CALLED_OFF: Reason = "called_off"
"""The end of a game that was called off before it began: nobody wins, and it is no draw."""


_WITHOUT_WINNER: tuple[Reason, ...] = ("repetition", "agreement", "declaration", CALLED_OFF)
"""The reasons of ends that nobody wins."""


RESULT_WORDS = {"won": "{side} wins: {note}", "drawn": "Draw: {note}", CALLED_OFF: "No result: {note}"}
"""Messages for each result; ``note`` is the reason."""


REASON_WORDS: dict[Reason, str] = {
    "checkmate": "checkmate",
    "stalemate": "{other} has no legal move",
    "repetition": "the position has been repeated too often",
    "perpetual_check": "{other} gave perpetual check",
    "extinction": "{other} has none of the pieces it needs",
    "goal": "the goal is reached",
    "resign": "{other} resigned",
    "agreement": "by agreement",
    "declaration": "declared with an entered king",
    "illegal": "{other} made an illegal move",
    "time": "{other} ran out of time",
    "called_off": "the game was called off",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. ``str()`` is a sentence in English.

    Attributes:
        winner: ``None`` for a draw, or where there is no result.
        reason: one of :data:`REASONS`.
        words: the variant's own message for the reason, with ``{other}`` for the loser; ``None``: that of all games.

    Raises:
        NotationError: there is no such side or reason, or the reason does not go with a winner, or with none.
    """

    winner: Side | None
    reason: Reason
    words: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        defects = []
        if self.winner not in (*SIDES, None):
            defects.append(f"winner {self.winner!r} is no side; expected b (Black), w (White) or None")
        if self.reason not in REASONS:
            defects.append(f"reason {self.reason!r} is unknown; choose from {', '.join(REASONS)}")
        elif self.winner is None and self.reason not in _WITHOUT_WINNER:
            defects.append(f"{self.reason} has a winner; expected b (Black) or w (White)")
        elif self.winner is not None and self.reason in ("agreement", CALLED_OFF):
            defects.append(f"{self.reason} has no winner; expected None")
        if defects:
            raise NotationError("outcome", defects)

    @classmethod
    def under(cls, variant: Variant, winner: Side | None, reason: Reason) -> Outcome:
        """The end of a game of that variant, in its own words."""
        words: dict[Reason, str] = {"extinction": variant.extinction.sentence, "goal": variant.goal}
        return cls(winner, reason, words.get(reason))

    @property
    def message(self) -> Message:
        """The outcome as a message to several readers."""
        text = RESULT_WORDS["won" if self.winner else CALLED_OFF if self.reason == CALLED_OFF else "drawn"]
        return Message(text, self.winner, note=self.words or REASON_WORDS[self.reason])

    def __str__(self) -> str:
        return str(self.message)


@typed
def game_over(outcome: Outcome) -> str:
    """The error message for a move or claim in a game that is over."""
    return _("the game is over: {outcome}", outcome=outcome.message.words())
