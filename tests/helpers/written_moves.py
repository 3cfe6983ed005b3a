"""The law of notations: each that a game is offered writes every legal move, no two alike, and reads it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from hypothesis import event

from komadai import notation
from komadai.errors import IllegalMoveError, NotationError
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


def read_or_refused(read: Callable[[Position, str], Move], position: Position, text: str) -> None:
    """Read a text: it is a legal move, or one of two errors, which says of no legal move that it is none."""
    try:
        assert read(position, text) in position.legal_moves()
    except (NotationError, IllegalMoveError) as error:
        event(type(error).__name__)
        if "is legal" in str(error):
            raise


def damaged(chance: Random, text: str, signs: Sequence[str], times: int = 1) -> str:
    """A text with some letters replaced by signs."""
    letters = list(text)
    for _ in range(times):
        letters[chance.randrange(len(letters))] = chance.choice(signs)
    return "".join(letters)
