"""The Python API: copies, pickles, equality, looking at positions, games as sequences, and how objects print."""

from __future__ import annotations

import ast
import copy
import importlib
import os
import pickle
import pkgutil
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import pytest

import komadai
from helpers.support import DEFAULTS, ROOT, needs_processes, play, random_play
from helpers.volume import FULL, volume
from komadai import Game, Match, Outcome, Position, Record, Variant, spec
from komadai.compiler import Compiled, compile_variant
from komadai.errors import IllegalMoveError, IllegalPositionError, KomadaiError, NotationError
from komadai.i18n import speaking
from komadai.notation import STYLES
from komadai.reference.explain import reference_of
from komadai.spec import SIDES, Action, Condition
from komadai.spec.board import other
from komadai.spec.logic import is_compound
from komadai.spec.material import royals

MINE = replace(komadai.variant("nana"), id="mine", name="Mine", options=())
"""A variant of one's own, without the option that every variant of the registry has."""

SHOGI_KEY = 6066619999114648032


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


WAYS = pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickled])


def played(variant: str | Variant, plies: int, seed: int = 0) -> Position:
    """A position of a game by chance, which goes on; whatever the order in which moves are generated."""
    position, chance = Position(variant), random.Random(seed)
    while position.ply <= plies:
        moves = sorted(map(str, position.legal_moves()))
        position.push(chance.choice(moves))
        if position.outcome() is not None:
            position.pop()
    return position


# --- Copies and pickles ---------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize("variant", [*DEFAULTS, pytest.param(MINE, id="mine")])
def test_a_copied_position_goes_its_own_way(variant: Variant, way: Callable[[Any], Any]) -> None:
    position = played(variant, 12)
    before, stack = position.sfen(ply=True), position.move_stack
    twin = way(position)
    assert twin == position
    assert (twin.sfen(ply=True), twin.move_stack, twin.key()) == (before, stack, position.key())
    twin.push(min(map(str, twin.legal_moves())))
    assert twin != position
    assert position.sfen(ply=True) == before
    while twin.move_stack:
        twin.pop()
    assert twin == Position(variant)
    assert position.move_stack == stack


@WAYS
def test_a_copied_position_remembers_repetitions(way: Callable[[Any], Any]) -> None:
    shuffle = ("5i5h", "5a5b", "5h5i", "5b5a")
    position = play("shogi", *shuffle * 2, start="4k4/9/9/9/9/9/9/9/4K4 b - 5")
    twin = way(position)
    for move in shuffle:
        assert twin.outcome() is None
        twin.push(move)
    assert twin.outcome() == Outcome(None, "repetition")
    assert twin.ply == 17
    assert position.outcome() is None


@WAYS
def test_a_copied_game_goes_its_own_way(way: Callable[[Any], Any]) -> None:
    game = Game("nana", "2K/3/k2 b RBrb 5", drop_faces="front")
    game.push("R*1b")
    twin = way(game)
    assert twin.record() == game.record()
    twin.push(min(map(str, twin.position.legal_moves())))
    twin.resign("b")
    assert (len(game), game.outcome(), game.position.ply) == (1, None, 6)
    assert twin.position.ply == 7
    again = way(twin)
    assert again.outcome() == twin.outcome() == Outcome("w", "resign")
    assert again.start == game.start


@WAYS
def test_a_copied_match_goes_its_own_way(way: Callable[[Any], Any]) -> None:
    match = Match("hand")
    match.game.resign("w")
    twin = way(match)
    twin.next_game().push(min(map(str, twin.game.position.legal_moves())))
    assert (len(match.games), len(twin.games), twin.run) == (1, 2, match.run)
    assert match.record() == {**twin.record(), "games": twin.record()["games"][:1]}


@WAYS
def test_a_variant_of_the_registry_stays_one_object(way: Callable[[Any], Any]) -> None:
    variant = komadai.variant("nana", drop_faces="front")
    assert way(variant) is variant
    assert way(replace(variant, version="mine")).version == "mine"


