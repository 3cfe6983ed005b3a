"""Metrics of one application for Prometheus, and the port on which they are read.

Each application has a registry of its own, since a process may have several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

_LOOPBACK = "127.0.0.1"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class _Grown(Collector):
    """A counter whose value is kept elsewhere."""

    def __init__(self, name: str, about: str, value: Callable[[], float]) -> None:
        self._name, self._about, self._value = name, about, value

    def collect(self) -> Iterable[CounterMetricFamily]:
        yield CounterMetricFamily(self._name, self._about, self._value())


class Metrics:
    """The metrics of one application.

    Attributes:
        sockets: WebSockets open, by route.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.sockets = Gauge("komadai_sockets", "WebSockets open.", ["route"], registry=self._registry)
        self._http = self._histogram("komadai_http_seconds", "From a request to its response, by route.", "route")
        self._commands = self._histogram(
            "komadai_command_seconds", "From a message about a game to its answer, by type.", "type"
        )
        self._store = self._histogram("komadai_store_seconds", "Reads and writes of the store.", "operation")
        self._refusals = self._counter("komadai_refusals", "Requests and messages refused, by reason.", "reason")
        self._failures = self._counter(
            "komadai_store_failures", "Operations of the store that failed (error), or perhaps did not (doubt).", "kind"
        )
        self._events = self._counter("komadai_events_written", "Events of games written by this server.")

    def _histogram(self, name: str, about: str, label: str) -> Histogram:
        return Histogram(name, about, [label], buckets=_SECONDS, registry=self._registry)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(name, about, labels, registry=self._registry)

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a value that is looked up whenever the metrics are read, in the thread that reads them."""
        Gauge(name, about, registry=self._registry).set_function(value)

    def counter(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a value that only grows, looked up like that of :meth:`gauge`."""
        self._registry.register(_Grown(name, about, value))

    def answered(self, route: str, seconds: float) -> None:
        """Count a response to an HTTP request."""
        self._http.labels(route).observe(seconds)

    @contextmanager
    def command(self, kind: str) -> Iterator[None]:
        """Time the answer to a message of that type."""
        with self._commands.labels(kind).time():
            yield

    def refused(self, reason: str) -> None:
        """Count a refusal; the reason is one of a few words."""
        self._refusals.labels(reason).inc()

    def failed(self, *, in_doubt: bool) -> None:
        """Count a failure of the store."""
        self._failures.labels("doubt" if in_doubt else "error").inc()

    @contextmanager
    def store(self, operation: str) -> Iterator[None]:
        """Time an operation of the store; one that appends an event and succeeds is counted."""
        started = perf_counter()
        try:
            yield
            if operation == "append":
                self._events.inc()
        finally:
            self._store.labels(operation).observe(perf_counter() - started)

    @contextmanager
    def serving(self, port: int) -> Iterator[int]:
        """Let the metrics be read on a port by this machine alone; 0: any free one. The port.

        It is a port of its own because behind a proxy every request to a server comes from this machine.

        Raises:
            OSError: it is taken.
        """
        server, thread = start_http_server(port, _LOOPBACK, self._registry)
        try:
            yield server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
