"""Claims that must hold for every variant that the check lets pass."""

from __future__ import annotations

import random

from helpers.support import assert_agreement, reference_of
from helpers.volume import volume
from komadai.app.web.http.rulebook import rulebook
from komadai.app.web.presenter import encode
from komadai.engine import Engine
from komadai.game.game import Game
from komadai.game.position import Position
from komadai.spec.sfen import parse
from komadai.spec.variant import Variant
from komadai.variants import Entry
from komadai.view.steps import step_tree
from komadai.workshop import check, loads, variant_text

PLIES = 12
_DEEPEST = 3
_MOST = volume(4_000)  # positions that the reference counts
_CROWDED = 400  # legal moves from which on a position is not looked at more closely
_NODES = 150


class Rejected(Exception):  # noqa: N818  (no error: the check has found its defects)
    """The check refuses the variant."""


def judge(variant: Variant, seed: int = 0) -> int:
    """Hold a variant against everything that must be true of it; the number of positions looked at.

    Raises:
        Rejected: it has defects, and all of them are named.
        AssertionError: something does not hold.
    """
    text = variant_text(variant)
    if defects := check(text):
        assert all(defect.what and defect.line >= 1 for defect in defects)
        raise Rejected("; ".join(map(str, defects)))
    read = loads(text)
    assert read.rules_hash == variant.rules_hash
    assert variant_text(loads(variant_text(read))) == variant_text(read)
    _assert_counts(read)
    _assert_page(read, text)
    chance, looked = random.Random(seed), 0
    game = Game(read)
    engine = Engine(read, hash_mb=1, tables=False)
    for ply in range(PLIES):
        position = game.position.copy()
        moves = position.legal_moves()
        if len(moves) > _CROWDED:
            break
        assert_agreement(position, chance)
        setup = position.setup()
        assert parse(read, position.sfen(ply=True)) == setup
        assert Position.problem(read, position.sfen()).sfen() == position.sfen()
        assert set(step_tree(position).leaves()) == set(moves), position.sfen()
        for move in moves:
            assert position.parse_move(str(move)) == move
            assert position.parse(position.notate(move)) == move, (position.sfen(), str(move))
        looked += 1
        if game.outcome() is not None:
            break
        if ply % 4 == 0:
            found = engine.search(position, nodes=_NODES).move
            assert found in set(moves), (position.sfen(), str(found))
        game.push(chance.choice(moves))
    return looked


def _assert_counts(variant: Variant) -> None:
    """The core's fast and generic path count what the reference counts, as deep as that is not too much."""
    position, oracle = Position(variant), reference_of(variant)
    setup = position.setup()
    for depth in range(1, _DEEPEST + 1):
        fast = position.perft(depth)
        assert fast == position._native.perft(depth, True, True), f"generic path at depth {depth}"
        if fast > _MOST:
            return
        assert fast == oracle.perft(setup, depth), f"reference at depth {depth}"


def _assert_page(variant: Variant, text: str) -> None:
    """The page of the rules and of the game can be made."""
    assert rulebook(variant, Entry(lambda: loads(text))).variant.id == variant.id
    assert encode.position(Game(variant), with_tree=True).tree is not None
