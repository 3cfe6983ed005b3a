"""The law of notations: each that a game is offered writes every legal move, no two alike, and reads it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from komadai import notation
from komadai.game.position import Position
from komadai.notation.xboard import XboardView
from komadai.spec.move import Move


def broken(position: Position, moves: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """The breaches of the law for some legal moves of a position: the notation, and what is wrong with it."""
    view = XboardView(position.variant)
    for style in (*notation.STYLES, *(["xboard"] if view.showable else [])):
        seen: dict[str, Move] = {}
        for move in moves:
            try:
                text = view.write_move(position, move) if style == "xboard" else notation.notate(position, move, style)
                other = seen.setdefault(text, move)
                if other != move:
                    yield style, f"{text} is {other} and {move}"
                if style == "xboard":
                    read = [view.read_move(position, text)]
                else:
                    read = [notation.parse(position, text, style), notation.parse(position, text)]
                for back in read:
                    if back != move:
                        yield style, f"{text} of {move} is read as {back}"
            except Exception as error:
                yield style, f"{type(error).__name__} for {move}: {error}"
