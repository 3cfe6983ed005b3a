"""The planes and actions of encodings against what their names say, in positions of random play."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

import komadai
import komadai.lab.rl
from helpers.support import NAMES
from helpers.volume import FULL
from komadai.compiler.symmetries import symmetries
from komadai.errors import IllegalMoveError, NotationError
from komadai.lab.rl import Encoding
from komadai.spec.board import Unbounded
from komadai.spec.logic import is_compound
from komadai.spec.symmetry import TURN
from komadai.spec.variant import Variant

GAMES = (*NAMES, "annan", "cannon", "dobutsu", "kyoto", "micro", "sho", "tori", "wa")
KINDS = ("flat", "steps")
EVERY = [(game, kind) for game in GAMES for kind in KINDS if kind == "steps" or not is_compound(komadai.variant(game))]


def played(game: str, plies: int, seed: int = 1) -> Iterator[komadai.Position]:
    """Positions of random games, one ply after the other."""
    chance, position = random.Random(seed), komadai.Position(game)
    for _ in range(plies):
        yield position
        if position.is_game_over():
            position = komadai.Position(game)
        position.push(chance.choice(position.legal_moves()))


def seen(position: komadai.Position, point: int) -> tuple[int, int]:
    """Row and column in which the mover sees a point, worked out from the rules of the view alone."""
    board = position.variant.board
    x, y = board.xy(point)
    if isinstance(board, Unbounded):
        other = "w" if position.turn == "b" else "b"
        anchors = [*position.royals(position.turn), *position.royals(other)]
        middle = board.find(anchors[0]) if anchors else board.middle
        assert middle is not None
        x = (x - board.xy(middle)[0] + board.width // 2) % board.width
        y = (y - board.xy(middle)[1] + board.height // 2) % board.height
    if position.turn == "w":
        x, y = board.width - 1 - x, board.height - 1 - y
    return y, x


def expected(encoding: Encoding, position: komadai.Position) -> np.ndarray:
    """The observation of a position at the start of a turn, plane by plane from the names."""
    planes = np.zeros(encoding.shape, np.uint8)
    at = {name: number for number, name in enumerate(encoding.planes)}
    for point, piece in enumerate(position.board):
        if piece is not None:
            owner = "own" if piece.side == position.turn else "enemy"
            planes[at[f"{owner} {piece.code}"], *seen(position, point)] = 1
    for side in ("b", "w"):
        owner = "own" if side == position.turn else "enemy"
        for code, count in position.hand(side).items():
            planes[at[f"{owner} hand {code}"]] = count
    planes[at["black"]] = position.turn == "b"
    planes[at["check"]] = position.is_check()
    if (taken_on := position.setup().taken_on) is not None:
        planes[at["just taken"], *seen(position, taken_on)] = 1
    before, earlier = position.copy(), 0
    while before.move_stack:
        before.pop()
        earlier += before.key() == position.key()
    for name, number in at.items():
        if name.startswith("repeated ") and "," not in name:
            planes[number] = earlier >= int(name.split()[1])
    return planes


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_planes_show_what_their_names_say(game: str, kind: str) -> None:
    encoding = Encoding(game, kind)  # type: ignore[arg-type]
    assert len(encoding.planes) == len(set(encoding.planes)) == encoding.shape[0]
    assert len(encoding.actions) == len(set(encoding.actions)) == encoding.num_actions
    for position in played(game, 60):
        np.testing.assert_array_equal(encoding.observe(position), expected(encoding, position))


def test_a_capture_that_a_position_remembers_is_seen_where_rules_ask_for_it() -> None:
    encoding = Encoding("chu", "steps")
    for text in ("k4r5B/12/12/12/5N5r/12/12/12/12/12/12/K11 w 1a", "k4r5B/12/12/12/5N5r/12/12/12/12/12/12/K11 w -"):
        position = komadai.Position("chu", text)
        planes = encoding.observe(position)
        np.testing.assert_array_equal(planes, expected(encoding, position))
        assert planes[encoding.planes.index("just taken")].sum() == (position.setup().taken_on is not None)
    assert "just taken" not in Encoding("ko", "steps").planes + Encoding("shogi").planes


@pytest.mark.parametrize("game", [game for game, kind in EVERY if kind == "flat"])
def test_flat_actions_are_the_legal_moves_and_their_names_say_which(game: str) -> None:
    encoding = Encoding(game)
    board = encoding.variant.board
    for position in played(game, 80, seed=2):
        if position.is_game_over():
            assert not encoding.mask(position).any()
            continue
        moves = position.legal_moves()
        actions = [encoding.action(position, move) for move in moves]
        assert len(set(actions)) == len(moves) == encoding.mask(position).sum()
        assert encoding.mask(position)[actions].all()
        for move, action in zip(moves, actions, strict=True):
            assert isinstance(action, int)
            assert encoding.move(position, action) == move
            *words, square = encoding.actions[action].split(" ")
            row, column = seen(position, move.target_point)
            assert square == board.name(row * board.width + column)
            if move.is_drop:
                assert words == [f"{move.piece}*"]
            else:
                ending = move.text.removeprefix(f"{move.origin}{move.target}")
                assert words[-1].endswith(ending)
                assert ("+" in words[-1] or "=" in words[-1]) == (ending != "")


@pytest.mark.parametrize("game", GAMES)
def test_steps_lead_to_every_move_and_to_no_other(game: str) -> None:
    encoding, chance = Encoding(game, "steps"), random.Random(3)
    for position in played(game, 40, seed=3):
        if position.is_game_over():
            continue
        moves = list(position.legal_moves())
        for move in chance.sample(moves, min(8, len(moves))):
            path = encoding.action(position, move)
            assert isinstance(path, list)
            assert encoding.move(position, path) == move
            for taken in range(len(path)):
                assert encoding.mask(position, path[:taken])[path[taken]]
            assert all(encoding.move(position, path[:taken]) is None for taken in range(1, len(path)))
        # A turn of any legal steps is a legal move, and the planes show the steps.
        taken: list[int] = []
        while (made := encoding.move(position, taken) if taken else None) is None:
            planes = dict(zip(encoding.planes, encoding.observe(position, taken), strict=True))
            names = [encoding.actions[action] for action in taken]
            assert planes["selected"].sum() == any(name.startswith("select ") for name in names)
            assert sum(planes[f"dropping {code}"].any() for code in encoding.variant.hand_order) == any(
                name.startswith("drop ") for name in names
            )
            if "shot" in planes:
                assert planes["shot"].sum() == len({name for name in names if name.startswith("shoot ")})
                assert planes["passed"].sum() == len({name for name in names if name.startswith("go ")})
            taken.append(int(chance.choice(np.flatnonzero(encoding.mask(position, taken)))))
        assert made in position.legal_moves()


@pytest.mark.parametrize("game", GAMES)
def test_the_select_actions_are_the_origins_of_the_step_tree(game: str) -> None:
    encoding = Encoding(game, "steps")
    for position in islice(played(game, 40, seed=4), 0, None, 4):
        if position.is_game_over():
            continue
        roots = {(move.origin, None if move.origin else move.piece) for move in position.legal_moves()}
        mask = encoding.mask(position)
        names = [encoding.actions[action] for action in np.flatnonzero(mask)]
        assert sum(name.startswith("select ") for name in names) == len({origin for origin, _ in roots if origin})
        assert any(name.startswith("drop ") for name in names) == any(origin is None for origin, _ in roots)


@pytest.mark.parametrize("game", ["shogi", "ki", "nana", "hand", "ko" if FULL else "cannon"])  # Kō's take half a minute
def test_both_sides_see_the_same_where_sides_are_exchanged(game: str) -> None:
    """The observation of a position and of the one with board turned and colours swapped differ in one plane."""
    variant = komadai.variant(game)
    kind = "steps" if is_compound(variant) else "flat"
    encoding = Encoding(variant, kind)  # type: ignore[arg-type]
    turned = next(s for s in symmetries(variant) if s.map == TURN and s.exchanges)
    if turned.kinds != tuple(range(len(variant.kinds))):
        pytest.skip("the exchange permutes the kinds")
    black = encoding.planes.index("black")
    # From the third ply on: before both royal pieces are placed, only the side that begins may lack its own.
    for position in islice(played(game, 40, seed=5), 3, None, 3):
        fresh = komadai.Position(variant, position.sfen())
        setup = turned.image(variant, fresh.setup())
        assert setup
        other = komadai.Position(variant, setup)
        one, two = encoding.observe(fresh), encoding.observe(other)
        assert (one[black] != two[black]).all()
        two[black] = one[black]
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(encoding.mask(fresh), encoding.mask(other))


@pytest.mark.parametrize("game", ["shogi", "ki", "mortal", "ko"])
def test_history_shows_the_positions_before(game: str) -> None:
    kind = "steps" if is_compound(komadai.variant(game)) else "flat"
    one, three = Encoding(game, kind), Encoding(game, kind, history=3)  # type: ignore[arg-type]
    block = one.planes.index("black")
    assert three.planes.index("black") == 3 * block
    for position in played(game, 20, seed=6):
        planes = three.observe(position)
        np.testing.assert_array_equal(planes[:block], one.observe(position)[:block])
        past = position.copy()
        for ago in (1, 2):
            if not past.move_stack:
                assert not planes[ago * block : (ago + 1) * block].any()
                continue
            past.pop()
            shown = planes[ago * block : (ago + 1) * block]
            if past.turn == position.turn:  # the same view, if the royal piece of a board without edges has not moved
                np.testing.assert_array_equal(shown, one.observe(past)[:block])
            else:
                assert shown.any() == one.observe(past)[:block].any()


@pytest.mark.parametrize("game", ["shogi", "nana", "ki", "hand", "tori"])  # tori: two kinds change places
def test_the_mirror_of_a_position_is_seen_in_the_mirror(game: str) -> None:
    variant = komadai.variant(game)
    encoding = Encoding(variant)
    mirror = next(s for s in symmetries(variant) if s.map == (-1, 0, 0, 1) and not s.exchanges)
    for position in islice(played(game, 40, seed=7), 0, None, 4):
        fresh = komadai.Position(variant, position.sfen())
        setup = mirror.image(variant, fresh.setup())
        assert setup
        image = komadai.Position(variant, setup)
        planes, mask = encoding.mirror(encoding.observe(fresh), encoding.mask(fresh))
        np.testing.assert_array_equal(planes, encoding.observe(image))
        np.testing.assert_array_equal(mask, encoding.mask(image))
        numbers = np.flatnonzero(encoding.mask(fresh)).astype(np.int32)
        _planes, moved = encoding.mirror(encoding.observe(fresh), numbers)
        assert moved is not None
        assert encoding.mask(image)[moved].all()
        assert len(set(moved)) == len(numbers)


def test_flat_actions_of_shogi_are_the_usual_2187() -> None:
    """27 planes of 81 squares, as in dlshogi (README, "features") and Pgx (docs/shogi.md)."""
    assert Encoding("shogi").num_actions == 2187
    assert Encoding("nana").num_actions == 17 * 9


def test_compound_games_have_no_flat_actions() -> None:
    with pytest.raises(NotationError, match="choose 'steps'"):
        Encoding("ko")


def test_bad_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(NotationError, match="choose from flat, steps"):
        Encoding("shogi", "free")  # type: ignore[arg-type]
    for history in (0, 17, 1.5, True):
        with pytest.raises(NotationError, match="expected a whole number from 1 to 16"):
            Encoding("shogi", history=history)  # type: ignore[arg-type]
    encoding, position = Encoding("shogi"), komadai.Position("shogi")
    with pytest.raises(NotationError, match="expected <Variant shogi"):
        encoding.observe(komadai.Position("nana"))
    with pytest.raises(IllegalMoveError):
        encoding.action(position, "7g7e")
    with pytest.raises(NotationError, match="expected 0 to 2186"):
        encoding.move(position, 2187)
    with pytest.raises(IllegalMoveError, match=r"action 0 \(N 9a\) cannot be taken here"):
        encoding.move(position, 0)
    steps = Encoding("shogi", "steps")
    with pytest.raises(IllegalMoveError):
        steps.observe(position, [0])


def test_the_description_is_json_and_names_rules_planes_and_actions() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "komadai.lab.rl", "nana", "--actions", "steps"], capture_output=True, check=True
    ).stdout
    encoding = Encoding("nana", "steps")
    assert json.loads(printed) == encoding.describe()
    assert encoding.variant.play_hash.startswith(encoding.id.partition("@")[2])
    changed: Variant = komadai.variant("nana", drop_faces="front")
    assert Encoding(changed, "steps").id != encoding.id
    wrong = subprocess.run([sys.executable, "-m", "komadai.lab.rl", "ko"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