def test_an_error_comes_back_from_another_process() -> None:
    with pytest.raises(NotationError) as caught:
        Position("shogi", "nonsense")
    again = pickled(caught.value)
    assert (type(again), str(again), again.defects) == (NotationError, str(caught.value), caught.value.defects)


# --- Equality and keys ----------------------------------------------------------------------------------------------


def test_a_position_cannot_be_hashed() -> None:
    for position in (Position("shogi"), Game("shogi").position):
        with pytest.raises(TypeError, match="unhashable"):
            hash(position)
        with pytest.raises(TypeError, match="unhashable"):
            _ = {position}


def test_the_key_is_the_same_on_every_machine() -> None:
    assert Position("shogi").key() == SHOGI_KEY
    position = played("shogi", 9)
    assert position.copy().key() == Position("shogi", position.sfen()).key() == position.key()
    before = position.key()
    position.push(min(map(str, position.legal_moves())))
    assert position.key() != before
    position.pop()
    assert position.key() == before


# --- Moves ----------------------------------------------------------------------------------------------------------


def test_move_strings_are_found_among_legal_moves() -> None:
    position = Position("shogi")
    moves = position.legal_moves()
    assert "7g7f" in moves
    assert position.parse("7g7f") in moves
    assert "7g7e" not in moves
    assert 7 not in moves
    assert len(moves) == 30


@pytest.mark.parametrize("variant", DEFAULTS)
def test_squares_are_names_everywhere(variant: Variant) -> None:
    squares = set(map(variant.board.name, variant.board.points))
    for position, _ in random_play(variant, 1, 25):
        for move in position.legal_moves():
            assert {move.target, *move.landings, *move.shots, *({move.origin} - {None})} <= squares
            assert move.landings[-1] == move.target
            assert move.origin == (None if move.origin_point is None else variant.board.name(move.origin_point))
            assert move.target == variant.board.name(move.target_point)
            points = [landing.point for landing in move.way] or [move.target_point]
            assert list(move.landings) == list(map(variant.board.name, points))
            shots = [shot for landing in move.way for shot in landing.shots]
            assert list(move.shots) == list(map(variant.board.name, shots))
            assert position.losses(move) <= squares
        for found in (position.immobilized(), position.stranded(), position.royals("b"), position.royals("w")):
            assert found <= squares


def test_losses_take_a_move_string_too() -> None:
    position = Position("shogi")
    assert position.losses("7g7f") == frozenset()
    with pytest.raises(IllegalMoveError):
        position.losses("7g7e")


def test_questions_about_moves() -> None:
    position = Position("shogi", "4k4/9/4p4/9/4R4/9/9/9/4K4 b -")
    assert [position.is_capture(move) for move in ("5e5c", "5e5c+", "5e5d", "5i5h")] == [True, True, False, False]
    assert [position.gives_check(move) for move in ("5e5c", "5e4e", "5e4e")] == [True, False, False]
    assert [position.is_legal(move) for move in ("5e5c", "5e5b", "nonsense")] == [True, False, False]
    assert position.is_legal(position.parse("5e5c"))
    assert not Position("shogi").is_legal(position.parse("5e5c"))
    for ask in (position.is_capture, position.gives_check):
        with pytest.raises(IllegalMoveError):
            ask("5e5b")
        with pytest.raises(IllegalMoveError):
            ask(Position("shogi").parse("7g7f"))
    assert position.move_stack == ()


@pytest.mark.parametrize("variant", DEFAULTS)
def test_captures_and_checks_are_those_of_the_core(variant: Variant) -> None:
    compound, captures = is_compound(variant), 0
    for position, chance in random_play(variant, 2, volume(80 if compound else 320, part=8)):
        checks, theirs, moves = set(position._native.legal_checks()), other(position.turn), position.legal_moves()
        for move in chance.sample(moves, min(len(moves), 20)):
            assert position.gives_check(move) == (move in checks), f"{position.sfen()} {move}"
            after = position.copy()
            after.push(move)
            before, left = (sum(bool(piece) and piece.side == theirs for piece in at.board) for at in (position, after))
            captures += position.is_capture(move)
            # In compound moves pieces may also be removed without being captured.
            assert left < before if position.is_capture(move) else left == before or compound, (
                f"{position.sfen()} {move}"
            )
    assert captures


