"""Turns of several landings together with hands, royal pieces and support: a lion in minishogi, and games by chance."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from fuzz.variants import JOINED, made
from helpers.step_trees import assert_same_tree
from helpers.support import assert_agreement, reference_of
from helpers.volume import FULL
from komadai.app.puzzles.themes import provers
from komadai.app.web.presenter.blocked_squares import blocked
from komadai.engine import Engine
from komadai.engine.forced_win import attack
from komadai.errors import IllegalMoveError, IllegalPositionError
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec import At, FarRanks, Forbid, Is, Remove, Rule, Support, Supported, Take, Variant
from komadai.workshop import check, loads, variant_text

DEEPEST = 3 if FULL else 2  # plies that the reference counts

LION = loads((Path(__file__).parent / "lion-minishogi.toml").read_text(encoding="utf-8"))


def at(sfen: str, variant: Variant = LION) -> Position:
    return Position(variant, sfen)


def refusal(position: Position, move: str) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        position.push(move)
    return str(caught.value)


def test_reference_and_core_count_the_same() -> None:
    position, oracle = at(LION.start), reference_of(LION)
    counts = [position.perft(depth) for depth in (1, 2, 3)]
    assert counts == [18, 274, 4339]
    assert counts[:DEEPEST] == [oracle.perft(position.setup(), depth) for depth in range(1, DEEPEST + 1)]
    assert counts == [position._native.perft(depth, True, True) for depth in (1, 2, 3)]


def test_both_pieces_that_a_turn_captures_come_to_hand() -> None:
    position = at("4k/1pb2/1L3/5/K4 b -")
    position.push("4c4b3b")
    assert position.sfen() == "4k/2L2/5/5/K4 w BP"


def test_of_turns_that_differ_in_what_comes_to_hand_each_is_a_move() -> None:
    # On 3b the lion comes by way of the pawn's square or of an empty one.
    moves = at("4k/1pb2/1L3/5/K4 b -").legal_moves().texts()
    assert {"4c3b", "4c4b3b"} <= set(moves)


def test_a_king_is_attacked_by_what_a_turn_reaches_with_its_second_landing() -> None:
    assert at("k4/5/2L2/5/4K w -").is_check()
    # A piece beside the lion is no shield: it takes that first.
    assert at("k4/1p3/2L2/5/4K w -").is_check()
    assert not at("k4/5/5/2L2/4K w -").is_check()


def test_a_king_may_not_stay_where_a_turn_of_two_landings_takes_it() -> None:
    position = at("4k/5/5/2L2/4K w -")
    assert "1a1b" not in position.legal_moves().texts()
    assert "it would leave your king attacked" in refusal(position, "1a1b")


def test_check_has_to_be_parried() -> None:
    position = at("k3g/5/2L2/5/4K w -")
    assert position.is_check()
    assert "it does not parry the check to your king" in refusal(position, "1a1b")
    # To take the lion parries it.
    assert at("k4/1gL2/5/5/4K w -").legal_moves().texts() == ["4b3b"]


def test_mate_by_a_lion_ends_the_game() -> None:
    assert at("k4/5/2L2/5/4K w -").outcome() == Outcome("b", "checkmate")


def test_rules_about_drops_hold_in_such_games() -> None:
    position = at("k4/5/5/P1L2/4K b LGP")
    moves = position.legal_moves().texts()
    assert "L*3b" in moves
    assert not [move for move in moves if move.startswith("P*5")]  # a second pawn on the file
    assert not [move for move in moves if move.startswith("P*") and move.endswith("a")]  # it could never move again
    assert "pawn" in refusal(position, "P*5b")
    assert "3d is not empty" in refusal(position, "P*3d")
    assert "no bishop in hand" in refusal(position, "B*3c")


def test_the_page_says_where_a_pawn_may_not_be_dropped() -> None:
    assert blocked(at("k4/5/5/P1L2/4K b LGP"))["P*"] == ["5b", "5c", "5e"]


def test_a_pawn_may_not_be_dropped_to_mate_where_a_lion_guards_it() -> None:
    mate = at("4k/1L3/3G1/5/K4 b P")
    assert "P*1b" not in mate.legal_moves().texts()
    assert "mate" in refusal(mate, "P*1b")
    # Here the king escapes, so the drop is legal.
    assert "P*1b" in at("4k/5/3GG/5/K4 b P").legal_moves().texts() or at("4k/5/3GG/5/K4 b P").is_game_over()


def test_a_position_is_refused_whose_king_could_be_taken_by_a_second_landing() -> None:
    with pytest.raises(IllegalPositionError, match="White's king is attacked although Black is to move"):
        at("k4/5/2L2/5/4K b -")


def test_a_pawn_that_must_promote_lands_where_it_could_not_stay() -> None:
    moves = at("3k1/P4/5/5/K3L b -").legal_moves().texts()
    assert "5b5a+" in moves
    assert "5b5a" not in moves


def test_a_rule_that_removes_a_royal_piece_makes_the_move_illegal() -> None:
    burns = replace(LION, rules=(*LION.rules, Rule("arrives", Is(("K",)) & At(FarRanks(1)), Remove("lost"), "mine 1")))
    position = at("5/K3k/5/5/5 b -", burns)
    assert {"5b4b", "5b5c", "5b4c"} == set(position.legal_moves().texts())
    assert "it would lose your king" in refusal(position, "5b5a")


def test_support_is_asked_where_a_turn_lands_and_at_its_end() -> None:
    held = replace(
        LION,
        support=Support(("K",), ("S", "+S"), 2),
        rules=(
            Rule("lands", Is(("L",)) & ~Supported(), Forbid("it would stand alone"), "mine 1"),
            Rule("turn_end", ~Supported(), Take("it stands alone"), "mine 2"),
        ),
    )
    position = at("k4/5/5/2L2/3K1 b -", held)
    # The first landing is on a supported square, the second is not.
    assert "it would stand alone" in refusal(position, "3d3c3b")
    assert "3d2d" in position.legal_moves().texts()
    # Whoever leaves a piece behind loses it to the opponent.
    far = at("k4/5/5/G2L1/4K b -", held)
    far.push("2d1d")
    assert far.sfen() == "k4/5/5/4L/4K w g"


def test_the_engine_finds_a_mate_that_a_lion_gives() -> None:
    position = at("k4/5/5/2L2/4K b -")
    found = Engine(LION, hash_mb=1, tables=False).search(position, depth=2)
    position.push(found.move)
    assert position.outcome() == Outcome("b", "checkmate")


def test_a_forced_mate_is_proved_and_makes_a_puzzle() -> None:
    position = at("1bslk/3gp/1L3/P1B2/KGS2 b -")
    assert attack(position, 2, 10**6).known
    assert not attack(position, 2, 10**6).turns
    found = attack(position, 3, 10**6, every=True)
    assert (found.turns, list(map(str, found.firsts))) == (3, ["4c2a"])
    (proved,) = provers(LION, "win")
    puzzle = proved.prove(position)
    assert puzzle is not None
    assert puzzle.solution[0] == "4c2a"


def test_agents_take_its_turns_step_by_step() -> None:
    rl = pytest.importorskip("komadai.lab.rl")
    encoding, env = rl.Encoding(LION, "steps"), rl.VecEnv(LION, 2, encoding="steps", seed=1, max_plies=30)
    env.reset()
    for _ in range(60):
        for position in (env.position(0), env.position(1)):
            for move in position.legal_moves():
                assert encoding.move(position, encoding.action(position, move)) == move
        env.step(env.random_actions())


def test_trees_of_steps_have_drops_and_only_what_is_safe() -> None:
    chance = random.Random(5)
    position = at(LION.start)
    for _ in range(40):
        if position.is_game_over():
            break
        assert_same_tree(position)
        position.push(chance.choice(position.legal_moves()))


@pytest.mark.parametrize("seed", range(JOINED, JOINED + 12))
def test_trees_of_steps_of_games_by_chance(seed: int) -> None:
    text = variant_text(made(seed))
    if check(text):
        return
    chance, position = random.Random(seed), Position(loads(text))
    for _ in range(8):
        if position.is_game_over():
            break
        assert_agreement(position, chance)
        assert_same_tree(position)
        position.push(chance.choice(position.legal_moves()))
