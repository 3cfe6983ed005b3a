"""The end of a game: the winner and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..i18n import _
from ..spec.board import SIDE_NAMES, Side, other

Reason = Literal[
    "checkmate",
    "stalemate",
    "repetition",
    "perpetual_check",
    "commander_loss",
    "resign",
    "agreement",
    "illegal",
    "time",
    "called_off",
]


REASONS: tuple[Reason, ...] = get_args(Reason)


BY_RULE: tuple[Reason, ...] = ("checkmate", "stalemate", "repetition", "perpetual_check", "commander_loss")
"""The ends that follow from the rules alone, in the order of ``End`` in native/position.hpp."""


CALLED_OFF: Reason = "called_off"
"""The end of a game that was called off before it began: nobody wins, and it is no draw."""


_REASON_WORDS: dict[Reason, str] = {
    "checkmate": "checkmate",
    "stalemate": "{loser} has no legal move",
    "repetition": "the position has been repeated too often",
    "perpetual_check": "{loser} gave perpetual check",
    "commander_loss": "{loser} has no commander left",
    "resign": "{loser} resigned",
    "agreement": "by agreement",
    "illegal": "{loser} made an illegal move",
    "time": "{loser} ran out of time",
    "called_off": "the game was called off",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: ``winner`` is ``None`` for a draw, or where there is no result. ``str()`` is a sentence."""

    winner: Side | None
    reason: Reason

    def __str__(self) -> str:
        if self.winner is None:
            return f"{'No result' if self.reason == CALLED_OFF else 'Draw'}: {_REASON_WORDS[self.reason]}"
        loser = SIDE_NAMES[other(self.winner)]
        return f"{SIDE_NAMES[self.winner]} wins: {_REASON_WORDS[self.reason].format(loser=loser)}"


def game_over(outcome: Outcome) -> str:
    """The error message for a move or claim in a game that is over."""
    return _("the game is over: {outcome}", outcome=_(str(outcome)))