def test_pop_gives_the_move_back() -> None:
    position = Position("shogi")
    with pytest.raises(IndexError, match="no move to take back"):
        position.pop()
    position.push("7g7f")
    [move] = position.move_stack
    assert position.pop() is move
    assert position.move_stack == ()


@pytest.mark.parametrize("variant", DEFAULTS)
def test_legal_moves_are_those_of_the_position_after_pushes_and_pops_in_any_order(variant: Variant) -> None:
    chance, position = random.Random(3), Position(variant)
    for _ in range(120):
        moves = position.legal_moves()
        assert moves == position.copy().legal_moves(), position.sfen()
        if position.move_stack and (not moves or chance.random() < 0.45):
            position.pop()
        else:
            position.push(chance.choice(moves))


# --- Looking --------------------------------------------------------------------------------------------------------


def test_a_square_is_looked_up_by_its_name() -> None:
    position = Position("shogi")
    assert position["8h"] == position.piece_at("8h") == ("b", "B")
    assert position["5e"] is None
    for nonsense in ("10a", "0a", "7", "", "7G", 7, None):
        with pytest.raises(NotationError, match="expected a square from 1a to 9i"):
            position[nonsense]  # type: ignore[index]


@pytest.mark.parametrize("variant", DEFAULTS)
def test_looking_up_agrees_with_the_board(variant: Variant) -> None:
    for position, _ in random_play(variant, 1, 20):
        board = position.setup().board
        assert [position[variant.board.name(point)] for point in variant.board.points] == list(board)
        for side in SIDES:
            own = {variant.board.name(at) for at, piece in enumerate(board) if piece and piece.side == side}
            assert position.royals(side) == {at for at in own if position[at].code in royals(variant)}  # type: ignore[union-attr]


def test_sides_are_checked() -> None:
    position = Position("shogi")
    for ask in (position.hand, position.royals, lambda side: position.attackers("5e", side)):
        with pytest.raises(NotationError, match="expected b"):
            ask("black")  # type: ignore[arg-type, operator]


def test_attacks_of_shogi() -> None:
    position = Position("shogi")
    assert position.attacks("8h") == {"7g", "9g", "7i", "9i"}
    assert position.attackers("8g", "b") == frozenset()
    assert position.attackers("7g", "b") == {"8h", "8i"}
    assert position.attackers("5e", "b") == position.attacks("5e") == frozenset()


@pytest.mark.parametrize("variant", DEFAULTS)
def test_attacks_are_those_of_the_moves(variant: Variant) -> None:
    """Against the core's legal moves, the core's check, and the reference's moves before any prohibition."""
    compound, name, met = is_compound(variant), variant.board.name, 0
    for position, chance in random_play(variant, 2, volume(2) if compound else volume(60)):
        turn, pieces = position.turn, {name(at): piece for at, piece in enumerate(position.board) if piece}
        own = sorted(square for square, piece in pieces.items() if piece.side == turn)
        attacks = {square: position.attacks(square) for square in chance.sample(own, min(len(own), 8))}
        for move in position.legal_moves():
            if move.origin in attacks:
                assert {*move.landings, *move.shots} - {move.origin} <= attacks[move.origin], (
                    f"{position.sfen()} {move}"
                )
        for square, found in attacks.items():
            assert square not in found
            for target in chance.sample(sorted(found), min(len(found), 2)):
                met += 1
                assert square in position.attackers(target, turn)
        if not compound:
            reference, setup = reference_of(variant), position.setup()
            candidates = [move for move in reference.candidates(setup) if move.origin is not None]
            for square, found in attacks.items():
                reached = {name(move.target) for move in candidates if name(move.origin or 0) == square}
                assert found - set(own) == reached, f"{position.sfen()} {square}"
            if kings := position.royals(turn):
                assert position.is_check() == any(position.attackers(king, other(turn)) for king in kings)
    assert met


