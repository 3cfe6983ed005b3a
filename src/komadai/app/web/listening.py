"""The socket on which the server listens: its own, or one that systemd keeps open while servers come and go."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket as sockets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import socket
from types import FrameType
from typing import Any

import uvicorn

from ...errors import NotationError
from ...processes import end_all
from .engines.addresses import plain_host

_log = logging.getLogger(__name__)

_SAID_EVERY = 60.0  # seconds
_PATIENCE = 1.5  # seconds that engines have to end with the server; then they are killed
_OPEN_MAX = 10_240  # files that macOS permits where its limit says that there is none
_PORTS_TO_TRY = 20
_TAKEN = {errno.EADDRINUSE} | ({errno.EACCES} if sys.platform == "win32" else set())  # there also: kept by the system
_SIOCGIFADDR = 0x8915  # the address of an interface
_FIRST_PASSED = 3  # the first file descriptor that systemd passes: sd_listen_fds(3)


def passed_socket() -> sockets.socket | None:
    """The listening socket that systemd has passed to this process, if it has.

    Connections wait in it while no server runs, so that one may take the place of another unnoticed.

    Raises:
        NotationError: it has passed several, or none that listens.
    """
    number = os.environ.pop("LISTEN_FDS", "")
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()) or not number:
        return None
    if number != "1":
        raise NotationError("play", [f"systemd has passed {number} sockets, where one is expected"])
    try:
        passed = sockets.socket(fileno=_FIRST_PASSED)
    except OSError as error:
        raise NotationError("play", [f"systemd has passed no socket: {error.strerror or error}"]) from None
    inet = passed.family in (sockets.AF_INET, sockets.AF_INET6)
    if not inet or not passed.getsockopt(sockets.SOL_SOCKET, sockets.SO_ACCEPTCONN):
        passed.close()
        raise NotationError("play", ["the socket that systemd has passed does not listen for TCP"])
    passed.set_inheritable(False)
    return passed


def bind(host: str, port: int) -> sockets.socket:
    """A socket bound to ``port`` or, if that is taken, to the next free one.

    Raises:
        NotationError: the address cannot be used, or no port near is free.
    """
    wanted = [port] if port == 0 else range(port, min(port + _PORTS_TO_TRY, 65536))
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    for candidate in wanted:
        # The protocol is named because only then does asyncio set TCP_NODELAY.
        bound = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
        if sys.platform == "win32":  # where SO_REUSEADDR would let two servers share the port
            bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_EXCLUSIVEADDRUSE, 1)
        else:
            bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            bound.bind((host, candidate))
            bound.listen(128)
        except OSError as error:
            bound.close()
            if error.errno in _TAKEN:
                continue
            raise NotationError(
                "play", [f"cannot listen on {host} port {candidate}: {error.strerror or error}"]
            ) from None
        if candidate != port:
            print(f"Port {port} is taken; using {candidate} instead.", file=sys.stderr)
        return bound
    raise NotationError("play", [f"ports {wanted[0]} to {wanted[-1]} are all taken; name a free one with --port"])


def own_names() -> list[str]:
    """The addresses of this machine's interfaces, as far as the system says them, its name and that with ``.local``.

    Whatever is missing is known when a client has connected to it.
    """
    name = sockets.gethostname().lower()
    first = name.partition(".")[0]
    found = {name: None, first: None, f"{first}.local": None}
    for address in (*_addresses_by_name(name), *_addresses_by_route(), *_addresses_by_interface()):
        found[plain_host(address.partition("%")[0])] = None
    return [one for one in found if one and one != "localhost"]


def _addresses_by_name(name: str) -> list[str]:
    with contextlib.suppress(OSError, UnicodeError):
        return [str(found[4][0]) for found in sockets.getaddrinfo(name, None)]
    return []


def _addresses_by_route() -> Iterator[str]:
    """The addresses from which this machine would send to others. Nothing is sent."""
    for family, other in ((sockets.AF_INET, "192.0.2.1"), (sockets.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), sockets.socket(family, sockets.SOCK_DGRAM) as sending:
            sending.connect((other, 9))
            yield sending.getsockname()[0]


def _addresses_by_interface() -> Iterator[str]:
    """The addresses of each interface, on Linux."""
    if sys.platform != "linux":
        return
    import fcntl

    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as asking:
        for _number, interface in sockets.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, interface.encode()[:15].ljust(256, b"\0"))
                yield sockets.inet_ntoa(answer[20:24])
    with contextlib.suppress(OSError):
        for line in Path("/proc/net/if_inet6").read_text(encoding="ascii").splitlines():
            yield sockets.inet_ntop(sockets.AF_INET6, bytes.fromhex(line.split()[0]))


def raise_file_limit() -> None:
    """Let this process have as many open files as the system permits: each connection is one."""
    if sys.platform == "win32":
        return
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (hard, _OPEN_MAX):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return


class ListeningServer(uvicorn.Server):
    """Says in a line, once a minute, that no connection can be accepted, for want of files or memory, and ends soon.

    asyncio would write a traceback for each connection that it would accept at once, some thousands a second, and as
    many when the server ends before it has tried again.
    """

    _said = -_SAID_EVERY

    def __init__(self, config: uvicorn.Config, ending: Callable[[dict[str, Any]], object] = lambda _: None) -> None:
        """Prepare; ``ending`` is called as soon as the server begins to end, with the state of the application."""
        super().__init__(config)
        self._ending = ending

    async def serve(self, sockets: list[socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(self._report)
        await super().serve(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End by signals during a block, around or within which the server runs."""
        if threading.current_thread() is threading.main_thread():
            # After its end by a signal the server raises that again: the process ends, whatever its threads wait for.
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            hangup = getattr(signal, "SIGHUP", None)
            if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
                signal.signal(hangup, lambda *_: signal.raise_signal(signal.SIGTERM))
        with super().capture_signals():
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end. Asked for again, the end is the same: it waits for nobody, and puts the games away."""
        super().handle_exit(sig, frame)
        self.force_exit = False

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._ending(self.lifespan.state)
        late = asyncio.get_running_loop().call_later(_PATIENCE, end_all)
        try:
            await super().shutdown(sockets)
        finally:
            late.cancel()

    def _report(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if context["message"].startswith("socket.accept()") and isinstance(error, OSError):
            if time.monotonic() >= self._said + _SAID_EVERY:
                self._said = time.monotonic()
                _log.warning("no connection can be accepted at present: %s", error.strerror)
        elif not (self.should_exit and "._start_serving(" in context["message"]):
            loop.default_exception_handler(context)
