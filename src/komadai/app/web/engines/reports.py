"""Reports of searches as messages to clients."""

from __future__ import annotations

from collections.abc import Sequence

from ....engine.chances import chance
from ....game.game import Game
from ...engine_service import LineReport, Report, TsumeReport
from ..presenter import encode
from ..schema import events, model

_SHOWN = 12  # moves of a line that are sent


class Reports:
    """Reports of searches of one position, with the moves in the game's notation."""

    def __init__(self, game: Game) -> None:
        self._at = game.position.copy()
        self._known: dict[tuple[str, ...], model.PlayedMove] = {}

    def info(self, id: str, found: Report) -> events.InfoMessage:
        """The report of a search for the question with that id."""
        seconds = round(found.seconds, 2)
        return events.InfoMessage(id, found.depth, found.seldepth, found.nodes, found.nps, seconds, self.lines(found))

    def lines(self, found: Report) -> list[events.EngineLine]:
        """The principal variations of a search.

        Raises:
            KomadaiError: a move is not legal.
        """
        return [self._line(line) for line in found.lines]

    def proved(self, id: str, found: TsumeReport) -> events.ProvedMessage:
        """The answer to the question with that id.

        Raises:
            KomadaiError: a move is not legal.
        """
        others = [events.OtherMove(1, self._moves([text])[0]) for text in found.other_first_moves]
        for ply, text in found.other_later_moves:
            others.append(events.OtherMove(ply, self._moves([*found.moves[: ply - 1], text])[-1]))
        return events.ProvedMessage(
            id,
            found.outcome,
            self._moves(found.moves),
            found.plies,
            found.plies_every_defence,
            dict(found.left_in_hand),
            found.unique,
            found.unique_later,
            others,
        )

    def _line(self, line: LineReport) -> events.EngineLine:
        share = chance(line.score, line.mate)
        black = round(share if self._at.turn == "b" else 1 - share, 4)
        return events.EngineLine(line.score, line.mate, black, self._moves(line.pv[:_SHOWN]))

    def _moves(self, moves: Sequence[str]) -> list[model.PlayedMove]:
        position, played = self._at.copy(), []
        v = position.variant
        for number, text in enumerate(moves, 1):
            move, key = position.parse_move(text), tuple(moves[:number])
            if key not in self._known:
                self._known[key] = encode.played_move(v, position.turn, move, encode.texts(position, move))
            played.append(self._known[key])
            position.push(move)
        return played
