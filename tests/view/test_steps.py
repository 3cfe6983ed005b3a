"""The published tree of steps is that of the reference, and exactly the set of legal moves, in random play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from struct import iter_unpack
from typing import Any

import pytest
from msgspec import to_builtins

import komadai
from helpers import madeup
from helpers.games import random_positions
from helpers.step_trees import assert_same_tree, paths
from helpers.volume import volume
from komadai.app.web.presenter import encode
from komadai.spec.logic import is_compound
from komadai.spec.variant import Variant
from komadai.view.steps import step_tree
from komadai.view.tree import Step
from komadai.workshop import loads

GAMES = [(name, {}) for name in komadai.variants(shelf=False)]
GAMES += [("nana", {"drop_faces": "front"}), ("ko", {"shoot_mode": "either"})]
PLAIN = [(name, options) for name, options in GAMES if not is_compound(komadai.variant(name))]
"""The games in which a turn is one landing or drop, so that there is one way to make it."""


MADE_UP = [variant for variant in vars(madeup).values() if isinstance(variant, Variant)]
ALL = [pytest.param(komadai.variant(name, **options), id=f"{name} {options}") for name, options in GAMES]
ALL += [pytest.param(variant, id=variant.id) for variant in MADE_UP]


def leaves(published: dict[str, Any]) -> list[str]:
    """The move strings at the leaves of the published tree, those of a shared list once."""

    def below(entries: list[dict[str, Any]]) -> list[str]:
        return [move for step in entries for move in ([step["usi"]] if "usi" in step else below(step.get("next", [])))]

    return [move for entries in (published["tree"], *published["shared"]) for move in below(entries)]


@pytest.mark.parametrize("variant", ALL)
def test_the_tree_is_that_of_the_reference_and_the_published_one_the_legal_moves(variant: Variant) -> None:
    plain = not is_compound(variant)
    games = volume(4 if plain else 2)
    for position in random_positions(variant, {}, games=games, plies=volume(120, 40))[:: 1 if plain else 5]:
        assert_same_tree(position)
        said = leaves(to_builtins(encode.choices(position)))
        assert sorted(said if plain else {*said}) == sorted(position.legal_moves().texts()), position.sfen()


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_the_rows_of_a_tree_are_in_bounds(name: str, options: dict[str, str]) -> None:
    for position in random_positions(name, options, games=1, plies=30)[::6]:
        tree, points = position.steps(), len(position.variant.board)
        first = [number for (number,) in iter_unpack("i", tree.first)]
        steps, leaves = list(iter_unpack("6i", tree.steps)), list(iter_unpack("2i", tree.leaves))
        assert (first[0], first[-1], first) == (0, len(steps), sorted(first))
        assert {to for *_, to in steps if to >= 0} == set(range(1, len(first) - 1))  # all nodes but the root
        assert {~to for *_, to in steps if to < 0} == set(range(len(leaves))) == set(range(len(tree.moves)))
        assert all(-1 <= at < points for _, at, *_ in steps)
        assert set(tree.moves) == set(position.legal_moves())
        assert all(0 <= leaf < len(leaves) and 0 <= at < points for leaf, _, at, _ in iter_unpack("4i", tree.effects))
        assert {present for _, present in leaves} | {0} == set(range(len(tree.presences)))


@pytest.mark.parametrize(("name", "options"), PLAIN, ids=str)
def test_paths_are_unique_and_none_begins_another(name: str, options: dict[str, str]) -> None:
    for position in random_positions(name, options, games=volume(4), plies=60):
        all_paths = sorted((path for path, _ in paths(position)), key=repr)
        found = set(all_paths)
        assert len(found) == len(all_paths)
        assert not any(path[:length] in found for path in all_paths for length in range(1, len(path)))


def test_promotion_is_a_choice_between_becoming_and_staying() -> None:
    position = komadai.Position("shogi", "4k4/9/9/2R6/9/9/9/9/4K4 b -")
    found = {str(move): path for path, move in paths(position)}
    assert found["7d7c+"] == (Step("select", "7d"), Step("go", "7c"), Step("promote", code="+R"))
    assert found["7d7c"] == (Step("select", "7d"), Step("go", "7c"), Step("stop", code="R"))
    assert found["7d7e"] == (Step("select", "7d"), Step("go", "7e"))


def test_a_cube_shows_a_face_before_it_is_put_down() -> None:
    position = komadai.Position("nana", "2K/3/k2 b RBrb")
    found = {str(move): path for path, move in paths(position)}
    assert found["SW*1b"] == (Step("drop", code="R"), Step("face", code="SW"), Step("go", "1b"))
    only_front = komadai.Position("nana", "2K/3/k2 b RBrb", drop_faces="front")
    found = {str(move): path for path, move in paths(only_front)}
    assert found["B*1b"] == (Step("drop", code="B"), Step("go", "1b"))


def test_forced_changes_are_no_step() -> None:
    position = komadai.Position("nana", "K1R/3/1k1 b Brb")
    assert all(len(path) == 2 for path, move in paths(position) if not move.is_drop)


def test_choices_come_from_high_to_low_and_staying_last() -> None:
    position = komadai.Position("mortal", "4k4/9/9/4P4/9/9/9/9/4K4 b -")
    pawn = next(child for step, child in step_tree(position).children.items() if step.at == "5d")
    (node,) = pawn.children.values()
    assert [(step.t, step.code) for step in node.children] == [
        ("promote", "G"),
        ("promote", "S"),
        ("promote", "L"),
        ("promote", "N"),
        ("stop", "P"),
    ]


def captures(position: komadai.Position) -> dict[str, dict[str, Any]]:
    """The pieces taken and gained by the captures of the tree that a client gets, by square. No branches are shared."""

    def below(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for step in entries:
            yield step
            yield from below(step.get("next", []))

    said = [step for step in below(to_builtins(encode.choices(position))["tree"]) if step["t"] == "capture"]
    return {step["at"]: {key: step[key] for key in ("takes", "gains")} for step in said}


def test_a_capture_says_what_it_takes_and_what_comes_to_hand() -> None:
    said = captures(komadai.Position("mortal", "4k4/9/9/4g4/4R3p/9/9/9/4K4 b -"))
    assert said["5d"] == {"takes": "G", "gains": "S"}
    assert said["1e"] == {"takes": "P", "gains": None}
    said = captures(komadai.Position("shogi", "4k4/9/9/4+r4/4R4/9/9/9/4K4 b -"))
    assert said["5d"] == {"takes": "+R", "gains": "R"}


def test_a_piece_that_is_turned_back_is_shown_as_what_it_turned_into() -> None:
    path = Path(__file__).with_name("turned-back.toml")
    position = komadai.Position(loads(path.read_text(encoding="utf-8")), "1rrr/1rr1/4/4/3+r/2RR/RRR1 b -")
    tree = step_tree(position)
    assert_same_tree(position)
    node = tree
    for step in (Step("select", "1f"), Step("go", "4c"), Step("promote", code="+R")):
        node = node.children[step]
    assert (str(node.move), node.effects.turns) == ("1f4c+", (("4c", "R"), ("1e", "R")))
