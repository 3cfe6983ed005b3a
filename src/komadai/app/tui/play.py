"""A game or match at the terminal with its players, saved in a file of its own.

The file is a JSON object: ``schema``, the ``players`` (``null`` for a person, else the level of the computer or the id
of a bot; the first is Black in the first game), and ``games``, a record for each game (:meth:`komadai.Game.record`).
It is written whole beside the old one and put in its place, before what has been played is shown.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...engine import BOTS, STRONGEST
from ...errors import IllegalMoveError, KomadaiError, NotationError
from ...game.game import Game
from ...game.match import Match
from ...json_text import parsed
from ...spec.board import SIDE_NAMES, SIDES, Side, other
from ...spec.move import Move
from ...storage import write_whole
from ...variants import build

SCHEMA = "komadai-terminal/1"
_MOST_BYTES = 4 << 20  # of a file; the longest games take a hundredth of it
_SHOWN = 50  # files that are listed, the latest first

Opponent = int | str
"""The computer at a level, or as a bot (one of :data:`~komadai.engine.BOTS`)."""
Players = tuple[Opponent | None, Opponent | None]
"""``None``: a person."""
Begun = tuple[Game, Players]
"""A game to start, and its players."""


def player_name(player: Opponent | None) -> str:
    """A player in a list."""
    if player is None:
        return "a person"
    return f"the computer, level {player}" if isinstance(player, int) else f"the computer, {player.title()}"


def _check_players(players: Iterable[Any]) -> Players:
    first, second = players
    for player in (first, second):
        is_level = type(player) is int and 1 <= player <= STRONGEST
        if not (player is None or is_level or (isinstance(player, str) and player in BOTS)):
            expected = f"expected a level, 1 to {STRONGEST}, a bot ({', '.join(BOTS)}), or null for a person"
            raise NotationError("player", [f"{repr(player)[:40]} is none; {expected}"])
    if first is not None and second is not None:
        raise NotationError("players", ["at least one side must be played by a person"])
    return first, second


class Play:
    """A game in progress: its players, the actions allowed, and the file it is saved in."""

    def __init__(self, file: Path, games: list[Game], players: Iterable[Opponent | None]) -> None:
        """Take up games that have been begun; more than one are a match.

        Raises:
            NotationError: they do not fit together, or the players are none.
        """
        self.file = file
        self.players = _check_players(players)
        self.match = None if games[0].variant.match_wins is None else Match.of(games)
        if self.match is None and len(games) != 1:
            raise NotationError("games", [f"the rules of {games[0].variant.id} know no matches; expected one game"])
        self._games = games if self.match is None else self.match.games

    @classmethod
    def begin(cls, folder: Path, game: Game, players: Iterable[Opponent | None]) -> Play:
        """Begin with a game; its file is made in the folder with the first move.

        Raises:
            NotationError: the players are none, or the folder cannot be used.
        """
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotationError("saving", [f"{folder} cannot be used: {error.strerror or error}"]) from None
        return cls(folder / f"{game.variant.id}-{stamp}-{secrets.token_hex(3)}.json", [game], players)

    # --- The file ---

    def _save(self) -> None:
        data = {"schema": SCHEMA, "players": self.players, "games": [game.record() for game in self._games]}
        try:
            write_whole(self.file, json.dumps(data, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise NotationError("saving", [f"{self.file} cannot be written: {error.strerror or error}"]) from None

    @classmethod
    def load(cls, file: Path) -> Play:
        """The game in a file.

        Raises:
            NotationError: the file cannot be read or holds no game of this program; the message says why.
            IllegalMoveError: one of its moves is not legal.
        """
        data = _read(file)
        try:
            return cls(file, [Game.from_record(record) for record in data["games"]], data["players"])
        except KomadaiError:
            raise
        except (TypeError, ValueError, LookupError) as error:
            raise NotationError(str(file), [f"is damaged: it lacks or garbles {error}"]) from None

    # --- Who and where ---

    @property
    def game(self) -> Game:
        """The game being played, or the last one of a match."""
        return self._games[-1]

    def player(self, side: Side) -> Opponent | None:
        """The computer on that side, ``None`` for a person."""
        colours = SIDES if self.match is None else self.match.colours
        return self.players[colours.index(side)]

    @property
    def thinker(self) -> Opponent | None:
        """The computer if it is its turn, ``None`` if it is a person's or the game is over."""
        return None if self.game.outcome() else self.player(self.game.turn)

    @property
    def person(self) -> Side | None:
        """The only person's side, ``None`` where two people play."""
        people = [side for side in SIDES if self.player(side) is None]
        return people[0] if len(people) == 1 else None

    def name(self, side: Side) -> str:
        """The player of that side, for its plate."""
        if (player := self.player(side)) is not None:
            return player_name(player).removeprefix("the ")
        if self.person is not None:
            return "you"
        return "" if self.match is None else f"player {self.match.colours.index(side) + 1}"

    def state(self) -> str | None:
        """The score of the match, in words."""
        if self.match is None:
            return None
        one, two = self.match.colours
        return self.match.state((SIDE_NAMES[one], SIDE_NAMES[two]))

    # --- What happens ---

    def push(self, move: Move | str) -> None:
        """Make a move; it is in the file when this returns.

        Raises:
            KomadaiError: it is not legal, or cannot be written; nothing has changed then.
        """
        self.game.push(move)
        self._save_or_pop()

    def resign(self, side: Side) -> None:
        """The side gives up; errors as for :meth:`push`."""
        self.game.resign(side)
        self._save_or_pop()

    def declare(self) -> None:
        """The side to move declares that its king has entered; errors as for :meth:`push`."""
        self.game.declare()
        self._save_or_pop()

    def can_agree_draw(self) -> bool:
        """True if two people at this screen may agree a draw now."""
        return self.person is None and self.game.can_agree_draw()

    def agree_draw(self) -> None:
        """The players agree a draw; errors as for :meth:`push`."""
        self.game.agree_draw()
        self._save_or_pop()

    def _save_or_pop(self) -> None:
        try:
            self._save()
        except NotationError:
            self.game.pop()
            raise

    def _pops(self) -> int:
        """The number of plies a takeback removes, so that a person is to move again; 0 if impossible."""
        claimed = self.game.outcome() is not None and self.game.position.outcome() is None
        back = 1 if claimed or self.person in (None, other(self.game.turn)) else 2
        return back if claimed or back <= len(self.game.moves) else 0

    def take_back(self) -> None:
        """Take back the last move of a person, and what the computer answered; or a resignation or agreement.

        Raises:
            IllegalMoveError: there is nothing to take back.
            NotationError: it cannot be written; the file still holds the game as it was.
        """
        pops = self._pops()
        if not pops:
            raise IllegalMoveError("there is no move of yours to take back")
        for _ in range(pops):
            self.game.pop()
        self._save()

    def next_game(self) -> None:
        """Begin the next game of the match.

        Raises:
            IllegalMoveError: the match is over, its present game is not, or there is no match.
            NotationError: it cannot be written; nothing has changed then.
        """
        if self.match is None:
            raise IllegalMoveError("the game is not over, and there is no next one: its rules know no matches")
        self.match.next_game()
        try:
            self._save()
        except NotationError:
            self._games.pop()
            raise

    def another(self) -> Begun:
        """Such a game again, from where this one began, with colours changed."""
        first, second = self.players
        return Game(self.game.variant, self.game.start.setup()), (second, first)


