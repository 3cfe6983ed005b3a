"""The socket on which the server listens: its own, or one that systemd keeps open while servers come and go."""

from __future__ import annotations

import contextlib
import errno
import os
import socket as sockets
import sys

from ..errors import NotationError

_PORTS_TO_TRY = 20
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
        bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            bound.bind((host, candidate))
            bound.listen(128)
        except OSError as error:
            bound.close()
            if error.errno == errno.EADDRINUSE:
                continue
            raise NotationError(
                "play", [f"cannot listen on {host} port {candidate}: {error.strerror or error}"]
            ) from None
        if candidate != port:
            print(f"Port {port} is taken; using {candidate} instead.", file=sys.stderr)
        return bound
    raise NotationError("play", [f"ports {wanted[0]} to {wanted[-1]} are all taken; name a free one with --port"])


def raise_file_limit() -> None:
    """Let this process have as many open files as the system permits: each connection is one."""
    if sys.platform == "win32":
        return
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
