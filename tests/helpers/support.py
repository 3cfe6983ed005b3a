"""Helpers for several test files: every variant in every setting, random play, and the reference."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, wraps
from itertools import islice, product
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

import komadai
from komadai.compiler import compile_variant
from komadai.errors import IllegalMoveError, IllegalPositionError
from komadai.game.outcome import Outcome, Reason
from komadai.game.position import Position
from komadai.reference import Candidate, Reference, occupied
from komadai.reference.compound import CompoundMoves
from komadai.reference.support import is_supported, supported_links
from komadai.spec import SIDES, AnyOf, Has, Piece, Setup, Side, Variant
from komadai.spec.board import other
from komadai.spec.logic import atoms, is_compound
from komadai.spec.material import royals
from komadai.spec.promotion import families
from komadai.spec.sfen import print_setup
from komadai.variants import entry

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
NAMES = komadai.variants(shelf=False)
needs_threads = pytest.mark.skipif(sys.platform == "emscripten", reason="a browser's tab has no threads")
needs_processes = pytest.mark.skipif(sys.platform == "emscripten", reason="a browser's tab has no processes")
LONGEST_GAME = 200  # plies after which random play starts over
LONGEST_SKIRMISH = 12  # the same where it begins anywhere: there beginnings differ more than what comes after them


MOST_SETTINGS = 12  # of one variant; with more combinations of options than that, one option is changed at a time


def settings_of(name: str) -> list[Variant]:
    """The variant under every combination of its own rule options, or under every value of each; the default first."""
    options = entry(name).options
    combinations = [
        {option.name: value for option, value in zip(options, values, strict=True)}
        for values in islice(product(*(option.values for option in options)), MOST_SETTINGS + 1)
    ]
    if len(combinations) > MOST_SETTINGS:
        combinations = [{}] + [{option.name: value} for option in options for value in option.values[1:]]
    return [komadai.variant(name, **values) for values in combinations]


def label(variant: Variant) -> str:
    """A test id: the variant and the options that differ from the default."""
    defaults = dict(komadai.variant(variant.id).options) if variant.id in NAMES else {}
    return " ".join(
        [variant.id, *(f"{name}={value}" for name, value in variant.options if defaults.get(name) != value)]
    )


SHELF = [pytest.param(komadai.variant(name), id=name) for name in komadai.variants(shelf=True) if name not in NAMES]
DEFAULTS = [pytest.param(komadai.variant(name), id=name) for name in NAMES]
EVERY_SETTING = [pytest.param(variant, id=label(variant)) for name in NAMES for variant in settings_of(name)]


@cache
def reference_of(variant: Variant) -> Reference:
    return Reference(variant)


def arranged(variant: Variant, pieces: str, turn: Side = "b", *, besides: str = "") -> str:
    """The position string of an empty board with these pieces on it, as in ``+D 10j, p 9i 11i``, White's in lower case.

    ``besides``: pieces that stand there too unless the text places their kind, or says ``G -``.
    """
    placed: dict[str, list[str]] = {}
    for words in filter(None, pieces.split(", ")):
        code, *names = words.split()
        placed[code] = placed.get(code, []) + [name for name in names if name != "-"]
    placed = {code: names for code, *names in map(str.split, filter(None, besides.split(", ")))} | placed
    points: list[Piece | None] = [None] * len(variant.board)
    for code, names in placed.items():
        for name in names:
            point = variant.board.find(name)
            assert point is not None, name
            assert points[point] is None, name
            points[point] = Piece("b" if code.isupper() else "w", code.upper())
    return print_setup(variant, Setup(tuple(points), ((), ()), turn))


def legal(position: Position) -> set[str]:
    """The move strings of the legal moves."""
    return {str(move) for move in position.legal_moves()}


def generic(position: Position) -> set[str]:
    """The same by the core's generic path, which tries every move and looks."""
    compiled = compile_variant(position.variant)
    return {str(compiled.move(*words)) for words in position._native.legal_moves_generic()}


def by_reference(position: Position) -> set[str]:
    """The same by the reference, straight from the spec."""
    return {move.text for move in reference_of(position.variant).legal_moves(position.setup())}


def play(variant: Variant | str, *moves: str, start: str | None = None) -> Position:
    """The position after the moves."""
    position = Position(variant, start)
    for move in moves:
        position.push(move)
    return position


def ended(position: Position, *moves: str) -> Outcome | None:
    """The outcome after the moves; before each of them the game goes on. ``position`` is changed."""
    for move in moves:
        assert position.outcome() is None, f"{position.sfen()} {move}"
        position.push(move)
    return position.outcome()


def beginning(variant: Variant, chance: random.Random) -> Position:
    """The start of random play: the variant's, or mostly a middle game where armies are slow to meet."""
    if not is_compound(variant) or chance.random() < 0.2:
        return Position(variant)
    return next(strewn_positions(variant, chance.randrange(2**32), 1))[0]


