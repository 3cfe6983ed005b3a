"""Un-moves are the moves turned round: a move leads from one position to another just if an un-move leads back."""

from __future__ import annotations

import random

import pytest

import komadai
from helpers.solved import ENDING, MIDDLING, SMALL
from helpers.volume import volume
from komadai import _core
from komadai.compiler import compile_variant
from komadai.solve.shape import index_of, shape_of
from komadai.spec.variant import Variant

GAMES = [
    *SMALL,
    *ENDING,
    *(pytest.param(one, id=one.id) for one in (MIDDLING, komadai.variant("nana"), komadai.variant("dobutsu"))),
]


def after(index: _core.TableIndex, position: _core.Position) -> set[int]:
    """The numbers of the positions that the moves lead to; a position that ends the game may have none."""
    found = set()
    for move in position.legal_moves():
        position.push(move)
        found.add(index.find(position))
        position.pop()
    return found - {-1}


@pytest.mark.parametrize("which", GAMES)
def test_a_position_is_before_another_just_if_a_move_leads_there(which: Variant) -> None:
    index = index_of(compile_variant(which), shape_of(which))
    chance = random.Random(1)
    left, met = volume(400), 0
    while left:
        slot = chance.randrange(index.size)
        if not index.counts(slot):
            continue
        left -= 1
        children = after(index, index.position(slot))
        for child in children:
            assert slot in index.before(index.position(child)), f"{slot} leads to {child}"
        for parent in index.before(index.position(slot)):
            if index.counts(parent) and index.position(parent).winner_on_board() < 0:
                met += 1
                assert slot in after(index, index.position(parent)), f"{slot} seems to come from {parent}"
    assert met > volume(400)
