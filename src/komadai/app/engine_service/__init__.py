"""Searches by the engine as an asynchronous service: plain messages in and out, answered here or in another process.

A request names the variant, where the game begins, its moves and the limits; reports and a result come back. No object
of a game crosses, so a backend may be in this process (:class:`InPlaceBackend`), in a child of it
(:class:`ChildBackend`), in a worker of a browser (:class:`WorkerBackend`), or on another machine
(:class:`NetworkBackend`).
"""

from .backend import Backend, EngineFailureError, EngineLostError, InPlaceBackend
from .child import ChildBackend
from .messages import EscapeReport, LineReport, Report, SearchRequest, SearchResult, Subject, TsumeReport
from .network import EngineAwayError, NetworkBackend, parse_addresses
from .worker import WorkerBackend, WorkerEnd

__all__ = [
    "Backend",
    "ChildBackend",
    "EngineAwayError",
    "EngineFailureError",
    "EngineLostError",
    "EscapeReport",
    "InPlaceBackend",
    "LineReport",
    "NetworkBackend",
    "Report",
    "SearchRequest",
    "SearchResult",
    "Subject",
    "TsumeReport",
    "WorkerBackend",
    "WorkerEnd",
    "parse_addresses",
]