# --- Notations ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", DEFAULTS)
def test_moves_are_written_and_read_in_every_style(variant: Variant) -> None:
    position = played(variant, 12)
    for move in position.legal_moves()[:20]:
        for style in STYLES:
            assert position.parse(position.notate(move, style), style) == move
        assert position.notate(move) == position.notate(move.text, variant.notation)
        for text in (move.text, position.notate(move), position.notate(move, "fen")):
            assert position.parse(text) == move


def test_parse_says_what_is_wrong() -> None:
    position = Position("shogi")
    with pytest.raises(NotationError, match="expected a piece"):
        position.parse("nonsense")
    for ask in (position.parse, position.notate):
        with pytest.raises(IllegalMoveError):
            ask("7g7e")
        with pytest.raises(NotationError, match="choose from usi, hodges, compass, japanese, fen"):
            ask("7g7f", "san")


# --- Games ----------------------------------------------------------------------------------------------------------


def test_the_position_of_a_game_only_shows_it() -> None:
    game = Game("shogi")
    seen = game.position
    for attempt in (lambda: seen.push("7g7f"), seen.pop):
        with pytest.raises(TypeError, match=r"game\.position\.copy\(\)"):
            attempt()
    game.push("7g7f")
    assert seen == game.position == play("shogi", "7g7f")
    assert (seen.ply, seen.move_stack) == (2, game.moves)
    own = seen.copy()
    own.push("3c3d")
    assert pickled(seen) == seen
    copy.copy(seen).push("3c3d")
    pickled(seen).push("3c3d")
    assert len(game) == 1
    with pytest.raises(AttributeError):
        game.position = own  # type: ignore[misc]


def test_a_game_is_a_sequence_of_moves() -> None:
    game = Game("shogi")
    assert len(game) == 0
    assert game  # a game before its first move is a game
    moves = ["7g7f", "3c3d", "2g2f"]
    for move in moves:
        game.push(move)
    assert [str(move) for move in game] == moves
    assert (str(game[0]), str(game[-1]), list(map(str, game[1:]))) == ("7g7f", "2g2f", moves[1:])
    assert list(map(str, reversed(game))) == moves[::-1]
    assert "3c3d" in game
    assert game[1] in game
    assert game.index(game[1]) == game.index("3c3d") == 1
    assert game.count(game[1]) == game.count("3c3d") == 1
    with pytest.raises(ValueError, match="not in list"):
        game.index("3c3e")
    assert "3c3e" not in game
    with pytest.raises(IndexError):
        game[3]
    assert game.pop() == game.start.parse("2g2f")
    assert len(game) == len(game.position.move_stack) == 2


def test_a_variant_of_ones_own_is_played() -> None:
    game = Game(MINE)
    before = game.record()
    with pytest.raises(IllegalMoveError, match="the first move must drop the king"):
        game.push("R*2b")
    assert game.record() == before
    game.push("K*1a")
    assert game.outcome() is None
    assert not game.is_game_over()
    assert Record.of(game).game().moves == game.moves
    assert komadai.Engine(MINE).search(game.position, depth=2).move in game.position.legal_moves()


def test_an_illegal_move_may_lose() -> None:
    game = Game(replace(MINE, options=(("illegal_move", "loses"),)))
    game.push("R*2b")
    assert game.outcome() == Outcome("w", "illegal")
    assert game.is_game_over()


def test_is_game_over() -> None:
    start = "7nk/9/7GP/9/9/9/9/9/4K4 b -"
    assert not Position("shogi", start).is_game_over()
    assert play("shogi", "1c1b", start=start).is_game_over()


# --- How objects print ----------------------------------------------------------------------------------------------


def objects() -> Iterator[object]:
    for variant in map(komadai.variant, komadai.variants(shelf=False)):
        start = Position(variant)
        yield from (variant, start, Game(variant), Record.begin(variant), start.legal_moves()[0])
    yield from (Match("hand"), komadai.Engine("nana"), Outcome("b", "checkmate"))


@pytest.mark.parametrize("value", list(objects()), ids=lambda value: type(value).__name__)
def test_reprs_are_short(value: object) -> None:
    name = type(value).__name__
    assert repr(value).startswith((f"{name}(", f"<{name} "))
    assert len(repr(value)) < (800 if isinstance(value, Position) else 250)


