"""The numbers of a small run of ``komadai learn`` in Nana Shogi."""

from __future__ import annotations

from typing import Any

NUMBERS: dict[str, Any] = {
    "hours": None,
    "positions": 300,
    "epochs": 1,
    "hidden": 32,
    "batch": 64,
    "rate": 0.01,
    "trace": 0.9,
    "threads": 1,
    "match_nodes": 3000,
    "match_games": 100,
    "elo0": 0.0,
    "elo1": 10.0,
}
