"""Every notation that a game is offered writes every legal move, no two alike, and reads it back.

The games are the shipped ones under all rules, made-up ones with every kind of leg, and some by chance, whatever their
pieces are called.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from fuzz.variants import JOINED, WIDER, made
from helpers.madeup import ADRIFT, LEGS, THERE_AND_BACK, TRADES, TURNS, TWO_ROYALS, kind, named_badly
from helpers.support import EVERY_SETTING, beginning, random_play, settings_of
from helpers.volume import FULL, volume
from helpers.written_moves import broken, damaged, read_or_refused
from komadai import Record, notation, record, variants
from komadai.errors import IllegalMoveError
from komadai.game.position import Position
from komadai.notation import compass, hodges, japanese
from komadai.notation.fen import move_text, parse_move
from komadai.notation.xboard import XboardView
from komadai.spec.logic import is_compound
from komadai.spec.variant import Variant
from komadai.workshop import check, loads, variant_text

FILES = sorted((Path(__file__).parent / "games").glob("*.toml"))
SEEDS = [first + seed for first in (0, WIDER, JOINED) for seed in range(volume(80))]
PLIES = 4 if FULL else 2
SOME = 12  # moves of a position that are written


def hold(game: Variant, seed: int, plies: int = PLIES, some: int = SOME) -> None:
    """Hold positions of a random game against the law."""
    chance = random.Random(seed)
    position = beginning(game, chance) if game.id in variants(shelf=True) else Position(game)
    for ply in range(3 * plies):
        moves = position.legal_moves().texts()
        if not moves or position.outcome():
            return
        if ply % 3 == 0:
            written = [position.parse_move(text) for text in chance.sample(moves, min(len(moves), some))]
            found = list(broken(position, written))
            assert not found, (game.id, seed, position.sfen(), found[:3])
        position.push(chance.choice(moves))


@pytest.mark.parametrize("name", variants(shelf=True))
def test_of_a_shipped_game(name: str) -> None:
    for seed, game in enumerate(settings_of(name)[: volume(16, least=2)]):
        hold(game, seed)


@pytest.mark.parametrize("game", [*LEGS, ADRIFT, TRADES, TWO_ROYALS], ids=lambda game: game.id)
def test_of_a_made_up_game(game: Variant) -> None:
    hold(game, 1)
    hold(named_badly(game, 2), 2)


def test_of_made_up_turns() -> None:
    for seed, game in enumerate(random.Random(53).sample(TURNS, volume(len(TURNS)))):
        hold(named_badly(game, seed) if seed % 2 else game, seed, plies=2)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_of_a_file(path: Path) -> None:
    hold(loads(path.read_text(encoding="utf-8")), 3)


@pytest.mark.parametrize("first", SEEDS[::10])
def test_of_a_random_game(first: int) -> None:
    for seed in SEEDS[SEEDS.index(first) :][:10]:
        game = made(seed)
        if not check(variant_text(game)):
            hold(named_badly(game, seed) if seed % 3 else game, seed, plies=2)


# --- The notations by themselves ---


KI = [
    komadai.variant(name, field=field)
    for name, field in (("ki", "unbounded"), ("ki-unicorn", "unbounded"), ("ki", "9x9"), ("ki-unicorn", "7x12"))
]
IN_EVERY_SETTING: list[Variant] = [setting.values[0] for setting in EVERY_SETTING]  # type: ignore[misc]
ON_SQUARES = [game for game in IN_EVERY_SETTING if game.id != "ko"]
READ_BACK = [
    *(("hodges", game, volume(10_000)) for game in IN_EVERY_SETTING),
    *(("compass", game, volume(6_000)) for game in KI),
    *(("japanese", game, volume(4_000)) for game in ON_SQUARES),
    *(("fen", game, volume(4_000)) for game in IN_EVERY_SETTING),
]


@pytest.mark.parametrize(("style", "game", "left"), READ_BACK, ids=str)
def test_every_legal_move_has_a_text_of_its_own_and_reads_back(style: str, game: Variant, left: int) -> None:
    left = left * 81**2 // max(81, len(game.board)) ** 2  # far fewer on a larger board, where moves are many
    for position, chance in islice(random_play(game, 1, 10**6), 0, None, 7):
        moves = position.legal_moves()
        written = {move: notation.notate(position, move, style) for move in chance.sample(moves, min(len(moves), 200))}
        assert len(set(written.values())) == len(written), position
        for move, text in written.items():
            assert notation.parse(position, text, style) == move, f"{position!r} {move} {text}"
            if style == "compass":
                assert compass.read(position, text.replace(" ", "").swapcase().removesuffix("+")) == move
            left -= 1
        if left <= 0:
            return


@pytest.mark.parametrize(
    ("style", "game", "text"), [("hodges", "shogi", "7g7f"), ("japanese", "shogi", "7g7f"), ("compass", "ki", "K*5e")]
)
def test_only_legal_moves_are_written(style: str, game: str, text: str) -> None:
    position = Position(game)
    move = position.parse_move(text)
    position.push(move)
    with pytest.raises(IllegalMoveError, match="is not legal"):
        notation.notate(position, move, style)


TEXTS = [
    (hodges, IN_EVERY_SETTING, "PGBSKRTCWHOpx123789abcfgi+-x*'=!? "),
    (compass, KI, "NSEWnwx*[]()+ 123456"),
    (japanese, ON_SQUARES, "☗☖同　123７八九十玉飛角金銀と龍右左直上引寄打成不＝（）猪兵"),
]


@pytest.mark.parametrize(("style", "games", "signs"), TEXTS)
@given(st.data(), st.integers(0, 30))
def test_any_text_is_a_legal_move_or_one_of_two_errors(
    style: ModuleType, games: list[Variant], signs: str, data: st.DataObject, plies: int
) -> None:
    position = next(islice(random_play(data.draw(st.sampled_from(games)), plies, plies + 1), plies, None))[0]
    read_or_refused(style.read, position, data.draw(st.text(signs, max_size=14) | st.text(max_size=50)))


DAMAGES = [
    (hodges, IN_EVERY_SETTING, [*"PGK+-x*'=19ai"], 1),
    (hodges, [komadai.variant("ko")], [*"PGK+-x*'=!19as", "--", "*8h", "x9i"], 3),
    (compass, KI, [*"NSEWx*[]()+29", "Hi", "Kaku", "Gyoku"], 1),
    (japanese, [*ON_SQUARES, komadai.variant("ko")], [*"☗☖同居射・喰（）右左上成＝１９十一将", "８八"], 3),
]


@pytest.mark.parametrize(("style", "games", "signs", "most"), DAMAGES)
@given(st.randoms(use_true_random=False))
def test_a_damaged_move_is_a_legal_move_or_one_of_two_errors(
    style: ModuleType, games: list[Variant], signs: list[str], most: int, chance: random.Random
) -> None:
    for position, _ in random_play(chance.choice(games), chance.randrange(99), 8):
        if moves := position.legal_moves():
            text = style.write(position, chance.choice(moves))
            read_or_refused(style.read, position, damaged(chance, text, ["", *signs], chance.randint(1, most)))


@pytest.mark.parametrize("name", ["cannon", "chu", "ki"])
def test_records_are_read_in_every_notation(name: str) -> None:
    chance, made_ = random.Random(name), Record.begin(name)
    position, at = Position(name), 0
    for _ in range(20):
        move = chance.choice(position.legal_moves().texts())
        made_, at = made_.add(at, move)
        position.push(move)
    for style in notation.STYLES:
        assert record.read(record.write([made_], "text", style)) == [made_], style


def test_turns_of_several_landings_are_written_by_compass() -> None:
    """A lion that takes and comes back had no direction at all, and several turns had one text."""
    position = Position("chu", "lfcsgekgscfl/a1b1txot1bva/mvrhdqndhr1m/pppppppppppp/8i3/3i8/4N7/3I4I3/12/12/12/5K6 b -")
    texts = {position.notate(move, "compass"): move for move in position.legal_moves()}
    assert len(texts) == len(position.legal_moves())
    back = position.notate("8g7f8g", "compass")
    assert back.endswith("-NE -SW")
    assert position.parse(back.lower().replace(" ", ""), "compass") == position.parse_move("8g7f8g")


def test_shots_are_written_by_compass() -> None:
    position = Position("ko", "18g/19/19/19/19/19/19/19/8p2[en]7/19/19/19/9[LB]9/19/19/19/19/19/9G9 b -")
    text = position.notate("10m11l*11i", "compass")
    assert text.endswith("-NW *N3")
    assert str(position.parse(text)) == "10m11l*11i"


def test_a_shot_has_a_star_where_a_walk_goes_there_and_back_too() -> None:
    position = Position(THERE_AND_BACK, "6x/3b3/2A4/7/7/7/X6 b -")
    texts = {move_text(position, move): str(move) for move in position.legal_moves() if move.origin == "5c"}
    assert texts["c5*d6"] == "5c*4b"
    assert texts["c5d6,d6c5"] == "5c4b5c"  # in the zone, so that the piece turns
    assert [str(parse_move(position, text)) for text in texts] == list(texts.values())


def test_xboard_shows_no_game_with_more_kinds_than_it_has_signs() -> None:
    letters = [first + second for first in "ABCD" for second in "ABCDEFGHIJKLMNOPQRST"]
    game = replace(
        TRADES, id="many-kinds", kinds=(*TRADES.kinds, *(kind(f"Z{code}", "W", captured=None) for code in letters))
    )
    assert not XboardView(game).showable
    assert XboardView(TRADES).showable


@pytest.mark.parametrize(
    ("position", "move", "text"),
    [
        ("lnsgkgsnl/1rci1uab1/p1p1p1p1p/9/9/9/P1P1P1P1P/1BAU1ICR1/LNSGKGSNL b -", "6h5h", "☗５八金包"),
        # The cannon on the board could come there too, without a capture.
        ("3k5/9/9/9/9/9/4U4/9/4K4 b U", "U*5d", "☗５四金包打"),
        ("3k5/4p4/9/9/4U4/9/4U4/9/4K4 b -", "5g5f", "☗５六金包上"),
        # That on 5e has nothing to leap over, without which it captures nothing.
        ("3k5/4p4/9/9/4U4/9/4U4/9/4K4 b -", "5g5b", "☗５二金包不成"),
    ],
)
def test_cannons(position: str, move: str, text: str) -> None:
    at = Position("cannon", position)
    assert at.notate(move, "japanese") == text
    assert str(at.parse(text)) == move


def test_drops_in_games_of_compound_moves_are_read() -> None:
    game = next(one for one in LEGS if is_compound(one) and one.hand_order)
    position = Position(game, "k5/6/3a2/6/3S2/5K b S")
    assert str(notation.parse(position, "S*3d", "hodges")) == "S*3d"
    assert str(notation.parse(position, "S*3c", "hodges")) == "3e*3c"
