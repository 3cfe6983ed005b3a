"""Invariants of every position of every variant; Hypothesis looks for counterexamples."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.support import DEFAULTS, EVERY_SETTING, LONGEST_SKIRMISH, NAMES, beginning, legal, reference_of
from helpers.volume import SEEDS, one_in, volume
from komadai.compiler import compile_variant
from komadai.errors import KomadaiError
from komadai.game.position import Position
from komadai.reference import occupied
from komadai.spec.board import Rect, Side, Unbounded, other
from komadai.spec.logic import is_compound
from komadai.spec.move import Move
from komadai.spec.setup import Piece, Setup
from komadai.spec.sfen import parse, print_setup
from komadai.spec.variant import Variant
from komadai.variants import build, names


@st.composite
def walks(draw: st.DrawFn) -> list[int]:
    """Up to 120 choices: enough of a game for hands to fill and kings to be hunted; shrinks by its length."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    return [chance.randrange(2**16) for _ in range(draw(st.integers(0, 120)))]


CHOICES = walks()
EXPLAINED = {
    False: volume(400, 25, part=16),
    True: volume(25, 10),
}  # moves of a position, by whether turns may be several landings and shots
Property = Callable[..., None]

# Where turns may be several landings and shots there are more of them, and each costs more.
EXAMPLES_OF_TURNS = 2 * SEEDS
EXAMPLES_OF_TURNS_OF_OTHER_OPTIONS = max(1, SEEDS // 4)
EXAMPLES_OF_THE_SHELF = max(2, SEEDS // 4)
OTHER_SETTINGS = [case for case in EVERY_SETTING if case.values not in [default.values for default in DEFAULTS]]
ON_THE_SHELF = [pytest.param(build(name), id=name) for name in names(shelf=True) if name not in NAMES]


def in_every_setting(**drawn: st.SearchStrategy[Any]) -> Callable[[Property], Property]:
    """A test of every variant in every setting, and of those of the shelf in their usual one: Hypothesis draws what the
    property takes besides the variant."""

    def decorate(holds: Property) -> Property:
        @pytest.mark.parametrize("variant", [*DEFAULTS, *one_in(4, OTHER_SETTINGS), *ON_THE_SHELF])
        def test(variant: Variant) -> None:
            examples = settings.default.max_examples if settings.default else 0
            if variant.id not in NAMES:
                examples = EXAMPLES_OF_THE_SHELF
            elif variant != build(variant.id):
                examples = volume(examples, 4, part=4)
            if is_compound(variant):
                default = variant == build(variant.id)
                examples = EXAMPLES_OF_TURNS if default else EXAMPLES_OF_TURNS_OF_OTHER_OPTIONS

            def holds_here(**example: Any) -> None:
                holds(variant, **example)

            holds_here.__name__ = test.__name__  # what Hypothesis draws hangs on it
            settings(max_examples=examples)(given(**drawn)(holds_here))()

        test.__name__ = holds.__name__
        return test

    return decorate


def outset(variant: Variant, choices: list[int]) -> Position:
    """The start of the walk by those choices."""
    return beginning(variant, random.Random(choices[0] if choices else 0))


def walk(variant: Variant, choices: list[int]) -> Position:
    """The position after those choices among the sorted legal moves, or where the game ends."""
    position = outset(variant, choices)
    for choice in choices[: LONGEST_SKIRMISH if is_compound(variant) else None]:
        moves = sorted(position.legal_moves(), key=str)
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position


def everything(position: Position) -> tuple[object, ...]:
    """All that can be seen of a position."""
    return (
        position.board,
        position.hand("b"),
        position.hand("w"),
        position.turn,
        position.ply,
        position.sfen(ply=True),
        position.is_check(),
        position.outcome(),
        legal(position),
        position._native.key(),
    )


def rotated(setup: Setup) -> Setup:
    """The setup seen from the other side: turned by 180°, colours exchanged."""
    board = tuple(None if piece is None else Piece(other(piece.side), piece.code) for piece in reversed(setup.board))
    taken_on = None if setup.taken_on is None else len(board) - 1 - setup.taken_on
    return Setup(board, (setup.hands[1], setup.hands[0]), other(setup.turn), setup.ply, taken_on)


def turned_point(board: Rect, pieces: Sequence[Piece | None], point: int) -> int:
    """A point after rotation by 180°; an unbounded field then has the other anchor in the middle."""
    point = len(board) - 1 - point
    if not isinstance(board, Unbounded):
        return point
    (x, y), (middle_x, middle_y) = board.xy(pieces.index(Piece("w", board.anchor))), board.xy(board.middle)
    turned = board.step(point, (x - middle_x, middle_y - y), "b")
    assert turned is not None
    return turned


def rotated_move(board: Rect, pieces: Sequence[Piece | None], move: Move) -> str:
    ends = (move.origin_point, move.target_point)
    points = [turned_point(board, pieces, point) for point in ends if point is not None]
    squares = [board.name(point) for point in points]
    if move.is_drop:
        return f"{move.piece}*{squares[0]}"
    plain = f"{move.origin}{move.target}"
    return "".join(squares) + move.text.removeprefix(plain)


@in_every_setting(choices=CHOICES)
def test_pop_undoes_push(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    before = everything(position)
    for move in position.legal_moves():
        position.push(move)
        position.pop()
        assert position.sfen(ply=True) == before[5]
        assert position._native.key() == before[-1]
    assert everything(position) == before


@in_every_setting(choices=CHOICES)
def test_printing_and_parsing_a_position_is_the_identity(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    for ply in (False, True):
        again = Position(variant, position.sfen(ply=ply))
        assert again == position
        assert again.key() == position.key()
        assert again.sfen(ply=ply) == position.sfen(ply=ply)
        assert legal(again) == legal(position)
    setup = position.setup()
    assert parse(variant, print_setup(variant, setup, ply=True)) == setup


@in_every_setting(choices=CHOICES)
def test_move_strings_are_unique_and_parse_back(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    moves = position.legal_moves()
    texts = [str(move) for move in moves]
    assert len(set(texts)) == len(texts)
    assert len(set(moves)) == len(moves)
    compiled = compile_variant(variant)
    for move in moves:
        assert position.parse_move(str(move)) == move
        assert compiled.move(move.code, move.trail) == move
        assert hash(compiled.move(move.code, move.trail)) == hash(move)
        assert move.is_drop is not str(move)[0].isdigit()
        assert move.is_drop is not bool(move.way)
    for move in moves[:: len(moves) // EXPLAINED[is_compound(variant)] + 1]:
        assert position.explain(move) == f"{move} is legal"


def unshifted(variant: Variant, move: Move, mover: Side, after: Sequence[Piece | None]) -> Sequence[Piece | None]:
    """The board after a move in the window before it: that of an unbounded field follows its anchor."""
    board = variant.board
    if not isinstance(board, Unbounded) or (mover, move.piece) != ("b", board.anchor):
        return after
    (x, y), (middle_x, middle_y) = board.xy(move.target_point), board.xy(board.middle)
    seen: list[Piece | None] = [None] * len(board)
    for point, piece in enumerate(after):
        if piece:
            was = board.step(point, (x - middle_x, middle_y - y), "b")
            assert was is not None
            seen[was] = piece
    return seen


@in_every_setting(choices=CHOICES)
def test_moves_say_what_stands_where_afterwards(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    effects = any(rule.event in ("arrives", "became", "at_all_times") for rule in variant.rules)
    for move in position.legal_moves():
        mover, before, losses = (
            position.turn,
            position.board,
            {variant.board.find(square) for square in position.losses(move)},
        )
        origin, target = move.origin_point, move.target_point
        position.push(move)
        after = unshifted(variant, move, mover, position.board)
        stands = move.piece is not None and target not in losses
        assert after[target] == (Piece(mover, move.piece or "") if stands else None)
        passed = {point for landing in move.way for point in (landing.point, *landing.shots)}
        assert not any(after[point] for point in passed | losses | {origin} - {None} if point != target)
        changed = {point for point, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
        captured = {point for point in passed if before[point] not in (None, before[target])}
        said = {target, *losses, *captured} | ({origin} - {None})
        assert said | {target} <= changed | {target, origin}
        assert effects or changed | {target} == said
        assert position.turn == other(mover)
        position.pop()


@in_every_setting(choices=CHOICES, picks=st.tuples(*[st.integers(0, 2**16)] * 3))
def test_the_order_of_moves_does_not_matter_to_the_hash(
    variant: Variant, choices: list[int], picks: tuple[int, int, int]
) -> None:
    position = walk(variant, choices)

    def reach(moves: list[str]) -> Position | None:
        there = position.copy()
        for move in moves:
            if move not in legal(there):
                return None
            there.push(move)
        return there

    line: list[str] = []
    ahead = position.copy()
    for pick in picks:
        moves = sorted(legal(ahead))
        if not moves:
            return
        line.append(moves[pick % len(moves)])
        ahead.push(line[-1])
    turned = reach(line[::-1])
    if turned is not None and turned.setup() == ahead.setup():
        assert turned == ahead
        assert turned._native.key() == ahead._native.key()


def results(position: Position, seen: Callable[[Setup], Setup]) -> list[str]:
    """The results of the legal moves as ``seen``, and the number of points each move names."""
    found = []
    for move in position.legal_moves():
        position.push(move)
        after = print_setup(position.variant, seen(position.setup()))
        position.pop()
        found.append(f"{after} {move.piece} {sum(1 + len(landing.shots) for landing in move.way)}")
    return sorted(found)


@in_every_setting(choices=CHOICES)
def test_the_other_colour_has_the_rotated_moves(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    if isinstance(variant.board, Unbounded) and position.ply < 3:
        return  # Black's anchor comes first
    turned = Position(variant, rotated(position.setup()))
    if is_compound(variant):
        # Which of several ways to the same position is written depends on the names of the points.
        assert results(turned, lambda setup: setup) == results(position, rotated)
    else:
        assert legal(turned) == {rotated_move(variant.board, position.board, move) for move in position.legal_moves()}
    assert turned.is_check() == position.is_check()
    for mine, theirs in (
        (position.immobilized(), turned.immobilized()),
        (position.stranded(), turned.stranded()),
        (position.royals(position.turn), turned.royals(turned.turn)),
    ):
        points = (variant.board.find(square) for square in mine)
        assert {
            variant.board.name(turned_point(variant.board, position.board, point or 0)) for point in points
        } == theirs
    assert Position(variant, rotated(turned.setup())).setup() == position.setup()


@in_every_setting(choices=CHOICES)
def test_a_copy_goes_its_own_way(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    before = everything(position)
    twin = position.copy()
    assert everything(twin) == before
    assert twin == position
    for move in sorted(twin.legal_moves(), key=str)[:1]:
        twin.push(move)
        assert twin != position
    while twin.ply > 1:
        twin.pop()
    assert everything(twin) == everything(outset(variant, choices))
    assert everything(position) == before


@in_every_setting(choices=CHOICES)
def test_perft_counts_what_the_moves_lead_to(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    assert position.perft(0) == 1
    assert position.perft(1) == len(position.legal_moves())
    total = 0
    for move in position.legal_moves():
        position.push(move)
        total += position.perft(1) if is_compound(variant) else len(position.legal_moves())
        position.pop()
    assert position.perft(2) == position.perft(2, bulk=False) == total


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P", "4k4/9/9/9/9/9/9/9/4K4 w P"),
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P", "4k4/9/9/9/9/9/9/9/4K4 b p"),
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P", "4k4/9/9/9/9/9/9/9/4K4 b 2P"),
        ("shogi", "4k4/9/9/9/8P/9/9/9/4K4 b -", "4k4/9/9/9/8+P/9/9/9/4K4 b -"),
        ("shogi", "4k4/9/9/9/8P/9/9/9/4K4 b -", "4k4/9/9/9/8p/9/9/9/4K4 b -"),
        ("shogi", "4k4/9/9/9/8P/9/9/9/4K4 b -", "4k4/9/9/9/7P1/9/9/9/4K4 b -"),
        ("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -", "9/9/4k4/9/4K4/3[CHO]5/9/9/9 b -"),
        ("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -", "9/9/4k4/9/4K4/4[cho]4/9/9/9 b -"),
        ("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -", "9/9/4k4/9/4K4/4[CHUU]4/9/9/9 b -"),
        ("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -", "9/9/3k5/9/4K4/4[CHO]4/9/9/9 b -"),
        # The same three pieces at the same places of the window, but for Black's Gyoku.
        ("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -", "9/9/9/4k4/9/3[CHO]K4/9/9/9 b -"),
    ],
)
def test_different_positions_and_different_places_on_the_field_differ(name: str, first: str, second: str) -> None:
    one, two = Position(name, first), Position(name, second)
    assert one != two
    assert one.key() != two.key()


def test_positions_of_different_variants_differ() -> None:
    assert Position("nana") != Position("nana-1998")
    assert Position("nana") != Position("nana", drop_faces="front")
    assert Position("nana") == Position("nana")
    assert Position("nana") != "3/3/3 b KRBkrb"


@in_every_setting(choices=CHOICES)
def test_explanations_agree_with_the_legal_moves(variant: Variant, choices: list[int]) -> None:
    position = walk(variant, choices)
    moves = legal(position)
    oracle, setup = reference_of(variant), position.setup()
    texts = [candidate.text for candidate in oracle.candidates(setup)]
    if oracle.turns:
        pieces = occupied(setup.board)
        movers = [point for point, piece in pieces.items() if piece.side == setup.turn]
        texts += [oracle.turns.text(*turn) for origin in movers for turn in oracle.turns.all(pieces, origin)]
    every = len(texts) // EXPLAINED[is_compound(variant)] + 1  # the largest boards have thousands
    for text in texts[len(choices) % every :: every]:
        said = position.explain(text)
        if text in moves:
            assert said == f"{text} is legal"
        else:
            assert said.startswith(f"{text} is not legal: ")


BOARD_TEXT = st.text("KkRrBbPp+[]SWTGsw139/ -bw2x", max_size=40)
MOVE_TEXT = st.text("123459abci*+=KRPSWTG", max_size=9)


def complaint(act: Callable[[], object]) -> str | None:
    """The message of a Komadai error, if one is raised; other errors escape."""
    try:
        act()
    except KomadaiError as error:
        return str(error)
    return None


@in_every_setting(text=st.one_of(BOARD_TEXT, BOARD_TEXT.map(lambda text: f"{text} b -"), st.text(max_size=20)))
def test_any_text_is_a_position_or_an_error_of_ours(variant: Variant, text: str) -> None:
    said = complaint(lambda: Position(variant, text))
    if said is None:
        position = Position(variant, text)
        assert Position(variant, position.sfen()) == position
    else:
        assert len(said.splitlines()) == 1


@in_every_setting(choices=CHOICES, text=st.one_of(MOVE_TEXT, st.text(max_size=12)))
def test_any_text_is_a_legal_move_or_an_error_of_ours(variant: Variant, choices: list[int], text: str) -> None:
    position = walk(variant, choices)
    before, moves = position.sfen(ply=True), legal(position)
    said = complaint(lambda: position.push(text))
    assert (said is None) == (text in moves)
    if said is not None:
        assert len(said.splitlines()) == 1
        assert position.sfen(ply=True) == before


@pytest.mark.parametrize("name", NAMES)
def test_moves_come_in_an_order_that_depends_on_the_position_alone(name: str) -> None:
    """Moves kept from earlier lists do not change the order, on which callers that number the moves rely."""
    chance, position = random.Random(3), Position(name)
    listed = []
    for _ in range(volume(60, least=30)):
        if not (moves := position.legal_moves()):
            break
        listed.append((position.sfen(), list(map(str, moves))))
        position.push(chance.choice(moves))
    for sfen, moves in reversed(listed):
        Position(name).legal_moves()
        assert list(map(str, Position(name, sfen).legal_moves())) == moves, sfen
