"""Running games: each command is checked, written to the store, applied, and told to everyone who watches."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ParamSpec, TypeVar

from ..board import SIDE_NAMES, SIDES, Side, other
from ..engine import Engine
from ..engine.levels import STRONGEST
from ..errors import IllegalMoveError, KomadaiError, NotationError
from ..game import Game
from ..match import Match
from ..notation import of as notation_of
from ..routes import turns_of
from ..solve import find
from ..spec import Variant
from ..variants import build
from . import describe
from .bus import Bus
from .chronicle import Chronicle
from .messages import Command, MoveCommand, ResignCommand, UndoCommand, encode
from .replay import RefusedError, Stored, begin, play, read, unreadable
from .shading import explain
from .store import ConflictError, Event, GameRow, Store, StoreError
from .study import Judged, puzzle, study, table_words
from .thinkers import Thinkers

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Strength:
    """A computer player: the engine's level (1 to 10) and the seconds it may think about a move."""

    level: int
    seconds: float


STRENGTHS = {f"level{level}": Strength(level, 0.2 + 0.08 * level) for level in range(1, STRONGEST + 1)} | {
    "easy": Strength(2, 0.3),
    "medium": Strength(5, 0.6),
    "strong": Strength(10, 1.0),
}
"""The computer players; those without a number are what games of version 0.1.0 call them."""
HUMAN = "human"
SEATS = (HUMAN, *STRENGTHS)
_CLOSED = "The next game of the match has begun, so this one stays as it ended."
_ANOTHER = "The game has gone on in another window; here is how it stands now."
_LOOK_AGAIN = 0.5  # seconds after which it is looked whether another server still thinks
_FAR_BEHIND = 100  # a client that missed more events than this is sent the whole game


Listener = Callable[[str], None]


class OvertakenError(RefusedError):
    """Another server has written to the game meanwhile; the session has caught up."""


