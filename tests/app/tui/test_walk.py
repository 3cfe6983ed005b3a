"""The walk down the tree of steps, without a terminal."""

from __future__ import annotations

import pytest

import komadai
from helpers.support import NAMES, arranged, random_play
from komadai.app.tui.step_walk import Walk
from komadai.game.position import Position
from komadai.view.steps import step_tree

KO = komadai.variant("ko")


def walk_in(pieces: str) -> Walk:
    """A walk in a position with these pieces and a general of each side."""
    return Walk(step_tree(Position(KO, arranged(KO, pieces, besides="G 10s, g 10a"))))


def along(walk: Walk, *squares: str) -> Walk:
    """The walk, after taking up the piece on the first square and the only step at each of the others."""
    walk.reset()
    walk.down(walk.select(squares[0]))
    for square in squares[1:]:
        (step,) = walk.at(square)
        walk.down(step)
        walk.advance()
    return walk


@pytest.mark.parametrize("name", NAMES)
def test_every_walk_ends_in_a_legal_move_and_begins_as_its_string_says(name: str) -> None:
    for position, chance in random_play(komadai.variant(name), seed=7, positions=6):
        legal = {str(move) for move in position.legal_moves()}
        walk = Walk(step_tree(position))
        for _ in range(12 if legal else 0):
            walk.reset()
            foreseen, lost = set(), set()
            while walk.move is None:
                step = chance.choice(list(walk.children))
                foreseen |= {leaf.move for leaf in [walk.only(step)] if leaf is not None}
                lost |= walk.losses(step)
                walk.down(step)
                assert walk.last == step
            assert foreseen == {walk.move}, "before the last step at the latest"
            assert lost == set(walk.effects.loses)
            assert str(walk.move) in legal
            assert KO.id == name or str(walk.move).startswith(walk.text)
            for _ in walk.path:
                walk.up()
            assert not walk.path


def test_two_captures_and_the_way_back() -> None:
    walk = along(walk_in("SW 10j, p 10i, e 11h, P 9j, D 9s"), "10j", "10i")
    assert (walk.here, walk.goal, walk.taken, walk.landings, walk.origin) == ("10i", "10i", ["10i"], ["10i"], "10j")
    assert walk.underway
    assert not walk.choosing
    assert [step.t for step in walk.ends] == ["stop"]
    assert str(along(walk, "10j", "10i", "11h").move) == "10j10i11h"
    walk.up()
    assert (walk.move, walk.taken) == (None, ["10i"])
    assert str(along(walk, "10j", "10i", "10j").move) == "10j10i10j"


def test_shots_in_a_row_or_none() -> None:
    walk = along(walk_in("FC 10k, p 9g, lb 9e, cb 14j, D 9s"), "10k", "9j", "9g")
    assert (walk.here, walk.taken, walk.text) == ("9j", ["9g"], "10k9j*9g")
    (end,) = walk.ends
    walk.down(end)
    assert str(walk.move) == "10k9j*9g"
    assert str(along(walk, "10k", "9j", "9g", "9e").move) == "10k9j*9g*9e"


def test_squares_far_away_can_be_reached_at_once() -> None:
    walk = along(walk_in("SW 10j, p 10i, D 9s"), "10j")
    far = walk.far()
    assert not {"10j", "9j", "10i"} & set(far), "where it stands, and what is near"
    assert {"10h", "8l", "12j"} <= set(far)
    for step in far["8l"]:
        walk.down(step)
    assert str(walk.move) == "10j9k8l"
    assert not Walk(walk.root).far()


def test_what_goes_on_by_itself_is_undone_with_what_led_there() -> None:
    walk = along(walk_in("+D 1s, TP 4s, P 2s 2r 1q"), "1s")
    walk.down(walk.at("1r")[0])
    assert (walk.move, walk.landings) == (None, ["1r"])
    walk.advance()  # five steps, to and fro between two points
    assert walk.landings == ["1r", "1s", "1r", "1s", "1r"]
    assert str(walk.move) in {str(move) for move in walk.root.leaves()}
    walk.up()
    assert [step.t for step in walk.path] == ["select"]
    walk.up()
    assert not walk.path
    walk.up()
    assert not walk.path