def random_play(variant: Variant, seed: int, positions: int) -> Iterator[tuple[Position, random.Random]]:
    """Positions of random games, one after the other; the caller must not change them."""
    chance = random.Random(seed)
    longest = LONGEST_SKIRMISH if is_compound(variant) else LONGEST_GAME
    position = beginning(variant, chance)
    for _ in range(positions):
        yield position, chance
        moves = position.legal_moves()
        if not moves or position.ply > longest:
            position = beginning(variant, chance)
        else:
            position.push(chance.choice(moves))


def skirmish(variant: Variant, chance: random.Random) -> Setup:
    """A position with the pieces that both sides need and some others close together, in any state."""
    compiled, turns, board = compile_variant(variant), CompoundMoves(variant), variant.board
    states = {code: sorted(family) for family in families(variant) for code in family}
    vital = {code for atom in atoms(variant.survives_if or AnyOf(())) if isinstance(atom, Has) for code in atom.codes}
    army = sorted(piece.code for piece in Position(variant).board if piece)
    # Of what there are many, most come late.
    pool = sorted(army, key=lambda code: army.count(code) * chance.random())
    middle, spread = chance.choice(board.points), chance.randrange(2, max(board.width, board.height) // 2 + 1)
    near = [point for point in board.points if board.distance(point, middle) <= spread]
    pieces: dict[int, Piece] = {}

    def place(code: str, side: Side) -> None:
        piece = Piece(side, chance.choice(states[code]))
        number = compiled.piece(piece.code, side)
        if room := [point for point in near if point not in pieces and compiled.rules.may_stand(number, point, False)]:
            pieces[chance.choice(room)] = piece

    some = chance.randrange(2, min(len(near) // 2, 60) + 1)
    for code in pool[:some]:
        place(code, chance.choice(SIDES))
    for code in pool[some:]:
        dead = [side for side in SIDES if not turns.survives(pieces, side)]
        if dead and vital.intersection(states[code]):
            place(code, dead[0])
    settled = turns.settle(pieces)
    return Setup(tuple(settled.get(point) for point in board.points), ((), ()), chance.choice(SIDES))


def strewn(variant: Variant, chance: random.Random) -> Setup:
    """The royal pieces as play may have left them, and all others anywhere near them, of either side, in any state."""
    if is_compound(variant):
        return skirmish(variant, chance)
    position = Position(variant)
    for _ in range(chance.randrange(2, 8)):
        if moves := position.legal_moves():
            position.push(chance.choice(moves))
    setup, royal, order = position.setup(), royals(variant), variant.hand_order
    states = {code: sorted(family) for family in families(variant) for code in family}
    pool = [piece.code for piece in setup.board if piece and piece.code not in royal]
    pool += [code for hand in setup.hands for code, count in zip(order, hand, strict=True) for _ in range(count)]
    board = [piece if piece and piece.code in royal else None for piece in setup.board]
    hands = [[count if code in royal else 0 for code, count in zip(order, hand, strict=True)] for hand in setup.hands]
    kings = [point for point, piece in enumerate(board) if piece]
    spread = chance.randrange(1, 5)
    near = [p for p in variant.board.points if any(variant.board.distance(p, king) <= spread for king in kings)]
    for code in pool:
        room = [point for point in near if board[point] is None]
        homes = [slot for slot, held in enumerate(order) if held in states[code] and held not in royal]
        if room and (not homes or chance.random() < 0.7):
            board[chance.choice(room)] = Piece(chance.choice(SIDES), chance.choice(states[code]))
        elif homes:
            chance.choice(hands)[chance.choice(homes)] += 1
    black, white = map(tuple, hands)
    return Setup(tuple(board), (black, white), chance.choice(SIDES))


def strewn_positions(variant: Variant, seed: int, positions: int) -> Iterator[tuple[Position, random.Random]]:
    """Positions that rarely occur in play: full of pieces that depend on others for support, or lack it."""
    chance = random.Random(seed)
    while positions:
        try:
            position = Position(variant, strewn(variant, chance))
        except IllegalPositionError:  # a king stands attacked, or a piece where it could never move
            continue
        positions -= 1
        yield position, chance


def royals_begin_on_the_board(variant: Variant) -> bool:
    """True if the game has royal pieces and nobody drops them: then a problem may lack those of one side."""
    return bool(royals(variant)) and royals(variant).isdisjoint(variant.hand_order)


def problems(variant: Variant, seed: int, positions: int) -> Iterator[tuple[Position, random.Random]]:
    """Positions of random play from middle games in which one side has lost its royal pieces."""
    chance, royal = random.Random(seed), royals(variant)
    while positions > 0:
        setup = play_on(Position(variant), chance, 80).setup()
        bare = chance.choice(SIDES)
        board = tuple(piece if piece not in {Piece(bare, code) for code in royal} else None for piece in setup.board)
        try:
            position = Position.problem(variant, replace(setup, board=board))
        except IllegalPositionError:  # the other side's king stands attacked, or had been kept by that rule alone
            continue
        for _ in range(min(positions, 20)):
            yield position, chance
            positions -= 1
            play_on(position, chance, 3)


def play_on(position: Position, chance: random.Random, most: int) -> Position:
    """The position after some random moves, at most so many."""
    for _ in range(chance.randrange(most) + 1):
        if moves := position.legal_moves():
            position.push(chance.choice(moves))
    return position


def assert_losses_agree(position: Position) -> None:
    """Reference and native core see the same support, the same stranded pieces and the same losses after each move."""
    oracle, setup, where = reference_of(position.variant), position.setup(), position.sfen()
    pieces, name = occupied(setup.board), position.variant.board.name
    links = supported_links(oracle.variant, pieces)
    for kind in position.variant.kinds if position.variant.support else ():
        held = position.support(kind.code)
        for point in position.variant.board.points:
            if point not in pieces:
                supported = is_supported(oracle.variant, pieces, point, kind.code, links)
                assert (name(point) in held) is supported, f"{where} {point}"
    doomed = {
        name(point)
        for point, piece in pieces.items()
        for rule in position.variant.rules
        if rule.event == "turn_end" and piece.side == setup.turn
        if oracle.holds(rule.when, setup, Candidate(point, point, piece.code, None, ""))
    }
    assert position.stranded() == doomed, where
    moves = {move.text: move for move in oracle.legal_moves(setup)}
    for move in position.legal_moves():
        assert position.losses(move) == set(map(name, oracle.taken_at_end(setup, moves[move.text]))), f"{where} {move}"
        twin = position.copy()
        twin.push(move)
        assert twin.setup() == oracle.play(setup, moves[move.text]), f"{where} {move}"
        assert twin._native.key() == twin._native.key_from_scratch(), f"{where} {move}"


def verdict(oracle: Reference, setup: Setup) -> tuple[Side | None, Reason]:
    """The winner where the side to move has no legal move, and the reason."""
    mated = oracle.royal_attacked(setup.board, setup.turn)
    return oracle.decided(setup.board, setup.turn) or (other(setup.turn), "checkmate" if mated else "stalemate")


def assert_paths_agree(position: Position) -> None:
    """Fast path and generic path see the same moves, as many are counted, and the key is that of the position."""
    texts = [str(move) for move in position.legal_moves()]
    assert len(set(texts)) == len(texts), position.sfen()
    assert generic(position) == set(texts), position.sfen()
    assert position.perft(1) == len(texts), position.sfen()
    assert position._native.key() == position._native.key_from_scratch(), position.sfen()


def assert_agreement(position: Position, chance: random.Random, *, most: int | None = None) -> None:
    """Reference, fast path and generic path see the same moves, the same check and the same next position.

    The next positions are those after one move; in games with turns of several landings and shots, where reference and
    core work out on the way to a move where it leads, after all moves, or ``most`` of them.
    """
    oracle = reference_of(position.variant)
    setup = position.setup()
    candidates = {move.text: move for move in oracle.legal_moves(setup)}
    moves = position.legal_moves()
    texts = [str(move) for move in moves]
    where = position.sfen()
    assert_paths_agree(position)
    assert sorted(texts) == sorted(candidates), where
    assert position.is_check() == oracle.in_check(list(setup.board), setup.turn), where
    assert position._native.royal_in_check() == oracle.royal_attacked(list(setup.board), setup.turn), where
    tried = len(moves) if oracle.turns else 1
    for move in chance.sample(moves, min(tried, len(moves), most or tried)):
        candidate = candidates[str(move)]
        assert (move.origin_point, move.target_point, move.piece) == candidate[:3], f"{where} {move}"
        assert not oracle.turns or move.way == candidate.way, f"{where} {move}"
        position.push(move)
        assert position.setup() == oracle.play(setup, candidate), f"{where} {move}"
        position.pop()
    if oracle.turns:
        assert position.immobilized() == {
            position.variant.board.name(point)
            for point, piece in occupied(setup.board).items()
            if piece.side == setup.turn
            and any(not hold.vectors for hold in oracle.turns.immobilizing(occupied(setup.board), point))
        }, where
    if not moves:
        assert position.outcome() == Outcome(*verdict(oracle, setup)), where


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


P = ParamSpec("P")
T = TypeVar("T")


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run it in a thread of its own: the tests' one may have the browser's loop running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def in_a_thread(work: Callable[P, T]) -> Callable[P, T]:
    """Let a function that has a loop of its own run in a thread of its own."""

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work, *args, **kwargs).result()

    return run


PERFT_TABLES = ROOT / "tests" / "perft"


def perft_rows() -> Iterator[tuple[str, str, str, int, int]]:
    """Variant, title, position, depth and nodes of every line of the perft tables."""
    for path in sorted(PERFT_TABLES.glob("*.perft")):
        title = position = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            word, _, rest = line.partition(" ")
            if word == "id":
                title = rest
            elif word == "epd":
                position = rest
            elif word == "perft":
                depth, nodes = map(int, rest.split())
                yield path.stem, title, position, depth, nodes
            else:
                assert not line or line.startswith("#"), f"{path.name}:{number}: cannot read {line!r}"
