"""Policies for games with themselves, as workers import them."""

from __future__ import annotations

from collections.abc import Callable

from komadai.game.position import Position
from komadai.lab.rl.measure import Policy
from komadai.spec.variant import Variant


def nth(variant: Variant, parameters: bytes) -> Callable[[int], Policy]:
    """The move of that number in the order of texts, or the last."""
    number = int(parameters)

    def choose(position: Position) -> str:
        texts = sorted(position.legal_moves().texts())
        return texts[min(number, len(texts) - 1)]

    return lambda seed: choose


def wrong(variant: Variant, parameters: bytes) -> Callable[[int], Policy]:
    """A move that no game has."""
    return lambda seed: lambda position: "9z9z"
