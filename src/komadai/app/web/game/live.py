"""Live studies: what a maker shows, and those who follow it at this server.

The store keeps a live study as it stands: a row with what is shown, and the record of each chapter. Each write is
numbered, and notified to the servers that share the store as the events of games are. A study is in memory while
somebody follows it here.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec

from ....i18n import _, ngettext
from ..engines.addresses import Address
from ..engines.rate_limits import RateLimits
from ..engines.running_games import RunningGames
from ..engines.turns import NOBODY, Payer
from ..schema import live as wire
from ..store import LiveRow, Store, new_id
from .audience import Listener
from .lobby import Lobby, makers_in, written
from .replay import RefusedError, TooManyGamesError
from .seats import digest, new_secret
from .store_calls import ask_store

LASTS = 86_400.0
"""Seconds after which a live study ends."""
MOST_FOLLOWERS = 100
"""Followers of a live study at one server."""
MOST_LIVE = 100
"""Live studies of all servers of a store together."""
MOST_BYTES = 256 * 1024
"""Bytes of the records of a live study, as JSON."""
MOST_MOVES = 4000
"""Moves of a live study, in all its chapters."""
_SOON = 0.2  # seconds over which followers who come and go are collected
_RETRIES = 3  # writes that another server was ahead of


class NotLiveError(RefusedError):
    """There is no live study of that name, or no more."""

    def __init__(self) -> None:
        super().__init__(_("This study is not live, or no longer."))


class UnknownChapterError(RefusedError):
    """A chapter or a move is named that there is not."""

    def __init__(self) -> None:
        super().__init__(_("There is no such chapter."))


class NotMakerError(RefusedError):
    """The key is not its maker's."""

    def __init__(self) -> None:
        super().__init__(_("Only who made a live study can change it."))


@dataclass(frozen=True, slots=True)
class Chapter:
    """The record of a chapter, prepared for followers.

    Attributes:
        text: the record as JSON. ``game``: the hash of its rules. ``name``: of the chapter.
        head: its study as JSON, without the three that follow. ``said``: the headers and the result as JSON.
        nodes: each node as JSON, without the number of the node that it follows. ``after``: those numbers.
        moves: their move strings; that of the start is empty.
        scored: of nodes with a score of an engine, the positions before and after the move as numbers
            (:mod:`..engines.running_games`), and the node as JSON without the score.
    """

    text: str
    game: str
    name: str
    head: bytes
    said: tuple[bytes, bytes]
    nodes: Sequence[bytes]
    after: Sequence[int]
    moves: Sequence[str]
    scored: Mapping[int, tuple[tuple[int, ...], bytes]] = field(default_factory=dict)

    def without_advice(self, running: RunningGames) -> Chapter:
        """The chapter without scores on positions of games that two people are playing."""
        hidden = {at: plain for at, (seen, plain) in self.scored.items() if not all(map(running.is_free, seen))}
        return replace(self, nodes=[hidden.get(at, node) for at, node in enumerate(self.nodes)]) if hidden else self

    def whole(self, id: str, version: int) -> str:
        """The message with all of it."""
        headers, result = self.said
        nodes = b",".join(self._node(at) for at in range(len(self.nodes)))
        study = b'%s,"headers":%s,"result":%s,"nodes":[%s]}' % (self.head[:-1], headers, result, nodes)
        begin = b'{"t":"chapter","id":%s,"version":%d' % (msgspec.json.encode(id), version)
        return (begin + b',"study":' + study + b"}").decode()

    def patch(self, was: Chapter, id: str, versions: tuple[int, int]) -> str | None:
        """The message that makes it of what it was; ``None`` if it is another study now."""
        if was.head != self.head:
            return None
        known = {(was.after[at], was.moves[at]): at for at in range(1, len(was.nodes))}
        former = [0]
        for at in range(1, len(self.nodes)):
            former.append(known.get((former[self.after[at]], self.moves[at]), -1))
        nodes = b",".join(
            b"[%d,%d]" % (old, self.after[at]) if old >= 0 and was.nodes[old] == self.nodes[at] else self._node(at)
            for at, old in enumerate(former)
        )
        headers, result = self.said
        name = msgspec.json.encode(id)
        text = b'{"t":"patch","id":%s,"was":%d,"version":%d,"headers":%s,"result":%s,"nodes":[%s]}'
        return (text % (name, *versions, headers, result, nodes)).decode()

    def _node(self, at: int) -> bytes:
        return b'%s,"after":%d}' % (self.nodes[at][:-1], self.after[at]) if at else self.nodes[0]


