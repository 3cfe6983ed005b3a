"""Power loss: the disk as it may be after any call of a real server, with what was not synced lost, torn or reordered.

The calls are written down by ``strace``, with what they write. What POSIX promises is all that is trusted: written data
is on the disk after a sync of its file, names are there after a sync of their folder. Before that each sector of 512
bytes may be there or not, whatever was written before or after it, and may hold anything where the file had no data.
"""

from __future__ import annotations

import re
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from helpers.support import in_a_loop
from komadai.app.web.game.replay import read
from komadai.app.web.game.state import GameState
from komadai.app.web.store.sqlite import SqliteStore

from . import scripted
from .calls import memory
from .ledger import Ledger
from .traced import Traced

_SECTOR = 512
_CHECKPOINT = 16  # pages: many copies of the write-ahead log
_STRACE = ("-xx", "-s", "2000000", "-e", "trace=openat,pwrite64,ftruncate,fsync,fdatasync,unlink,sendto")
_LINE = re.compile(r"^(?P<thread>\d+) +(?:(?P<call>\w+)\((?P<args>.*)|<\.\.\. \w+ resumed>(?P<rest>.*))$")
_HEX = re.compile(r"\\x([0-9a-f]{2})")
_ACK = re.compile(rb'\{"t":"ack","id":"([^"]+)","seq":(\d+)\}')
_EVENTS = re.compile(rb'\{"t":"events","seq":(\d+),')
_MADE = re.compile(rb'\{"game":"([\w-]{22})"')


@dataclass(frozen=True)
class Call:
    """A call on the file ``name`` of the store's folder, whose own name is empty.

    Attributes:
        kind: ``link``, ``write``, ``truncate``, ``sync``, ``unlink`` or ``send``, which is to a client.
        at: the offset of the data, or the new size.
    """

    kind: str
    name: str = ""
    at: int = 0
    data: bytes = b""


@dataclass
class _File:
    """A file: what is on the disk for certain, and the calls since."""

    data: bytearray = field(default_factory=bytearray)
    since: list[Call] = field(default_factory=list)

    def sync(self) -> None:
        for call in self.since:
            _apply(self.data, call)
        self.since.clear()

    def after(self, chance: Random) -> bytes:
        """The contents after a power loss."""
        data, kept = bytearray(self.data), chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for call in self.since:
            if call.kind == "truncate":
                if chance.random() < kept:
                    _apply(data, call)
                continue
            parts = _sectors(call)
            whole = chance.random() < 0.5  # or torn
            if whole and chance.random() >= kept:
                continue
            for part in parts:
                if whole or chance.random() < kept:
                    _apply(data, part, chance)
        return bytes(data)


class Disk:
    """The folder of the store as of some call."""

    def __init__(self) -> None:
        self._names: dict[str, _File] = {}
        self._durable: dict[str, _File] = {}
        self._since: list[tuple[str, _File | None]] = []

    def do(self, call: Call) -> None:
        """A call is made."""
        if call.kind == "link":
            if call.name not in self._names:
                self._names[call.name] = _File()
                self._since.append((call.name, self._names[call.name]))
        elif call.kind == "unlink":
            del self._names[call.name]
            self._since.append((call.name, None))
        elif call.kind == "sync" and not call.name:
            self._name(self._durable, len(self._since))
            self._since.clear()
        elif call.kind == "sync":
            self._names[call.name].sync()
        elif call.kind in ("write", "truncate"):
            self._names[call.name].since.append(call)

    def _name(self, names: dict[str, _File], count: int) -> None:
        for name, file in self._since[:count]:
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file

    def after(self, chance: Random) -> dict[str, bytes]:
        """The files after a power loss, as it may be."""
        names = dict(self._durable)
        self._name(names, chance.randint(0, len(self._since)))  # file systems change names in order
        return {name: file.after(chance) for name, file in names.items()}


def _apply(data: bytearray, call: Call, chance: Random | None = None) -> None:
    if call.kind == "truncate":
        del data[call.at :]
        data.extend(bytes(call.at - len(data)))
        return
    if call.at > len(data):
        gap = call.at - len(data)
        data.extend(chance.randbytes(gap) if chance is not None and chance.random() < 0.5 else bytes(gap))
    data[call.at : call.at + len(call.data)] = call.data