def test_reprs() -> None:
    game = Game("nana", drop_faces="front")
    game.push("K*1a")
    assert repr(game) == "<Game nana, 1 move, White to move>"
    assert repr(game[0]) == "Move('K*1a')"
    assert repr(game.variant) == "<Variant nana 1 drop_faces=front illegal_move=refused>"
    assert repr(Match("hand")) == "<Match hand, game 1 · 2 wins in a row take the match>"
    assert repr(komadai.Engine("nana", level=3)) == "<Engine nana, level 3>"
    game.resign("w")
    assert repr(game) == "<Game nana, 1 move, Black wins: White resigned>"
    assert repr(Record.of(game, [("Black", "Ann")])) == "<Record nana, Black Ann, 1 move, Black wins (resign)>"


@pytest.mark.parametrize("variant", DEFAULTS)
def test_boards_are_shown_in_notebooks(variant: Variant) -> None:
    game = Game(variant)
    game.push(min(game.position.legal_moves(), key=str))
    record = Record.of(game)
    position = record.position(1)
    assert str(game) == str(record) == str(position)
    pictures = {shown._repr_svg_() for shown in (position, game, game.position, record)}
    assert len(pictures) == 1
    assert pictures.pop().startswith("<svg")
    assert Position(variant)._repr_svg_() != position._repr_svg_()
    game.resign("b")
    assert str(game).endswith("\nWhite wins: Black resigned")


def test_moves_are_equal_to_moves_only() -> None:
    first, second = Position("shogi").legal_moves(), Position("shogi").legal_moves()
    texts = [str(move) for move in first]
    assert first == second == list(first)
    assert {*first} == {*second}
    assert all(move != text and text != move for move, text in zip(first, texts, strict=True))
    assert first != texts
    assert texts != first
    assert {texts[0], first[0], second[0]} == {second[0], texts[0], first[0]}
    assert len({texts[0], first[0], second[0]}) == 2, "equality is one of moves alone, so that sets are what they say"
    assert first[0] != first[1]
    assert first[0] != 7


# --- Where a move, a position or a game is taken in any of its forms ------------------------------------------------


def test_a_search_takes_moves_and_move_strings() -> None:
    position, engine = Position("nana"), komadai.Engine("nana", tables=False)
    for chosen in (["K*1a"], [position.parse("K*1a")], ("K*1a", position.parse("K*1a"))):
        assert str(engine.search(position, depth=1, searchmoves=chosen).move) == "K*1a"
    with pytest.raises(NotationError, match="searchmoves: 'K\\*9a' is not legal here"):
        engine.search(position, depth=1, searchmoves=["K*1a", "K*9a"])


@pytest.mark.parametrize("variant", DEFAULTS, ids=lambda v: v.id)
def test_a_position_is_iterated_by_its_squares(variant: Variant) -> None:
    position = Position(variant)
    squares = list(position)
    assert list(reversed(position)) == squares[::-1]
    assert len(squares) == len(position) == len(position.board)
    assert tuple(position[square] for square in squares) == position.board
    assert all(square in position for square in squares)
    for none in ("P", "", "0a", 7, None):
        assert none not in position


def test_a_position_is_made_from_a_position() -> None:
    position = played("shogi", 9)
    again = Position(position)
    assert again == position
    assert again.move_stack == position.move_stack
    again.pop()
    assert len(position.move_stack) == 9
    assert Position("shogi", position) == position
    assert Position("shogi", position).move_stack == ()
    game = Game(position)
    assert (game.moves, game.position, game.start) == (position.move_stack, position, Position("shogi"))
    assert Game("shogi", position).start == position
    with pytest.raises(NotationError, match="is one of shogi; expected one of nana"):
        Position("nana", position)
    with pytest.raises(IllegalPositionError):
        Game(Position.problem("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G"))
    for begin in (partial(Position, position, position), partial(Position, position, entering_king="24")):
        with pytest.raises(NotationError, match="is a position of shogi; expected a variant or its name"):
            begin()


