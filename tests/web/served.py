"""A real server in a process of its own, and a client of its WebSocket."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from websockets.sync.client import ClientConnection, connect

WAIT = 20  # seconds after which a test gives up waiting


class Server:
    """``komadai play`` as users run it, on a free port unless one is named, with more options if there are any."""

    def __init__(self, data: Path, port: int = 0, *options: str) -> None:
        command = [sys.executable, "-c", "from komadai.cli import main; main()", "play"]
        command += ["--no-browser", "--port", str(port), "--data", str(data), *options]
        self.data = data
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", first)
        assert found, f"the server printed no address but {first!r}"
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send the signal and wait for the end."""
        self.process.send_signal(how)
        self.process.wait(WAIT)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def game(self, variant: str = "nana", b: str = "human", w: str = "human", **options: str) -> str:
        """Make a game and return its id."""
        asked = {"variant": variant, "seats": {"b": b, "w": w}, "options": options}
        answer = httpx.post(f"{self.url}/api/games", json=asked)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["game"])

    def client(self, **options: Any) -> Client:
        """A WebSocket, opened by ``with``."""
        return Client(connect(f"ws://127.0.0.1:{self.port}/socket", open_timeout=WAIT, close_timeout=1, **options))

    def join(self, game: str, seq: int | None = None) -> Client:
        """A WebSocket that says hello when it is opened by ``with``; ``Client.state`` is the answer."""
        client = self.client()
        client.hello = {"t": "hello", "game": game, "seq": seq}
        return client


class Client:
    """One WebSocket of a server."""

    def __init__(self, opening: Any) -> None:
        self._opening = opening
        self._commands = 0
        self._name = uuid4().hex  # no other client's, whatever becomes of this one's memory
        self.hello: dict[str, Any] | None = None
        self.state: dict[str, Any] = {}

    def __enter__(self) -> Client:
        self.socket: ClientConnection = self._opening.__enter__()
        if self.hello is not None:
            self.send(**self.hello)
            self.state = self.receive()
        return self

    def __exit__(self, *error: Any) -> None:
        self._opening.__exit__(*error)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these kinds."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(WAIT))
            if not kinds or message["t"] in kinds:
                return message

    def command(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a command with a fresh id; its ``ack`` or ``refused``."""
        self._commands += 1
        self.send(t=t, id=f"{self._name}-{self._commands}", **fields)
        return self.receive("ack", "refused")

    def move(self, text: str, ply: int) -> dict[str, Any]:
        return self.command("move", text=text, ply=ply)