Prepare = Callable[[str, Payer], Awaitable[Chapter]]
"""Prepares the record of a chapter, of which the JSON was stored."""


class KeptChapter(wire.LiveChapter):
    """A chapter as the store keeps it beside its record: also the hash of the game's rules, the bytes of the record and
    their digest, and the number of moves."""

    game: str
    size: int
    digest: str
    moves: int


class Shown(msgspec.Struct):
    """What is shown, as the store keeps it."""

    chapters: list[KeptChapter]
    view: wire.LiveView

    @property
    def versions(self) -> dict[str, int]:
        """The version of each chapter."""
        return {chapter.id: chapter.version for chapter in self.chapters}


def _next_shown(sent: wire.NewLive, before: Shown | None, fresh: Mapping[str, Chapter]) -> Shown:
    """What is shown after a maker's message.

    Raises:
        RefusedError: it makes no sense, or is too large.
    """
    known = {} if before is None else {chapter.id: chapter for chapter in before.chapters}
    chapters = []
    for id in (chapter.id for chapter in sent.chapters):
        if (made := fresh.get(id)) is not None:
            was, same = known.get(id), digest(made.text)
            version = 1 if was is None else was.version + (was.digest != same)
            size, moves = len(made.text.encode()), len(made.moves) - 1
            chapters.append(KeptChapter(id, made.name, version, made.game, size, same, moves))
        elif id in known:
            chapters.append(known[id])
        else:
            raise UnknownChapterError
    shown = {chapter.id: chapter for chapter in chapters}
    if sent.view.chapter not in shown or sent.view.node > shown[sent.view.chapter].moves:
        raise UnknownChapterError
    if len({chapter.game for chapter in chapters}) > 1:
        raise RefusedError(_("All chapters of a study are of one game."))
    size, moves = sum(chapter.size for chapter in chapters), sum(chapter.moves for chapter in chapters)
    if size > MOST_BYTES or moves > MOST_MOVES:
        words = _(
            "This study is too large to be live: it has {size} kB and {moves} moves, where {most} kB and {count} moves "
            "are possible.",
            size=-(-size // 1024),
            moves=moves,
            most=MOST_BYTES // 1024,
            count=MOST_MOVES,
        )
        raise RefusedError(words)
    return Shown(chapters, sent.view)


_SHOWN = msgspec.json.Decoder(Shown)


def shown_in(row: LiveRow) -> Shown:
    """What a live study shows its followers, read from its row in the store."""
    return _SHOWN.decode(row.shown)


def _text(message: msgspec.Struct) -> str:
    return msgspec.json.encode(message).decode()


class _Follower(NamedTuple):
    """A client: whether it is the maker's, and the versions of the chapters that it has."""

    maker: bool
    has: dict[str, int]


class LiveStudy:
    """A live study at this server, from the first who follows it here until it ends."""

    def __init__(self, row: LiveRow, ended: Callable[[], object]) -> None:
        """``ended``: called when it has ended."""
        self.row, self.shown = row, shown_in(row)
        self.chapters: dict[str, tuple[int, Chapter]] = {}
        self._listeners: dict[Listener, _Follower] = {}
        self._ended = ended
        self._ending = asyncio.get_running_loop().call_later(max(0.0, row.until - time.time()), self.end)
        self._announcing: asyncio.TimerHandle | None = None

    @property
    def followed(self) -> bool:
        """True if a client is connected, the maker's included."""
        return bool(self._listeners)

    @property
    def followers(self) -> int:
        """The clients that follow, without the maker's."""
        return sum(not follower.maker for follower in self._listeners.values())

    def join(self, listener: Listener, maker: bool) -> None:
        """Send all messages to a client that has just been sent nothing yet."""
        self._listeners[listener] = _Follower(maker, {})
        self._announce()
        self.send(listener)

    def leave(self, listener: Listener) -> None:
        """Send it nothing more."""
        self._listeners.pop(listener, None)
        self._announce()
        if not self._listeners:
            self.chapters.clear()

    def send(self, listener: Listener) -> None:
        """Send a client what is shown, with the chapter."""
        self.send_chapter(listener, self.shown.view.chapter)
        listener(self._state())

    def send_chapter(self, listener: Listener, id: str, was: tuple[int, Chapter] | None = None) -> None:
        """Send a client a chapter that has been prepared, or what has changed in it since it was sent; its maker's
        client has it."""
        maker, has = self._listeners[listener]
        version, chapter = self.chapters[id]
        if maker or has.get(id) == version:
            return
        patch = chapter.patch(was[1], id, (was[0], version)) if was is not None and has.get(id) == was[0] else None
        has[id] = version
        listener(patch or chapter.whole(id, version))

    def take(self, row: LiveRow, fresh: Mapping[str, tuple[int, Chapter]]) -> None:
        """Show all clients what was written, with the chapters that have been prepared of it."""
        self.row, self.shown = row, shown_in(row)
        was, versions = self.chapters, self.shown.versions
        self.chapters = {id: one for id, one in (was | dict(fresh)).items() if versions.get(id) == one[0]}
        shown = self.shown.view.chapter
        for listener in tuple(self._listeners):
            self.send_chapter(listener, shown, was.get(shown))
            listener(self._state())

    def end(self) -> None:
        """Tell all clients that it has ended."""
        for listener in tuple(self._listeners):
            listener(_text(wire.EndedMessage("ended")))
        self._listeners.clear()
        self.close()

    def close(self) -> None:
        """Announce nothing any more."""
        self._ending.cancel()
        if self._announcing is not None:
            self._announcing.cancel()
        self._ended()

    def _state(self) -> str:
        chapters = [wire.LiveChapter(one.id, one.name, one.version) for one in self.shown.chapters]
        return _text(wire.LiveMessage(self.row.until, self.followers, chapters, self.shown.view))

    def _announce(self) -> None:
        if self._announcing is None and self._listeners:
            self._announcing = asyncio.get_running_loop().call_later(_SOON, self._count)

    def _count(self) -> None:
        self._announcing = None
        for listener in tuple(self._listeners):
            listener(_text(wire.FollowersMessage(self.followers)))


class Lives:
    """The live studies of a store, as one server shows them."""

    def __init__(self, store: Store, lobby: Lobby, limits: RateLimits, running: RunningGames, prepare: Prepare) -> None:
        self._store, self._lobby, self._limits, self._running = store, lobby, limits, running
        self._prepare = prepare
        self._open: dict[str, LiveStudy] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refreshing: set[asyncio.Task[None]] = set()

    @property
    def count(self) -> int:
        """The studies in memory."""
        return len(self._open)

    # --- For the maker ---

    async def make(self, sent: wire.NewLive, fresh: Mapping[str, Chapter], address: Address) -> wire.LiveMade:
        """Let a study go live.

        Raises:
            RefusedError: it is too large, makes no sense, or there are too many, or the store fails.
        """
        makers = self._lobby.makers(address)
        there = await ask_store(self._store.lives)
        if not address.local:
            counted = Counter(maker for one in there for maker in makers_in(one.maker))
            for maker in makers:
                if counted[maker] >= self._limits.live * maker.shares:
                    own = counted[maker]
                    raise TooManyGamesError(
                        ngettext(
                            "You have {count} live study already: end it first.",
                            "You have {count} live studies already: end one first.",
                            own,
                        )
                    )
        if len(there) >= MOST_LIVE:
            raise TooManyGamesError(_("This server has as many live studies as it can hold; try again later."))
        shown = _next_shown(sent, None, fresh)
        key = new_secret()
        row = LiveRow(new_id(12), digest(key), written(makers), time.time() + LASTS, 1, _text(shown))
        await ask_store(self._store.make_live, row, {id: chapter.text for id, chapter in fresh.items()})
        return wire.LiveMade(row.id, key, row.until)

    async def require_maker(self, id: str, key: str) -> LiveRow:
        """The row of a live study, if that is the key of its maker.

        Raises:
            RefusedError: it is not, there is none, or the store fails.
        """
        open = self._open.get(id)
        row = open.row if open is not None else await self._row(id)
        if not hmac.compare_digest(row.key, digest(key)):
            raise NotMakerError
        return row

    async def show(self, id: str, sent: wire.ShowLive, fresh: Mapping[str, Chapter]) -> int:
        """Show what its maker sent; the number of followers here.

        Raises:
            RefusedError: it is too large, makes no sense, the study is not live, or the store fails.
        """
        async with self._lock(id):
            for _again in range(_RETRIES):
                row = await self._row(id)
                before = shown_in(row)
                shown = _next_shown(sent, before, fresh)
                row = row._replace(number=row.number + 1, shown=_text(shown))
                texts = {one: chapter.text for one, chapter in fresh.items()}
                if await ask_store(self._store.show_live, row, texts, before.versions.keys() - shown.versions.keys()):
                    break
            else:
                raise RefusedError(_("Another window shows the same study; close one of them."))
            study = self._open.get(id)
            if study is None:
                return 0
            made = {one: (shown.versions[one], self._guarded(chapter)) for one, chapter in fresh.items()}
            study.take(row, made if shown.view.chapter in made else made | await self._missing(study, row, shown))
            return study.followers

    async def end(self, id: str) -> None:
        """End a live study.

        Raises:
            RefusedError: the store fails.
        """
        await ask_store(self._store.end_live, id)
        open = self._open.get(id)
        if open is not None:
            open.end()

    # --- For followers ---

    async def join(self, id: str, listener: Listener, key: str | None, address: Address) -> LiveStudy | None:
        """Let a client follow a study; ``None`` if as many follow as may.

        Raises:
            RefusedError: it is not live, or the store fails.
        """
        async with self._lock(id):
            study = self._open.get(id)
            if study is None:
                study = self._open[id] = LiveStudy(await self._row(id), partial(self._open.pop, id, None))
            maker = key is not None and hmac.compare_digest(study.row.key, digest(key))
            if not maker and study.followers >= MOST_FOLLOWERS:
                return None
            await self._ready(study, study.shown.view.chapter, Payer(address))
            study.join(listener, maker)
            return study

    async def chapter(self, study: LiveStudy, listener: Listener, id: str, address: Address) -> None:
        """Send a client a chapter.

        Raises:
            RefusedError: there is none, or the store fails.
        """
        async with self._lock(study.row.id):
            await self._ready(study, id, Payer(address))
            with suppress(KeyError):  # it has left meanwhile
                study.send_chapter(listener, id)

    # --- Other servers ---

    def heard(self, id: str, number: int) -> None:
        """Another server has written, or this one."""
        study = self._open.get(id)
        if study is not None and number != study.row.number:
            self._refresh(study)

    def missed(self) -> None:
        """Others may have written."""
        for study in self._open.values():
            self._refresh(study)

    def _refresh(self, study: LiveStudy) -> None:
        task = asyncio.create_task(self._read_again(study))
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def _read_again(self, study: LiveStudy) -> None:
        async with self._lock(study.row.id):
            with suppress(RefusedError):  # which is in the log
                row = await ask_store(self._store.live, study.row.id)
                if row is None:
                    study.end()
                elif row.number > study.row.number:
                    study.take(row, await self._missing(study, row, shown_in(row)))

    async def _missing(self, study: LiveStudy, row: LiveRow, shown: Shown) -> dict[str, tuple[int, Chapter]]:
        """The chapter shown, if the study does not have it in that version."""
        id, versions = shown.view.chapter, shown.versions
        if not study.followed or study.chapters.get(id, (None,))[0] == versions[id]:
            return {}
        return {id: (versions[id], self._guarded(await self._loaded(row.id, id, NOBODY)))}

    # --- Helpers ---

    async def _row(self, id: str) -> LiveRow:
        row = await ask_store(self._store.live, id)
        if row is None:
            raise NotLiveError
        return row

    async def _loaded(self, live: str, id: str, payer: Payer) -> Chapter:
        text = await ask_store(self._store.live_chapter, live, id)
        if text is None:
            raise UnknownChapterError
        return await self._prepare(text, payer)

    async def _ready(self, study: LiveStudy, id: str, payer: Payer) -> None:
        """Prepare a chapter, unless that is done."""
        version = study.shown.versions.get(id)
        if version is None:
            raise UnknownChapterError
        if study.chapters.get(id, (None,))[0] != version:
            study.chapters[id] = version, self._guarded(await self._loaded(study.row.id, id, payer))

    def _guarded(self, chapter: Chapter) -> Chapter:
        return chapter.without_advice(self._running)

    def _lock(self, id: str) -> asyncio.Lock:
        return self._opening.setdefault(id, asyncio.Lock())

    def close(self) -> None:
        """Read nothing any more."""
        for task in self._refreshing:
            task.cancel()
        for study in tuple(self._open.values()):
            study.close()
