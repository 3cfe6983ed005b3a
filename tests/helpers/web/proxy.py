"""A proxy before PostgreSQL that loses, delays and cuts what passes."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Literal

_NAME = ".s.PGSQL.5432"
_COMMIT_WITHIN = 0.5  # seconds in which the database does what it has been sent
_LATE = 0.3  # seconds of a delay
_AWAY = 1.5  # seconds for which there is no database

Trip = Literal["cut", "lose", "delay", "away"]
"""What happens to a piece of what passes: its line is cut before it; it is passed on, and its line cut before an
answer; it comes late; all lines are cut, and there is no database for a while."""
TRIPS: tuple[Trip, ...] = ("cut", "lose", "delay", "away")


class Proxy:
    """Passes everything between clients of its folder and the database in another, until it is told otherwise.

    Attributes:
        pieces: those that have passed, in both directions. ``tripped``: how many were not passed on as they should.
    """

    def __init__(self, database: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="komadai-"))
        self.pieces = self.tripped = 0
        self._database = str(database / _NAME)
        self._lose: bytes | None = None
        self._trips: dict[int, Trip] = {}
        self._unreliable: tuple[Random, float] | None = None
        self._counting = threading.Lock()
        self._cut = threading.Event()
        self._lines: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / _NAME))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_answer_to(self, statement: bytes) -> None:
        """Pass this statement on once, lose the answer, and be deaf from then on."""
        self._lose = statement

    def trip(self, number: int, how: Trip) -> None:
        """Do this to the piece of that number, from 1."""
        self._trips[number] = how

    def be_unreliable(self, chance: Random, share: float) -> None:
        """Do anything to that share of the pieces, but never be away."""
        self._unreliable = (chance, share)

    def mend(self) -> None:
        """Pass everything again."""
        self._cut.clear()
        self._unreliable = None

    def close(self) -> None:
        self._listener.close()
        self._cut_all()
        (self.folder / _NAME).unlink()
        os.rmdir(self.folder)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                if self._cut.is_set():
                    raise ConnectionRefusedError
                server.connect(self._database)
            except OSError:
                client.close()
                server.close()
                continue
            self._lines = [line for line in self._lines if line.fileno() >= 0] + [client, server]
            # The thread that is the last to use them closes them.
            users = threading.Semaphore(1)
            for source, target in ((client, server), (server, client)):
                work = threading.Thread(target=self._pass, args=(source, target, source is client, users), daemon=True)
                work.start()

    def _pass(self, source: socket.socket, target: socket.socket, asked: bool, users: threading.Semaphore) -> None:
        try:
            while (data := source.recv(1 << 16)) and not self._cut.is_set():
                if asked and self._lose and self._lose in data:
                    self._lose = None
                    self._cut.set()
                    target.sendall(data)
                    time.sleep(_COMMIT_WITHIN)
                    break
                how = self._next_trip()
                if how == "delay":
                    time.sleep(_LATE)
                elif how is not None:
                    if how == "lose" and asked:
                        target.sendall(data)
                        time.sleep(_COMMIT_WITHIN)
                    if how == "away":
                        self._go_away()
                    break
                target.sendall(data)
        except OSError:
            pass
        for line in (source, target):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        if not users.acquire(blocking=False):
            source.close()
            target.close()

    def _next_trip(self) -> Trip | None:
        with self._counting:
            self.pieces += 1
            how = self._trips.get(self.pieces)
            if how is None and self._unreliable is not None:
                chance, share = self._unreliable
                how = chance.choice(("cut", "lose", "delay")) if chance.random() < share else None
            self.tripped += how is not None
            return how

    def _go_away(self) -> None:
        self._cut.set()
        threading.Timer(_AWAY, self._cut.clear).start()
        self._cut_all()

    def _cut_all(self) -> None:
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