def _sectors(call: Call) -> Iterator[Call]:
    """The parts of a write by sector."""
    begin = call.at
    end = call.at + len(call.data)
    while begin < end:
        stop = min(end, (begin // _SECTOR + 1) * _SECTOR)
        yield Call("write", call.name, begin, call.data[begin - call.at : stop - call.at])
        begin = stop


# --- The trace ------------------------------------------------------------------------------------------------------


def calls_of(trace: str, folder: Path) -> list[Call]:
    """The calls in a trace that concern the store or clients."""
    begun: dict[str, tuple[str, str]] = {}
    found: list[Call | None] = []
    for line in trace.splitlines():
        parts = _LINE.match(line)
        if parts is None:
            continue
        thread, call = parts["thread"], parts["call"]
        if call is None:
            name, args = begun.pop(thread)
            found.append(_finished(name, args + parts["rest"], folder))
            continue
        args, unfinished, _ = parts["args"].partition(" <unfinished ...>")
        found.append(_begun(call, args, folder))
        if unfinished:
            begun[thread] = (call, args)
        else:
            found.append(_finished(call, args, folder))
    return [call for call in found if call is not None]


def _begun(call: str, args: str, folder: Path) -> Call | None:
    """What may have an effect as soon as it is called."""
    if call == "sendto":
        return Call("send", data=_strings(args)[0])
    if call == "pwrite64" and (name := _file(args, folder)):
        data = _strings(args)[0]
        return Call("write", name, int(args.split("=")[0].rstrip(") ").rsplit(", ", 1)[1]), data)
    if call == "ftruncate" and (name := _file(args, folder)):
        return Call("truncate", name, int(args.split("=")[0].rstrip(") ").rsplit(", ", 1)[1]))
    if call == "unlink" and (name := _within(_strings(args)[0].decode(), folder)):
        return Call("unlink", name)
    return None


def _finished(call: str, args: str, folder: Path) -> Call | None:
    """What has an effect only when it is over."""
    if " = -1 " in args:
        return None
    if call in ("fsync", "fdatasync"):
        name = _file(args, folder)
        return None if name is None else Call("sync", name)
    if call == "openat" and "O_CREAT" in args:
        name = _within(_strings(args)[0].decode(), folder)
        return Call("link", name) if name else None
    return None


def _strings(args: str) -> list[bytes]:
    return [bytes.fromhex("".join(_HEX.findall(text))) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', args)]


def _file(args: str, folder: Path) -> str | None:
    """The name of the file that is the first argument; ``None`` if it is not the store's."""
    found = re.match(r"\d+<([^>]*)>", args)
    if found is None:
        return None
    text = found[1]
    path = bytes.fromhex("".join(_HEX.findall(text))).decode() if text.startswith("\\x") else text
    return _within(path, folder)


def _within(path: str, folder: Path) -> str | None:
    """The name of a file of the store, empty for its folder."""
    if path == str(folder):
        return ""
    name = path.removeprefix(f"{folder}/")
    return name if name.startswith("games.sqlite3") and not name.endswith("-shm") else None


# --- The test -------------------------------------------------------------------------------------------------------


ENDS = (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM)
"""How servers end."""


def trace(ends: Sequence[signal.Signals] = ENDS) -> list[Call]:
    """The calls of servers that run on one store, one after the other."""
    found: list[Call] = []
    with tempfile.TemporaryDirectory(prefix="komadai-", dir=memory()) as name:
        folder = Path(name)
        for how in ends:
            server, ledger = Traced(folder, _STRACE, _CHECKPOINT), Ledger()
            try:
                in_a_loop(scripted.play(ledger, partial(getattr, server, "port"), _no_trouble))
            finally:
                server.end(how)
            games = {id: game for id, (game, _) in ledger.acknowledged.items()}
            found += [_named(call, games) if call.kind == "send" else call for call in calls_of(server.trace, folder)]
    return found


async def _no_trouble(why: str) -> None:
    raise AssertionError(why)


def _named(call: Call, games: dict[str, str]) -> Call:
    """A message with the games of acknowledged commands instead of their ids."""
    data = _ACK.sub(
        lambda ack: b'{"t":"ack","id":"%s","seq":%s}' % (games[ack[1].decode()].encode(), ack[2]), call.data
    )
    return Call("send", data=data)


def promises(calls: list[Call]) -> list[tuple[int, str, int]]:
    """From which call on which event of which game must be on the disk; event 0 is the game itself.

    That is the first message that tells of it, to whomever.
    """
    found: list[tuple[int, str, int]] = []
    told: dict[int, int] = {}
    for index, call in enumerate(calls):
        if call.kind != "send":
            continue
        found += [(index, game.decode(), 0) for game in _MADE.findall(call.data)]
        for seq in _EVENTS.findall(call.data):
            told.setdefault(int(seq), index)
        for game, seq in _ACK.findall(call.data):
            found.append((told.get(int(seq), index), game.decode(), int(seq)))
            told.clear()
    return found


@dataclass
class Losses:
    """What was found.

    Attributes:
        cuts: calls after which the power went off. ``states``: of the disk after that. ``events``: replayed there.
    """

    cuts: int = 0
    states: int = 0
    events: int = 0
    faults: list[str] = field(default_factory=list)


def lose(calls: list[Call], each: int, every: int = 1, seed: int = 1) -> Losses:
    """Cut the power after each ``every``-th call that changes something, and look at ``each`` states of the disk."""
    chance, disk, found = Random(seed), Disk(), Losses()
    promised = promises(calls)
    with tempfile.TemporaryDirectory(prefix="komadai-", dir=memory()) as name:
        for index, call in enumerate(calls):
            disk.do(call)
            if call.kind == "send" or index % every:
                continue
            following = next((n for n in range(index + 1, len(calls)) if calls[n].kind != "send"), len(calls))
            due = [promise for promise in promised if promise[0] < following]
            found.cuts += 1
            for _ in range(each):
                found.states += 1
                fault = _open(Path(name), disk.after(chance), due, found)
                if fault:
                    found.faults.append(f"after call {index} ({call.kind} {call.name} {call.at}): {fault}")
    return found


def _open(folder: Path, files: dict[str, bytes], due: list[tuple[int, str, int]], found: Losses) -> str:
    """What is wrong with the store in these files."""
    for old in folder.iterdir():
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        with closing(SqliteStore(folder / "games.sqlite3")) as store:
            sound = store._read("PRAGMA integrity_check")
            if sound != [("ok",)]:
                return f"integrity {sound}"
            games: dict[str, int] = {}
            for _, game, seq in due:
                games[game] = max(games.get(game, 0), seq)
            for game, seq in games.items():
                stored = read(store, game)
                if stored is None:
                    return f"game {game} is lost"
                state = GameState(stored)
                found.events += state.seq
                if state.seq < seq:
                    return f"event {seq} of game {game} is lost"
            store.secret("cookies")
    except Exception as error:
        return repr(error)
    return ""