async def _stored(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Ask the store in a thread; if it fails, its log says why, and the person who asked hears that much.

    Raises:
        RefusedError: it fails.
    """
    try:
        return await asyncio.to_thread(call, *args, **kwargs)
    except StoreError as error:
        log.error("%s", error)
        raise RefusedError(f"Nothing was changed: {error}.") from error


class Session:
    """One game in memory, made from its events. All methods but making it belong to the event loop; the disk and the
    engine do not."""

    def __init__(self, stored: Stored, store: Store, bus: Bus, thinkers: Thinkers) -> None:
        """Replay the events.

        Raises:
            RefusedError: they do not fit the rules this program plays.
        """
        self._store, self._bus, self._thinkers = store, bus, thinkers
        self._lock = asyncio.Lock()
        self._listeners: set[Listener] = set()
        self._thinking: asyncio.Task[None] | None = None
        self._engine: Engine | None = None  # while it thinks
        self._row, self._following = stored.row, stored.following
        self._told = Chronicle()
        self._done: dict[str, int] = {}
        self.game = begin(stored.row)
        self._start = self.game.position.copy()
        self._replay(stored.events)
        self._match = None if stored.row.match is None else Match.of([*stored.earlier, self.game])
        self._table = find(self.game.variant)
        self._puzzle = puzzle(self._table, self._start.sfen())
        self._judged: list[tuple[str, Judged | None]] = []  # what is known of the first moves, by their strings

    def _replay(self, events: Iterable[Event]) -> None:
        try:
            for event in events:
                self._apply(event)
        except (KomadaiError, KeyError, IndexError) as error:
            raise unreadable(error) from error

    # --- Looking ---

    @property
    def id(self) -> str:
        """The game's public, unguessable id."""
        return self._row.id

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return len(self._told)

    @property
    def idle(self) -> bool:
        """Whether nobody watches and the computer is not thinking, so that the session may be forgotten."""
        return not self._listeners and self._thinking is None and not self._lock.locked()

    def _strength(self, side: Side) -> Strength | None:
        return STRENGTHS.get(self._row.seats[side])

    @property
    def _person(self) -> Side | None:
        """The side of the only person, ``None`` where two people play."""
        people: list[Side] = [side for side in SIDES if self._strength(side) is None]
        return people[0] if len(people) == 1 else None

    def _to_think(self) -> Strength | None:
        """The computer player whose turn it is, if it is one's."""
        return self._strength(self.game.turn) if self.game.outcome() is None else None

    def _computer_to_move(self) -> bool:
        return self._to_think() is not None

    def _pops(self) -> int:
        """How many times a take-back pops the game; 0 if there is nothing to take back."""
        claimed = self.game.outcome() is not None and self.game.position.outcome() is None
        count = len(self._told.moves)
        if claimed or self._person is None:
            return 1 if claimed or count else 0
        back = 1 if self.game.turn != self._person else 2
        return back if back <= count else 0

    def _position(self) -> dict[str, Any]:
        computer = self._computer_to_move()
        return describe.position(self.game, with_tree=not computer) | {
            "thinking": computer,
            "last": self._told.moves[-1] if self._told.moves else None,
            "match": None if self._match is None else describe.match(self._match, self._following),
            "canUndo": self._following is None and self._pops() > 0,
            "canDraw": self._person is None and self.game.can_agree_draw(),
        }

    def state(self) -> str:
        """Everything about the game, as a message."""
        return encode(
            "state",
            seq=self.seq,
            game=self.id,
            variant=describe.variant(self.game.variant),
            start=self._row.position,
            puzzle=self._puzzle,
            seats=self._row.seats,
            moves=self._told.moves,
            position=self._position(),
        )

    def since(self, seq: int | None) -> str:
        """What a client that has seen events up to ``seq`` must be told, as a message."""
        if seq is None or not self.seq - _FAR_BEHIND <= seq <= self.seq:
            return self.state()
        return encode("events", seq=self.seq, events=self._told.since(seq), position=self._position())

    # --- Watching ---

    def join(self, listener: Listener) -> None:
        """Tell ``listener`` every message from now on."""
        self._listeners.add(listener)
        self._wake()

    def leave(self, listener: Listener) -> None:
        """Tell it nothing more."""
        self._listeners.discard(listener)

    def _tell(self, message: str) -> None:
        for listener in tuple(self._listeners):
            listener(message)

    # --- Commands ---

    async def explain(self, text: str) -> str:
        """Why the move string is not legal now, in words; ``P*`` asks why there is no legal drop at all."""
        return await asyncio.to_thread(explain, self.game.position.copy(), text)

    async def study(self) -> str:
        """What the position, every legal move and every move of the game are worth, as a message.

        Raises:
            RefusedError: the game is not solved, or its table cannot be read.
        """
        if self._table is None:
            raise RefusedError(table_words(self.game.variant))
        seq, ply, moves = self.seq, self.game.position.ply, self.game.moves
        over = self.game.position.outcome() is not None
        same = takewhile(lambda pair: pair[0][0] == pair[1].text, zip(self._judged, moves, strict=False))
        known = [judged for (_, judged), _ in same]
        try:
            told = await asyncio.to_thread(study, self._table, self._start, moves, known, over)
        except KomadaiError as error:
            raise RefusedError(_sentence(error)) from error
        self._judged = [(move.text, judged) for move, judged in zip(moves, told.played, strict=True)]
        return encode("study", seq=seq, ply=ply, value=told.value, moves=told.moves, played=told.played)

    async def command(self, command: Command) -> int:
        """Do what a person asked, once; the number of the event that did it.

        Raises:
            RefusedError: it cannot be done now; the text says why, and nothing has changed.
        """
        # Even if the person leaves meanwhile: what is on the disk must also happen here.
        return await asyncio.shield(self._do(command))

    async def _do(self, command: Command) -> int:
        async with self._lock:
            if command.id in self._done:
                return self._done[command.id]
            try:
                return await self._record(*self._check(command), command.id)
            except OvertakenError:
                if command.id in self._done:  # sent to another server too, or written when the line to the store broke
                    return self._done[command.id]
                raise

    def _check(self, command: Command) -> tuple[str, dict[str, Any]]:
        """The event a command asks for: kind and payload."""
        if isinstance(command, (MoveCommand, UndoCommand)) and command.ply != self.game.position.ply:
            raise RefusedError(
                f"The game has gone on: this was meant for ply {command.ply}, and it is at {self.game.position.ply}."
            )
        if self._following is not None:
            raise RefusedError(_CLOSED)
        if isinstance(command, UndoCommand):
            pops = self._pops()
            if not pops:
                raise RefusedError("There is no move of yours to take back.")
            return "undo", {"pops": pops}
        outcome = self.game.outcome()
        if outcome is not None:
            raise RefusedError(f"The game is over. {outcome}.")
        if isinstance(command, MoveCommand):
            if self._computer_to_move():
                raise RefusedError(f"It is the computer's turn: {SIDE_NAMES[self.game.turn]} is to move.")
            usi = self._resolve(command.text)
            if command.ask:
                self._ask(usi)
            return "move", {"usi": usi}
        if isinstance(command, ResignCommand):
            return "resign", {"side": self._person or self.game.turn}
        if self._person is not None or not self.game.can_agree_draw():
            raise RefusedError("A draw cannot be agreed now: the rules of this game do not offer it in this position.")
        return "draw", {}

    def _resolve(self, text: str) -> str:
        """The move string of what a person entered: a move string itself, or the game's notation."""
        position = self.game.position
        try:
            return position.parse_move(text).text
        except IllegalMoveError as error:
            if self.game.variant.option("illegal_move") == "loses":
                return text
            raise RefusedError(_sentence(error)) from None
        except NotationError:
            try:
                return notation_of(self.game.variant).read(position, text).text
            except KomadaiError as error:
                raise RefusedError(_sentence(error)) from None

    def _ask(self, usi: str) -> None:
        """Refuse a move that costs pieces of the mover's own: who typed it may not know."""
        position = self.game.position
        move = next((move for move in position.legal_moves() if move.text == usi), None)
        lost = len(position.losses(move)) if move else 0
        if lost:
            go = "1 piece of yours goes" if lost == 1 else f"{lost} pieces of yours go"
            taker = SIDE_NAMES[other(position.turn)]
            where = f"to {taker}'s hand" if position.variant.hand_order else "out of the game"
            raise RefusedError(f"{usi} costs: {go} {where}. Enter the move again to play it all the same.")

    async def _write(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write to the store. The caller holds the lock.

        Raises:
            OvertakenError: what is there already does not allow it.
            RefusedError: the store fails.
        """
        try:
            return await _stored(write, *args, **kwargs)
        except ConflictError as error:
            await self._catch_up()
            raise OvertakenError(_ANOTHER) from error

    async def _record(self, kind: str, payload: Mapping[str, Any], command: str | None = None) -> int:
        """Write an event, then apply it and tell everyone. The caller holds the lock."""
        event = Event(self.seq + 1, kind, payload, command)
        await self._write(self._store.append, self.id, event)
        self._apply(event)
        self._changed(event.seq - 1)
        return event.seq

    async def _catch_up(self) -> None:
        """Apply what other servers have written, and tell everyone. The caller holds the lock."""
        seq, following = self.seq, self._following
        loaded = await _stored(self._store.load, self.id, seq)
        self._replay([] if loaded is None else loaded[1])
        if self._row.match is not None and following is None:
            games = await _stored(self._store.match, self._row.match)
            self._following = next(iter(games[self._row.number or 1 :]), None)
        if (self.seq, self._following) != (seq, following):
            self._changed(seq)

    def _changed(self, seq: int) -> None:
        """Tell everyone what has happened after event ``seq``, and let the computer think of that instead."""
        self._tell(self.since(seq))
        if self._engine is not None:
            self._engine.stop()
        self._wake()

    async def refresh(self, seq: int | None = None) -> None:
        """Catch up with the store, unless event ``seq`` is known already.

        Raises:
            RefusedError: the store fails, or holds what cannot be replayed.
        """
        async with self._lock:
            if seq is None or seq > self.seq:
                await self._catch_up()
        self._wake()

    async def next_game(self) -> str:
        """The id of the next game of the match, which is made if it has not begun: the same match, seats changed.

        Raises:
            RefusedError: there is no match, the game or the match is not in that state, or the disk refuses.
        """
        async with self._lock:
            if self._match is None:
                raise RefusedError("This game is one of its own and has no next one.")
            if self._following is None and self._match.game.outcome() is None:
                await self._catch_up()  # it may have ended in another process
            if self._following is not None:
                return self._following
            try:
                self._match.require_next()
            except IllegalMoveError as error:
                raise RefusedError(_sentence(error)) from None
            row = self._row
            following = GameRow(
                id=secrets.token_urlsafe(16),
                variant=row.variant,
                version=row.version,
                options=row.options,
                seats={side: row.seats[other(side)] for side in SIDES},
                match=row.match,
                number=len(self._match.games) + 1,
                position=row.position,
                owner=row.owner,
            )
            self._following = await self._write(self._store.follow, following, self.id, self.seq)
            self._tell(self.since(self.seq))
            return self._following

    def _apply(self, event: Event) -> None:
        told: dict[str, Any] = {}
        if event.kind == "move":
            told = self._push(event)
        else:
            play(self.game, event)
            del self._told.moves[len(self.game.moves) :]
        if event.kind == "undo":
            told["moves"] = len(self._told.moves)
        elif event.kind == "resign":
            told["side"] = event.payload["side"]
        self._told.add(event.kind, told, move="usi" in told)
        if event.command is not None:
            self._done[event.command] = event.seq

    def _push(self, event: Event) -> dict[str, Any]:
        """Push a move; where an illegal one loses the game, it is told but stands in no move list."""
        text, side = event.payload["usi"], self.game.turn
        position, v = self.game.position, self.game.variant
        legal = next((move for move in position.legal_moves() if move.text == text), None)
        if legal is None:
            play(self.game, event)
            return {"illegal": text}
        written, stood = notation_of(v).write(position, legal), position.board
        self.game.push(legal)
        gone = () if turns_of(v) is None else describe.vanished(legal, stood, position.board)
        return describe.move_entry(v, side, legal, written, gone)

    # --- The computer ---

    def _wake(self) -> None:
        """Let the computer think if it is to move."""
        if self._computer_to_move() and self._thinking is None:
            self._thinking = asyncio.create_task(self._think())

    async def _think(self) -> None:
        try:
            while self._computer_to_move():
                async with self._bus.claim(self.id) as ours:
                    if ours:
                        await self._think_once()
                    else:
                        await asyncio.sleep(_LOOK_AGAIN)
        except RefusedError as error:
            self._tell(encode("error", reason=str(error)))
        except Exception:
            log.exception("the computer failed in game %s", self.id)
            self._tell(encode("error", reason="The computer found no move; take back, or load the page again."))
        finally:
            self._thinking = self._engine = None

    async def _think_once(self) -> None:
        """Find a move and make it, unless things have changed meanwhile. The caller holds the claim."""
        await self.refresh()  # the server that held the claim before may have moved
        strength = self._to_think()
        if strength is None:
            return
        async with self._thinkers.lend(self.game.variant, strength.level) as engine:
            if self._to_think() != strength:
                return  # there was no room to think for a while
            seq, self._engine = self.seq, engine
            found = await asyncio.to_thread(engine.search, self.game.position.copy(), time=strength.seconds)
            self._engine = None
        async with self._lock:
            if seq == self.seq and found.move is not None:
                with suppress(OvertakenError):
                    await self._record("move", {"usi": found.move.text})

    async def close(self) -> None:
        """Stop thinking."""
        if self._engine is not None:
            self._engine.stop()
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.gather(self._thinking, return_exceptions=True)


class Hall:
    """All games of one store. A session lives while somebody watches it; the store keeps the rest."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self._store, self._bus, self._thinkers = store, store.bus(), thinkers
        self._refreshing: set[asyncio.Task[None]] = set()
        self._sessions: dict[str, Session] = {}
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Begin to hear what other servers of the store do."""
        await self._bus.open(self._heard, self._missed)

    def _heard(self, game_id: str, seq: int) -> None:
        session = self._sessions.get(game_id)
        if session is not None and seq > session.seq:
            self._refresh(session, seq)

    def _missed(self) -> None:
        for session in self._sessions.values():
            self._refresh(session)

    def _refresh(self, session: Session, seq: int | None = None) -> None:
        if session.idle:
            return  # it catches up when somebody joins

        async def work() -> None:
            try:
                await session.refresh(seq)
            except RefusedError as error:
                log.error("game %s does not hear of other servers: %s", session.id, error)

        task = asyncio.create_task(work())
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def create(
        self, variant: str, options: Mapping[str, str], seats: Mapping[str, str], position: str | None = None
    ) -> str:
        """Make a game, from the position string if there is one, and return its id.

        Raises:
            NotationError: unknown variant or option, or a position that cannot be; every defect at once.
            RefusedError: nobody would play it, or there is nothing to be played.
        """
        made = build(variant, **options)
        if HUMAN not in seats.values():
            raise RefusedError("At least one side must be played by a person.")
        if position is not None:
            position = await asyncio.to_thread(_startable, made, position)
        game = secrets.token_urlsafe(16)
        match, number = (None, None) if made.match_wins is None else (game, 1)
        row = GameRow(game, made.id, made.version, dict(made.options), dict(seats), match, number, position)
        await _stored(self._store.create, row)
        return row.id

    async def _session(self, game_id: str) -> Session:
        """The game's session as the store has it now, opened if it is not; the caller holds the lock."""
        for idle in [id for id, session in self._sessions.items() if session.idle and id != game_id]:
            await self._sessions.pop(idle).close()
        if game_id not in self._sessions:
            stored = await _stored(read, self._store, game_id)
            if stored is None:
                raise RefusedError("There is no game of that name here.")
            # Compiling a large board and replaying a long game would keep everybody else waiting.
            self._sessions[game_id] = await asyncio.to_thread(Session, stored, self._store, self._bus, self._thinkers)
        session = self._sessions[game_id]
        await session.refresh()
        return session

    async def join(self, game_id: str, listener: Listener) -> Session:
        """Watch a game; the computer goes on thinking if it was its turn.

        Raises:
            RefusedError: there is no such game, or it cannot be replayed.
        """
        async with self._opening:
            session = await self._session(game_id)
            session.join(listener)
            return session

    async def next_game(self, game_id: str) -> str:
        """The id of the game after this one in its match, begun if need be: however often it is asked, the same one.

        Raises:
            RefusedError: there is no such game, or no next one.
        """
        async with self._opening:
            return await (await self._session(game_id)).next_game()

    async def close(self) -> None:
        """Stop all thinking and close the store."""
        sessions, self._sessions = self._sessions, {}
        for task in self._refreshing:
            task.cancel()
        for session in sessions.values():
            await session.close()
        await self._bus.close()
        self._store.close()


def _startable(variant: Variant, position: str) -> str:
    """The position as the store keeps it.

    Raises:
        NotationError: it cannot be; every defect at once.
        RefusedError: the game is over in it.
    """
    game = Game(variant, position)
    outcome = game.outcome()
    if outcome is not None:
        raise RefusedError(f"In the position {game.position.sfen()} the game is over: {outcome}.")
    return game.position.sfen(ply=True)


def _sentence(said: Exception | str) -> str:
    text = str(said)
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
