"""The port on which the metrics of a process can be read, in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, start_http_server

_LOOPBACK = "127.0.0.1"


@contextmanager
def serving(registry: CollectorRegistry, port: int) -> Iterator[int]:
    """Let the metrics be read on a port by this machine alone; 0: any free one. The port.

    It is a port of its own because behind a proxy every request to a server comes from this machine.

    Raises:
        OSError: it is taken.
    """
    server, thread = start_http_server(port, _LOOPBACK, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
