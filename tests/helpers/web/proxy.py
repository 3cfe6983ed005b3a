"""A proxy before PostgreSQL that loses the answer to a statement."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import threading
import time
from pathlib import Path

_NAME = ".s.PGSQL.5432"
_COMMIT_WITHIN = 0.5  # seconds in which the database does what it has been sent


class Proxy:
    """Passes everything between clients of its folder and the database in another, until it is told otherwise."""

    def __init__(self, database: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="komadai-"))
        self._database = str(database / _NAME)
        self._lose: bytes | None = None
        self._cut = threading.Event()
        self._lines: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / _NAME))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_answer_to(self, statement: bytes) -> None:
        """Pass this statement on once, lose the answer, and be deaf from then on."""
        self._lose = statement

    def mend(self) -> None:
        """Pass everything again."""
        self._cut.clear()

    def close(self) -> None:
        self._listener.close()
        for line in self._lines:
            line.close()
        (self.folder / _NAME).unlink()
        os.rmdir(self.folder)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._cut.is_set():
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._database)
            self._lines += [client, server]
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, target, source is client), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, asked: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                if self._cut.is_set():
                    break
                if asked and self._lose and self._lose in data:
                    self._lose = None
                    self._cut.set()
                    target.sendall(data)
                    time.sleep(_COMMIT_WITHIN)
                    break
                target.sendall(data)
        except OSError:
            pass
        for line in (source, target):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