def test_a_move_stands_for_itself_where_a_text_is_read() -> None:
    position, foreign = Position("nana"), Position("shogi").parse("7g7f")
    move = position.legal_moves()[0]
    assert position.parse(move) is move
    assert position.parse_move(move) is move
    assert f"{move:>8}" == f"{move.text:>8}"
    for read in (position.parse, position.parse_move):
        with pytest.raises(KomadaiError):
            read(foreign)
    made = komadai.record.read("1. P-7f P-3d *")[0]
    assert made.find(made.game().moves) == made.find(["7g7f", "3c3d"]) == 2


def test_a_draw_is_agreed_once_all_royal_pieces_have_entered() -> None:
    shogi = komadai.variant("shogi")
    (king,) = (kind for kind in shogi.kinds if kind.royal)
    kinds = tuple(replace(king, code="G", name="prince") if kind.code == "G" else kind for kind in shogi.kinds)
    two = replace(
        shogi, id="two-royals", kinds=kinds, hand_order=tuple(c for c in shogi.hand_order if c != "G"), options=()
    )
    assert Position(two, "3GKG3/9/9/9/9/9/9/9/3gkg3 b -").can_agree_draw()
    assert not Position(two, "3GK4/9/9/9/6G2/9/9/9/3gkg3 b -").can_agree_draw()


def test_records_are_written_of_games() -> None:
    game = Game("shogi")
    game.push("7g7f")
    kept = Record.of(game)
    for form in komadai.record.FORMATS:
        written = komadai.record.write([kept], form)
        assert komadai.record.write([game], form) == komadai.record.write(game, form) == written
        assert komadai.record.write(kept, form) == written


def test_an_outcome_is_one_that_games_have() -> None:
    wrong: list[tuple[Any, Any, str]] = [
        ("b", "foo", "reason 'foo' is unknown; choose from checkmate, "),
        ("black", "resign", "winner 'black' is no side; expected b"),
        (None, "resign", "resign has a winner; expected b"),
        ("b", "agreement", "agreement has no winner; expected None"),
    ]
    for winner, reason, words in wrong:
        with pytest.raises(NotationError, match=words):
            Outcome(winner, reason)
    said = []
    for winner in ("b", "w", None):
        for reason in get_args(komadai.game.outcome.Reason):
            with suppress(NotationError):
                said.append(str(Outcome(winner, reason)))  # type: ignore[arg-type]
    assert len(said) >= 20
    assert [text for text in said if "{" in text] == []


def test_a_draw_that_cannot_be_agreed_says_why_in_the_readers_words() -> None:
    for name, english, japanese in (
        ("nana", "the rules of Nana Shogi know no draw by agreement", "合意"),
        ("shogi", "a draw can be agreed only once the king of each side stands in the 3 farthest ranks", "玉"),
    ):
        game = Game(name)
        with pytest.raises(IllegalMoveError, match=english):
            game.agree_draw()
        with speaking("ja"), pytest.raises(IllegalMoveError, match=japanese) as said:
            game.agree_draw()
        assert komadai.variant(name).name not in str(said.value)
    game.resign("b")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.agree_draw()