def _read(file: Path) -> dict[str, Any]:
    """The object in a file, so far unchecked but for its schema."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise NotationError(str(file), [f"is larger than {_MOST_BYTES >> 20} MiB, so it is no saved game"])
        data = parsed(file.read_bytes())
    except OSError as error:
        raise NotationError(str(file), [f"cannot be read: {error.strerror or error}"]) from None
    except ValueError as error:
        if isinstance(error, KomadaiError):
            raise
        raise NotationError(str(file), ["is damaged: it is no JSON text"]) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise NotationError(str(file), [f"is no saved game of this program; expected the schema {SCHEMA!r}"])
    return dict(data)


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in the list of games: ``over`` or not, and what it holds, or what is wrong with it, in ``words``."""

    file: Path
    over: bool
    words: str


def saved(folder: Path) -> list[Saved]:
    """The games of a folder, those that go on first, the latest first."""
    try:
        files = [(file.stat().st_mtime, file) for file in folder.glob("*.json")]
    except OSError:
        return []
    latest = [_saved(file, when) for when, file in sorted(files, reverse=True)[:_SHOWN]]
    return sorted(latest, key=lambda one: one.over)


def _saved(file: Path, when: float) -> Saved:
    """The summary of a saved file; its moves are not checked before it is opened."""
    try:
        data = _read(file)
        game, number = data["games"][-1], len(data["games"])
        variant = build(str(game["variant"]))
        computers = [player for player in _check_players(data["players"]) if player is not None]
        against = f"against {player_name(computers[0])}" if computers else "two people"
        count, over = len(game["moves"]), game["result"] is not None
    except KomadaiError as error:
        return Saved(file, True, str(error))
    except (TypeError, ValueError, LookupError):
        return Saved(file, True, f"{file.name} is damaged")
    played = f"game {number}, " * (variant.match_wins is not None) + f"{count} move{'' if count == 1 else 's'}"
    date = datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M")
    return Saved(file, over, f"{variant.name} · {against} · {played}{', over' if over else ''} · {date}")
