"""A real server in a process of its own, and a client of its WebSocket."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from base64 import b32encode
from contextlib import nullcontext
from pathlib import Path
from secrets import token_bytes
from typing import Any
from uuid import uuid4

import httpx
from websockets.sync.client import ClientConnection, connect

from helpers.forks import Forked, komadai_command
from helpers.web.fitting import spoken

WAIT = 120  # seconds after which a test gives up waiting, on a machine that has much else to do


TOKENS: dict[str, str] = {}
"""The secrets of games made here, by their ids: whatever server the tests ask, they know whose games these are."""


_PASS = """
import os, sys
descriptor, number, *command = sys.argv[1:]
os.dup2(int(descriptor), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=number)
os.execv(command[0], command)
"""


def passing(listening: socket.socket, command: list[str], number: int = 1) -> list[str]:
    """The command that runs a program as systemd does, with that number of sockets, of which this is the first."""
    return [sys.executable, "-c", _PASS, str(listening.fileno()), str(number), *command]


class Server:
    """``komadai play`` as users run it, on a free port unless one is named, with more options if there are any.

    What it writes to its log goes into the file ``log``, if one is named. It listens on a socket of the caller's
    (``listening``) as on one that systemd passes, and begins from nothing then, or if asked to (``loaded=False``).
    """

    def __init__(
        self,
        data: Path,
        port: int = 0,
        *options: str,
        log: Path | None = None,
        listening: socket.socket | None = None,
        loaded: bool = True,
    ) -> None:
        arguments = ["play", "--no-browser", "--port", str(port), "--data", str(data), *options]
        self.process: subprocess.Popen[str] | Forked
        if loaded and listening is None:
            self.process = Forked(komadai_command, *arguments, errors=log)
        else:
            command, passed = [sys.executable, "-c", "from komadai.__main__ import main; main()", *arguments], []
            if listening is not None:
                command, passed = passing(listening, command), [listening.fileno()]
            with nullcontext() if log is None else log.open("w") as errors:
                self.process = subprocess.Popen(
                    command, stdout=subprocess.PIPE, stderr=errors, text=True, pass_fds=passed
                )
        self.data = data
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", first)
        if not found:
            self.end(signal.SIGKILL)
        assert found, f"the server printed no address but {first!r}"
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send the signal and wait for the end, unless it has come already."""
        self.process.send_signal(how)
        try:
            self.process.wait(WAIT)
        finally:
            self.process.kill()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()

    def ask(self, variant: str = "nana", b: str = "human", w: str = "human", **asked: Any) -> httpx.Response:
        """Ask for a game with these seats, and whatever else is asked for."""
        body = {"variant": variant, "seats": {"b": b, "w": w}, **asked}
        return httpx.post(f"{self.url}/api/games", json=body, timeout=WAIT)

    def make(self, *seats: str, **asked: Any) -> dict[str, Any]:
        """Make a game; the answer, with its tokens."""
        answer = self.ask(*seats, **asked)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def game(self, variant: str = "nana", b: str = "human", w: str = "human", **options: str) -> str:
        """Make a game and return its id."""
        return keep(self.make(variant, b, w, options=options))

    def follow(self, game: str) -> httpx.Response:
        """Ask for the next game of the match, as whoever made the first."""
        answer = httpx.post(f"{self.url}/api/games/{game}/next", json={"token": TOKENS.get(game)}, timeout=WAIT)
        if answer.status_code == 200:
            TOKENS[answer.json()["game"]] = TOKENS[game]
        return answer

    def client(self, **options: Any) -> Client:
        """A WebSocket, opened by ``with``."""
        return Client(connect(f"ws://127.0.0.1:{self.port}/socket", open_timeout=WAIT, close_timeout=1, **options))

    def join(self, game: str, seq: int | None = None, token: str | None = "") -> Client:
        """A WebSocket that says hello when it is opened by ``with``; ``Client.state`` is the answer.

        ``token``: by default that of the game's maker; ``None`` for a spectator.
        """
        client = self.client()
        shown = TOKENS.get(game) if token == "" else token
        client.greeting = {"t": "hello", "game": game, "seq": seq, "token": shown}
        return client

    def page(self, game: str) -> str:
        """The address of the game's page for whoever made it."""
        return f"{self.url}/game/{game}#{TOKENS[game]}"


def keep(made: dict[str, Any]) -> str:
    """Keep the secret of a game that was just made; its id."""
    TOKENS[made["game"]] = next(iter(made["tokens"].values()))
    return str(made["game"])


def new_key() -> str:
    """An access key that nobody has."""
    return b32encode(token_bytes(16)).decode().rstrip("=")


def refused(answer: httpx.Response, status: int = 422) -> str:
    """The sentence of an answer that refuses what was asked."""
    assert answer.status_code == status, answer.text
    return str(answer.json()["error"])


class Client:
    """One WebSocket of a server."""

    def __init__(self, opening: Any) -> None:
        self._opening = opening
        self._commands = 0
        self._name = uuid4().hex  # no other client's, whatever becomes of this one's memory
        self.greeting: dict[str, Any] = {}
        self.state: dict[str, Any] = {}

    def __enter__(self) -> Client:
        self.socket: ClientConnection = self._opening.__enter__()
        if self.greeting:
            self.send(**self.greeting)
            self.state = self.receive()
        return self

    def __exit__(self, *error: Any) -> None:
        self._opening.__exit__(*error)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these kinds. Presence is skipped unless asked for."""
        while True:
            said = self.socket.recv(WAIT)
            spoken(said)
            message: dict[str, Any] = json.loads(said)
            if message["t"] in kinds or (not kinds and message["t"] != "presence"):
                return message

    def command(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a command with a fresh id; its ``ack`` or ``refused``."""
        self._commands += 1
        self.send(t=t, id=f"{self._name}-{self._commands}", **fields)
        return self.receive("ack", "refused")

    def move(self, text: str, ply: int) -> dict[str, Any]:
        return self.command("move", text=text, ply=ply)