EACH_ON_ITS_OWN = """
import os, sys, komadai
for name in sys.argv[1:]:  # each in a process of its own, so that none loads what another needs
    if not (child := os.fork()):
        try:
            eval(name)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@needs_processes
def test_documented_modules_are_loaded_on_first_use() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    modules = {module.name for module in pkgutil.iter_modules(komadai.__path__)}
    documented = modules & {*re.findall(r"(?:^>>> |^|\bauto\w+:: |`)komadai\.([a-z_]+)", pages, re.MULTILINE)}
    assert documented >= {"app", "lab", "record", "picture", "spec", "notation"}
    for name in documented - {"variants", "site", "web"}:  # a function, too; parts of the program
        assert komadai.__getattr__(name) is importlib.import_module(f"komadai.{name}")
        assert name in dir(komadai)
    inner = {*re.findall(r"^\.\. auto\w+:: (komadai(?:\.[a-z_]+)+)", pages, re.MULTILINE)} | {"komadai.notation.hodges"}
    subprocess.run([sys.executable, "-c", EACH_ON_ITS_OWN, *sorted(inner)[:: 1 if FULL else 3]], check=True)
    with pytest.raises(AttributeError, match="no attribute 'records'"):
        _ = komadai.records  # type: ignore[attr-defined]


# --- Names for authors of variants ----------------------------------------------------------------------------------


def test_one_module_has_every_name_that_a_variant_needs() -> None:
    """All that the variants of the registry take from the vocabulary, and all its conditions and actions."""
    needed = {
        name.name
        for path in (ROOT / "src/komadai/variants").glob("*.py")
        if path.name != "__init__.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("spec")
        for name in node.names
    }
    conditions = [kind for kind in Condition.__subclasses__() if kind.__module__.startswith("komadai.")]
    vocabulary = {kind.__name__ for kind in (*conditions, *get_args(Action))}
    assert needed | vocabulary <= set(spec.__all__)
    assert all(hasattr(spec, name) for name in spec.__all__)


def test_a_variant_is_made_of_those_names() -> None:
    king = spec.Kind("K", "king", "玉", "gyoku", "K", royal=True)
    pawn = spec.Kind("P", "pawn", "歩", "fu", spec.step((0, 1)), spec.Becomes(captured="P"))
    variant = Variant("duel", "Duel", "1", spec.Rect(3, 4), "1k1/1p1/1P1/1K1 b -", (king, pawn), ("P",), "made up", ())
    position = Position(variant)
    position.push("2c2b")
    assert str(position["2b"] and position["2b"].code) == "P"
    assert position.hand("b") == {"P": 1}
    assert position.is_check()
    assert isinstance(compile_variant(variant), Compiled)


FORKED_DURING_AN_IMPORT = """
import importlib, os, signal, sys, threading, time

def slow(event, arguments):
    if event == "exec" and sys.argv[2] in arguments[0].co_filename and not begun.is_set():
        begun.set()
        time.sleep(0.5)

def begin():
    if not begun.is_set():
        thread.start()
        begun.wait()

work = lambda: eval(sys.argv[1])
begun, thread = threading.Event(), threading.Thread(target=work)
os.register_at_fork(before=begin)  # it is called after the hooks of modules that are imported later
import komadai

sys.addaudithook(slow)
if sys.argv[3] == "before":
    begin()
if not (child := os.fork()):
    signal.alarm(30)
    os._exit(0 if work() else 1)
