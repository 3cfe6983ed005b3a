"""Answers to what is asked about a variant file, which is compiled here: never in the process of a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import process_time
from typing import Any

import msgspec

from .....errors import NotationError
from .....game.game import Game
from .....i18n import _, speaking
from .....lab.arena.report import Report
from .....spec.variant import Variant
from .....variants import Entry, built
from .....workshop import entry_of, examine
from ....engine_service import SearchRequest
from ...engines.pool import STRENGTHS
from ...presenter import encode
from ...presenter.blocked_squares import explain
from ...presenter.lines import play_on
from ...schema.answers import Explanation, FoundPosition
from ...schema.workshop import CheckedFile, FileDefect, FilePosition, FileReply, VariantFile
from ..rulebook import rulebook
from ..studies import found_position
from .messages import Ask, Task

MOST_MOVES = 2000
"""Moves of a position that is shown; one with more is refused."""

_GAMES = 40  # of a report card for a stranger
_SLICE = 1.0  # seconds of the processor after which an answer has as many games as are over
_SMALL = 100_000  # positions up to which a game is solved for its card
_KEPT = 4  # files whose game and report are kept for the next question


def answer(ask: Ask) -> bytes:
    """The answer in JSON.

    Raises:
        KomadaiError: the file has defects, or there is no such position.
    """
    with speaking(ask.language):
        return msgspec.json.encode(_TASKS[ask.task](ask.body))


@lru_cache(maxsize=_KEPT)
def _game(text: str) -> tuple[str, Entry]:
    return entry_of(text)


@lru_cache(maxsize=_KEPT)
def _report(text: str) -> Report:
    return Report(_variant(text, {}), games=_GAMES)


def _variant(text: str, options: dict[str, str]) -> Variant:
    return built(*_game(text), options)


def _check(body: msgspec.Raw) -> CheckedFile:
    text = msgspec.json.decode(body, type=VariantFile).file
    defects, warnings = (
        [FileDefect(one.line, one.column, one.place, one.what) for one in found] for found in examine(text)
    )
    if defects:
        return CheckedFile(defects, warnings, None, None, None)
    v = _variant(text, {})
    game = _sized(Game(v))
    return CheckedFile([], warnings, v.rules_hash, rulebook(v, _game(text)[1]), encode.position(game, with_tree=True))


def _sized(game: Game) -> Game:
    """The same game.

    Raises:
        NotationError: its position has too many moves to be shown.
    """
    if (count := len(game.position.legal_moves())) > MOST_MOVES:
        words = _("has {count} moves; at most {most} can be shown here", count=count, most=MOST_MOVES)
        raise NotationError(_("position"), [words])
    return game


def _position(body: msgspec.Raw) -> FoundPosition:
    asked = msgspec.json.decode(body, type=FilePosition)
    game = Game(_variant(asked.file, asked.options))
    moves = play_on(game, asked.moves, asked.known)
    return found_position(_sized(game), moves, asked.text)


def _explain(body: msgspec.Raw) -> Explanation:
    asked = msgspec.json.decode(body, type=FilePosition)
    game = Game(_variant(asked.file, asked.options))
    play_on(game, asked.moves, len(asked.moves))
    return Explanation(explain(game.position, asked.text or ""))


def _request(body: msgspec.Raw) -> SearchRequest:
    asked = msgspec.json.decode(body, type=FileReply)
    game = Game(_variant(asked.file, asked.options))
    play_on(game, asked.moves, len(asked.moves))
    if (outcome := game.outcome()) is not None:
        raise NotationError(_("game"), [_("is over: {outcome}", outcome=outcome.message.words())])
    strength = STRENGTHS[f"level{asked.level}"]
    return SearchRequest.of(_sized(game), strength.seconds, strength.level)


def _card(body: msgspec.Raw) -> dict[str, Any]:
    """The report card so far: asked again, it has more games, up to all of them."""
    report = _report(msgspec.json.decode(body, type=VariantFile).file)
    began = process_time()
    while report.played < report.games and process_time() - began < _SLICE:
        report.play()
    return report.card(solve=_SMALL if report.played == report.games else 0)


_TASKS: dict[Task, Callable[[msgspec.Raw], Any]] = {
    "check": _check,
    "position": _position,
    "explain": _explain,
    "request": _request,
    "report": _card,
}
