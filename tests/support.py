"""What several test files need: every variant in every setting, random play, and the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import komadai
from komadai.compile import compile_variant
from komadai.errors import IllegalMoveError
from komadai.position import Position
from komadai.reference import Reference
from komadai.spec import Variant
from komadai.variants import entry

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = Path(__file__).parent / "fixtures"
NAMES = komadai.variants()
LONGEST_GAME = 200  # plies after which random play starts over


def settings_of(name: str) -> list[Variant]:
    """The variant under every combination of its own rule options, the default first."""
    options = entry(name).options
    combinations = product(*(option.values for option in options))
    return [
        komadai.variant(name, **{option.name: value for option, value in zip(options, values, strict=True)})
        for values in combinations
    ]


def label(variant: Variant) -> str:
    """A test id: the variant and the options that differ from the default."""
    defaults = dict(komadai.variant(variant.id).options) if variant.id in NAMES else {}
    return " ".join(
        [variant.id, *(f"{name}={value}" for name, value in variant.options if defaults.get(name) != value)]
    )


DEFAULTS = [pytest.param(komadai.variant(name), id=name) for name in NAMES]
EVERY_SETTING = [pytest.param(variant, id=label(variant)) for name in NAMES for variant in settings_of(name)]


@cache
def reference_of(variant: Variant) -> Reference:
    return Reference(variant)


def legal(position: Position) -> set[str]:
    """The move strings of the legal moves."""
    return {str(move) for move in position.legal_moves()}


def generic(position: Position) -> set[str]:
    """The same by the core's generic path, which tries every move and looks."""
    compiled = compile_variant(position.variant)
    return {str(compiled.move(code)) for code in position._native.legal_moves_generic()}


def by_reference(position: Position) -> set[str]:
    """The same by the reference, straight from the spec."""
    return {move.text for move in reference_of(position.variant).legal_moves(position.setup())}


def play(variant: Variant | str, *moves: str, start: str | None = None) -> Position:
    """The position after the moves."""
    position = Position(variant, start)
    for move in moves:
        position.push(move)
    return position


def random_play(variant: Variant, seed: int, positions: int) -> Iterator[tuple[Position, random.Random]]:
    """That many positions of random games, one after the other; the caller must not change them."""
    chance = random.Random(seed)
    position = Position(variant)
    for _ in range(positions):
        yield position, chance
        moves = position.legal_moves()
        if not moves or position.ply > LONGEST_GAME:
            position = Position(variant)
        else:
            position.push(chance.choice(moves))


def assert_agreement(position: Position, chance: random.Random) -> None:
    """Reference, fast path and generic path see the same moves, the same check and the same next position."""
    oracle = reference_of(position.variant)
    setup = position.setup()
    candidates = {move.text: move for move in oracle.legal_moves(setup)}
    moves = position.legal_moves()
    texts = [str(move) for move in moves]
    where = position.sfen()
    assert sorted(texts) == sorted(candidates), where
    assert generic(position) == set(texts), where
    assert position.is_check() == oracle.in_check(list(setup.board), setup.turn), where
    assert position._native.key() == position._native.key_from_scratch(), where
    assert position.perft(1) == len(texts), where
    if moves:
        move = chance.choice(moves)
        position.push(move)
        assert position.setup() == oracle.play(setup, candidates[str(move)]), f"{where} {move}"
        position.pop()
    else:
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.reason == ("checkmate" if position.is_check() else "stalemate"), where


def refusal(variant: str, position: str, move: str) -> str:
    """The reason with which a well-formed move is refused."""
    at = Position(variant, position)
    assert move not in legal(at)
    with pytest.raises(IllegalMoveError) as caught:
        at.push(move)
    assert at.sfen() == position, "a refused move changes nothing"
    return str(caught.value)


def dropped(variant: str, position: str, code: str) -> set[str]:
    """The squares on which that piece may be dropped."""
    return {move.partition("*")[2] for move in legal(Position(variant, position)) if move.startswith(f"{code}*")}


def ways(variant: str, position: str, start: str) -> set[str]:
    """The legal moves of the piece on ``start``, without it."""
    return {move.removeprefix(start) for move in legal(Position(variant, position)) if move.startswith(start)}