thread.join()
assert os.waitpid(child, 0)[1] == 0
"""


@needs_processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("begins", ["before", "while it forks"])
@pytest.mark.parametrize(
    ("work", "slow"),
    [
        ("komadai.variants()", "/variants/"),
        ("komadai.Engine('nana')", "/engine/"),
        ("komadai.Position('nana')", "/game/"),
        ("importlib.import_module('komadai.notation.japanese')", "/japanese/"),
    ],
)
def test_the_child_of_a_fork_can_import_what_another_thread_imports(work: str, slow: str, begins: str) -> None:
    subprocess.run([sys.executable, "-c", FORKED_DURING_AN_IMPORT, work, slow, begins], check=True)


# --- What python-chess has, too -------------------------------------------------------------------------------------


def test_pieces_by_kind_and_by_square() -> None:
    for variant in map(komadai.variant, komadai.variants(shelf=False)):
        for position, _ in random_play(variant, 1, volume(30)):
            found = position.piece_map()
            assert list(found) == [square for square in position if position[square]]
            assert all(position[square] == piece for square, piece in found.items())
            kinds = [(kind.code, side) for kind in variant.kinds for side in SIDES]
            assert {square: kind for kind in kinds for square in position.pieces(*kind)} == {
                square: (piece.code, piece.side) for square, piece in found.items()
            }
    with pytest.raises(NotationError, match="there is no piece 'X'"):
        Position("shogi").pieces("X", "b")
    with pytest.raises(NotationError):
        Position("shogi").pieces("P", "x")  # type: ignore[arg-type]


def test_checkers_are_there_exactly_in_check_by_an_attack() -> None:
    for variant in map(komadai.variant, komadai.variants(shelf=False)):
        for position, _ in random_play(variant, 2, volume(40)):
            checkers = position.checkers()
            assert bool(checkers) == position._native.royal_in_check(), position.sfen()
            assert all(position[square].side == other(position.turn) for square in checkers)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["shogi", "mortal", "minishogi"])
def test_a_pinned_piece_is_one_whose_going_gives_check(name: str) -> None:
    for position, _ in random_play(komadai.variant(name), 3, volume(60)):
        if position.is_check():
            continue
        for square, piece in position.piece_map().items():
            if piece.side == position.turn and square not in position.royals(piece.side):
                setup = position.setup().with_piece(list(position).index(square), None)
                try:
                    gone = Position.problem(position.variant, setup)
                except IllegalPositionError:  # for another reason
                    continue
                assert position.is_pinned(square) == gone.is_check(), (position.sfen(), square)
    assert Position("shogi", "4k4/4g4/9/9/9/9/9/4R4/K8 w -").is_pinned("5b")
    assert not Position("shogi", "4k4/4g4/4p4/9/9/9/9/4R4/K8 w -").is_pinned("5b")
    assert not Position("shogi").is_pinned("5e")
    assert not Position("shogi").is_pinned("5i")


def test_moves_are_found_by_their_ends() -> None:
    for variant in map(komadai.variant, komadai.variants(shelf=False)):
        for position, _ in random_play(variant, 4, volume(20)):
            moves = list(position.legal_moves())
            assert position.legal_captures() == tuple(move for move in moves if position.is_capture(move))
            for move in moves[:30]:
                origin = move.origin or move.text.partition("*")[0]
                alike = [
                    one
                    for one in moves
                    if (one.origin or one.text.partition("*")[0], one.target) == (origin, move.target)
                ]
                if len(alike) == 1:
                    assert position.find_move(origin, move.target) == move
                else:
                    with pytest.raises(NotationError, match="may be"):
                        position.find_move(origin, move.target)
    promoting = Position("shogi", "4k4/9/9/4P4/9/9/9/9/4K4 b -")
    assert promoting.find_move("5d", "5c", "+P").text == "5d5c+"
    assert promoting.find_move("5d", "5c", "P").text == "5d5c"
    with pytest.raises(IllegalMoveError, match="no legal move leads from '5d' to 5a"):
        promoting.find_move("5d", "5a")
    with pytest.raises(IllegalMoveError, match=re.escape("ends as '+'; it may be 'P' (5d5c), '+P' (5d5c+)")):
        promoting.find_move("5d", "5c", "+")
    for ends in (("5d", "0z"), ("zz", "5c")):
        with pytest.raises(NotationError, match="square"):
            promoting.find_move(*ends)


def test_the_last_move_the_root_and_the_end() -> None:
    with pytest.raises(IndexError):
        Position("shogi").peek()
    position = play("shogi", "7g7f", "3c3d")
    assert position.peek().text == "3c3d"
    assert position.root() == Position("shogi")
    assert len(position.move_stack) == 2
    assert not position.is_checkmate()
    assert not position.is_stalemate()
    assert Position("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -").is_checkmate()
    assert Position("shogi", "8k/9/6NG1/9/9/9/9/9/4K4 w -").is_stalemate()


def test_games_are_equal_by_start_moves_and_result() -> None:
    one, another = Game("nana"), Game("nana")
    assert list(one.legal_moves()) == list(one.position.legal_moves())
    for game in (one, another):
        assert one == another or game is another
        game.push("K*1a")
    assert one == another != Game("nana")
    assert one != "K*1a"
    one.resign("w")
    assert one != another
    assert list(one.legal_moves()) == []
    with pytest.raises(TypeError):
        hash(one)


def test_a_setup_takes_a_piece() -> None:
    setup = Position("shogi").setup()
    moved = setup.with_piece(60, None).with_piece(51, spec.Piece("b", "P"))
    assert moved.board[51] == ("b", "P")
    assert setup.board[51] is None
    with pytest.raises(NotationError, match="expected 0 to 80"):
        setup.with_piece(81, None)
