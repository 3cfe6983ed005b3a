"""A position as clients that study name it: where a game begins, and the moves that led on from there."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ...errors import IllegalMoveError, KomadaiError, NotationError
from ...game.game import Game
from ...game.position import Position
from ...i18n import _
from ...notation import of as notation_of
from ...spec.move import Move
from ...variants import build, names
from ..schema import encode

MOST_MOVES = 5000
"""A longer line of moves is refused."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""A move, typed or as a move string."""

VariantName = Annotated[str, msgspec.Meta(max_length=64, extra_json_schema={"enum": list(names())})]
"""The name of a game. Others are refused with words that say which there are."""


class Branch(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The moves from a position on: move strings."""

    variant: VariantName
    options: Annotated[dict[str, Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(max_length=32)] = {}
    position: Annotated[str, msgspec.Meta(min_length=1, max_length=2048)] | None = None
    moves: Annotated[list[Text], msgspec.Meta(max_length=MOST_MOVES)] = []

    def start(self) -> Game:
        """The game before the first of the moves.

        Raises:
            KomadaiError: there is no such game or position.
        """
        return Game(build(self.variant, **self.options), self.position)

    def game(self) -> Game:
        """The game after the moves.

        Raises:
            KomadaiError: there is no such game or position, or a move is not legal; the message says which.
        """
        return self.told(len(self.moves))[0]

    def told(self, known: int) -> tuple[Game, list[dict[str, Any]]]:
        """The game after the moves, and those after the first ``known`` as they are told (:func:`encode.made`).

        Raises:
            KomadaiError: as :meth:`game`.
        """
        game = self.start()
        entries = []
        for number, text in enumerate(self.moves, 1):
            move = _move(game, text, number)
            if number > known:
                entries.append(encode.made(game.position, move)[0])
            game.push(move)
        return game, entries


def _move(game: Game, text: str, number: int) -> Move:
    if (outcome := game.outcome()) is not None:
        raise _refused(number, text, _("the game is over before it: {outcome}", outcome=outcome.message.words()))
    try:
        return game.position.parse_move(text)
    except KomadaiError as error:
        raise _refused(number, text, error) from None


def _refused(number: int, text: str, why: object) -> IllegalMoveError:
    return IllegalMoveError(_("move {number} ({text}): {why}", number=number, text=text, why=why))


def typed(position: Position, text: str) -> Move:
    """The legal move that a person typed: a move string, or the game's notation.

    Raises:
        KomadaiError: there is none; the message says why.
    """
    try:
        return position.parse_move(text)
    except NotationError:
        return notation_of(position.variant).read(position, text)
