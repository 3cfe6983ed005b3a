"""References to positions in requests: where a game begins, and the moves from there."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....errors import IllegalMoveError, KomadaiError, NotationError
from ....game.game import Game
from ....game.position import Position
from ....i18n import _
from ....notation import read as read_move
from ....spec.move import Move
from ....variants import build, names

MOST_MOVES = 5000
"""A longer line of moves is refused."""

MoveText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""A move string, or a move as typed by a person."""

VariantName = Annotated[str, msgspec.Meta(max_length=64, extra_json_schema={"enum": list(names())})]
"""The id of a variant. The type admits other names; :func:`komadai.variants.build` refuses them with a list of all."""

Options = Annotated[dict[str, str], msgspec.Meta(max_length=32)]
PositionText = Annotated[str, msgspec.Meta(min_length=1, max_length=2048)]


class PositionRef(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A reference to a position: its variant and options, the position string it starts from (``null``: the start of
    the variant), and the move strings from there."""

    variant: VariantName
    options: Annotated[dict[str, Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(max_length=32)] = {}
    position: PositionText | None = None
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []

    def start(self) -> Game:
        """The game before the first of the moves.

        Raises:
            KomadaiError: no such variant or position.
        """
        return Game.problem(build(self.variant, **self.options), self.position)

    def game(self) -> Game:
        """The game after the moves.

        Raises:
            KomadaiError: no such variant or position, or an illegal move, which the message names.
        """
        game = self.start()
        for number, text in enumerate(self.moves, 1):
            game.push(numbered_move(game, text, number))
        return game


def numbered_move(game: Game, text: str, number: int) -> Move:
    """The legal move of a move string.

    Raises:
        KomadaiError: the text is no legal move; the message gives its number and the reason.
    """
    if (outcome := game.outcome()) is not None:
        raise _refused(number, text, _("the game is over before it: {outcome}", outcome=outcome.message.words()))
    try:
        return game.position.parse_move(text)
    except KomadaiError as error:
        raise _refused(number, text, error) from None


def _refused(number: int, text: str, why: object) -> IllegalMoveError:
    return IllegalMoveError(_("move {number} ({text}): {why}", number=number, text=text, why=why))


def parse_typed(position: Position, text: str) -> Move:
    """The legal move typed by a person, as a move string, in the variant's notation or in Japanese.

    Raises:
        KomadaiError: there is none; the message says why.
    """
    try:
        return position.parse_move(text)
    except NotationError:
        return read_move(position, text)
