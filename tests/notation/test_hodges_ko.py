"""Turns of several landings and shots as players write them (docs/rules/ko.md, 7): Kō Shōgi has every kind of them."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

import komadai
from helpers.support import FIXTURES, arranged
from helpers.volume import volume
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.notation.hodges import read, write
from komadai.spec.board import Side
from komadai.spec.setup import Setup

EACH_HALF = volume(7)  # positions of the fixtures in which the moves are read back, see positions_read_back
_PLACED = re.compile(r"(\+?[A-Z]+)([0-9]+[a-s])")


def at(black: str, white: str, turn: Side = "b", **options: str) -> Position:
    """The position with these pieces, given as code and square; each side has a general and a drum besides."""
    variant, pieces = komadai.variant("ko", **options), list[str]()
    for words, lower in ((f"G1s {black}", False), (f"G19a {white}", True)):
        placed = [_PLACED.fullmatch(word) for word in words.split()]
        assert all(placed), words
        pieces += [f"{one[1].lower() if lower else one[1]} {one[2]}" for one in placed if one]
    drums = [drum for drum, words in (("D 2s", black), ("d 18a", white)) if "+D" not in words]
    return Position(variant, arranged(variant, ", ".join([*pieces, *drums]), turn))


@cache
def fixtures() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FIXTURES / "ko.json").read_text(encoding="utf-8"))["positions"]
    return found


# --- Both ways ------------------------------------------------------------------------------------------------------


def positions_read_back() -> list[Any]:
    """Fixture positions with moves: half of them with turns of two shots or of three landings and more."""
    able = [(number, row) for number, row in enumerate(fixtures()) if row["moves"]]
    rare = [one for one in able if any(re.search(r"\*.*\*|(\d+[a-s]){4}", move) for move in one[1]["moves"])]
    common = [one for one in able if one not in rare]
    chosen = [group[at * len(group) // EACH_HALF] for group in (rare, common) for at in range(EACH_HALF)]
    return [pytest.param(row, id=str(number)) for number, row in chosen]


@pytest.mark.parametrize("row", positions_read_back())
def test_every_legal_move_has_a_text_of_its_own(row: dict[str, Any]) -> None:
    position = Position("ko", row["position"])
    moves = position.legal_moves()
    texts = {move.text: write(position, move) for move in moves}
    assert sorted(texts) == sorted(row["moves"])
    assert len(set(texts.values())) == len(moves)
    for move in moves[::3]:
        assert read(position, texts[move.text]) == move
    for move in moves[::20]:
        assert read(position, texts[move.text].lower()) == move


# --- What the page says ---------------------------------------------------------------------------------------------

START = Position("ko")
WRESTLER = at("SW8i", "P8h P9h")
TWO_WRESTLERS = at("SW8i SW13s", "P8h")
WAVER = at("+B8i TP18s", "P8h P8g")
FOG = at("+TP8g", "TP10e P8d P9h P11f P5e P8f")
LIGHT = at("+SM8g", "+TP2c +TP14c")
HORSEMAN = at("CY16g", "P14f")
THUNDER = at("+D8i TP18s", "P8h P9h P9g")
CANNON = at("FC9l", "P8h P11k P8f P4o P8o", "b")
STAYING = {"shoot_mode": "either"}

TWO_WAYS = [
    # Plain moves, the page's own examples first.
    (at("P8i", ""), "8i8h", "P-8h"),
    (at("", "MA7b B3b", "w"), "7b7a", "MA-7a"),
    (at("P7c", "MA7b B3b", "w"), "7b7c", "MAx7c"),
    (at("+MA7g", ""), "7g7f", "+MA-7f"),
    (START, "10m10l", "V-10l"),
    (START, "19n19f+", "CUx19f+"),
    (START, "19n19f", "CUx19f="),
    (START, "16n15m", "SH16n-15m"),
    # Turning over by force is written too (rule R4); a piece that cannot turn over declines nothing.
    (at("P8i", "B8h"), "8i8h", "Px8h+"),
    (at("E8i", "P7h"), "8i7h", "Ex7h"),
    (at("+AC8i", "P8b"), "8i8b", "+ACx8b"),
    # A mover that dies beside a flame keeps its landing (rule R10).
    (at("P8i", "+EN8g"), "8i8h", "P-8h"),
    (at("SW8i", "+EN8g"), "8i7h", "SW-7h"),
    # Shots.
    (at("LB9l", "P8h"), "9l8k*8h", "LB-8k*8h"),
    (at("LB9l", "P8h"), "9l8k", "LB-8k"),
    (at("LB9l LB7l", "P8h"), "9l8k*8h", "LB9l-8k*8h"),
    (at("LB9l LB7j", "P8h"), "9l8k*8h", "LB9l-8k*8h"),
    (at("LB9l CB7l", "P8h"), "9l8k*8h", "LB-8k*8h"),
    (at("LB9l", "B8h"), "9l8k*8h", "LB-8k*8h+"),
    (at("LB9g", "P8d"), "9g8f*8d+", "LB-8f*8d+"),
    (at("LB9g", "P8d"), "9g8f*8d", "LB-8f*8d="),
    (CANNON, "9l8k*11k*8h", "FC-8k*11k*8h"),
    (CANNON, "9l8k*8h*8f", "FC-8k*8h*8f"),
    (at("TP8o", "P9l", "b"), "8o8m*9l", "TP-8m*9l"),
    # Walks: landings that capture, and the end.
    (WRESTLER, "8i8h8g", "SWx8h-8g"),
    (WRESTLER, "8i8h9h", "SWx8hx9h"),
    (WRESTLER, "8i9h8h", "SWx9hx8h"),
    (WRESTLER, "8i7h8g", "SW-8g"),
    (WRESTLER, "8i9h", "SWx9h"),
    (at("SW8i", "P8g"), "8i7h8g", "SWx8g"),
    (WAVER, "8i8h8g8f", "+Bx8hx8g-8f"),
    (WAVER, "8i8h8g", "+Bx8hx8g"),
    (WAVER, "8i8j8k", "+B-8k"),
    (THUNDER, "8i8h9h9g9f9e", "+Dx8hx9hx9g-9e"),
    (THUNDER, "8i8j8k8l8m8n", "+D-8n"),
    (at("+D8i TP18s", "+EN8f"), "8i8h8g", "+D-8g"),
    (HORSEMAN, "16g14f12e+", "CYx14f-12e+"),
    (HORSEMAN, "16g14f12e", "CYx14f-12e="),
    # Coming back: with a capture on the way, and without.
    (WRESTLER, "8i8h8i", "SWx!8h"),
    (WRESTLER, "8i7h8i", "SW--"),
    (TWO_WRESTLERS, "8i8h8i", "SWx!8h"),
    (TWO_WRESTLERS, "8i7h8i", "SW8i--"),
    (START, "13s13r13s", "SW13s--"),
    (START, "1p3o1p", "CY1p--"),
    (HORSEMAN, "16g14f16g+", "CYx!14f+"),
    (HORSEMAN, "16g14f16g", "CYx!14f="),
    (HORSEMAN, "16g14h16g", "CY--="),
    # The fog and the light shoot at each landing.
    (FOG, "8g8e*8d10c", "+TP-8e*8d-10c"),
    (FOG, "8g8e*8d10g*11f", "+TP-8e*8d-10g*11f"),
    (FOG, "8g8e*8d8g", "+TP-8e*!8d"),
    (FOG, "8g8e*8d8g*9h", "+TP-8e*8d--*9h"),
    (at("+TP8g P10g P8i P10i", "P9h"), "8g10e8g*9h", "+TP--*9h"),
    (FOG, "8g10e8g", "+TPx!10e"),
    (FOG, "8g10e*11f8g", "+TPx10e*!11f"),
    (FOG, "8g10e*11f10c", "+TPx10e*11f-10c"),
    (FOG, "8g10e10c", "+TPx10e-10c"),
    (FOG, "8g10e*11f8g*8f", "+TPx10e*11f--*8f"),
    # A light disperses fogs on its way: what is at the end the same may not be the same in between (rule R7).
    (LIGHT, "8g10g", "+SM-10g"),
    (at("+TP8g", "+SM14g"), "8g10g", "+TP-10g=TP"),
    # Standing shots, where the option allows them.
    (at("LB8k", "P8h", **STAYING), "8k*8h", "LB--*8h"),
    (at("LB8k LB12k", "P8h", **STAYING), "8k*8h", "LB--*8h"),
    (at("LB8k LB10h", "P8h", **STAYING), "8k*8h", "LB8k--*8h"),
    (at("FC8k", "P8h P11k", **STAYING), "8k*11k*8h", "FC--*11k*8h"),
]


@pytest.mark.parametrize(("position", "move", "text"), [pytest.param(*row, id=f"{row[2]}") for row in TWO_WAYS])
def test_the_forms(position: Position, move: str, text: str) -> None:
    assert write(position, position.parse_move(move)) == text
    assert read(position, text).text == move
    assert read(position, text.lower()).text == move


def test_a_light_writes_all_its_landings_where_they_matter() -> None:
    written = {move.text: write(LIGHT, move) for move in LIGHT.legal_moves()}
    assert written["8g10g"] == "+SM-10g"
    assert len(set(written.values())) == len(written)
    by_way = {text: form for text, form in written.items() if len(re.findall("[-x]", form)) > 1}
    assert by_way
    for text, form in by_way.items():
        assert read(LIGHT, form).text == text
        end = form.rpartition("-")[2]
        assert sum(other.endswith(f"-{end}") for other in written.values()) > 1 or form.endswith("--")


# --- Leniency -------------------------------------------------------------------------------------------------------

LENIENT = [
    (at("", "MA7b B3b", "w"), "ma-7a=", "7b7a"),
    (at("MA7d B3s", "P7c"), "MAx7c", "7d7c"),
    (WRESTLER, "SW!8h", "8i8h8i"),
    (WRESTLER, "SW-!8h", "8i8h8i"),
    (WRESTLER, "SWx8h--", "8i8h8i"),
    (WRESTLER, "SWx8h-8i", "8i8h8i"),
    (WRESTLER, "SW8ix8h-8i!?", "8i8h8i"),
    (WRESTLER, "SW-8i", "8i7h8i"),
    (WRESTLER, "SW-7h--", "8i7h8i"),
    (WRESTLER, "SW--!", "8i7h8i"),
    (WRESTLER, "SW-8h-9h", "8i8h9h"),
    # The whole way, although another one to the same end is the move's own.
    (WRESTLER, "SW-7h-8g", "8i7h8g"),
    (WRESTLER, "SW-7i-7h", "8i7h"),
    (WRESTLER, "SW-9j--", "8i7h8i"),
    (THUNDER, "+D-7i-7h-7g-7f-8f", "8i7i7h7g7f8f"),
    (THUNDER, "+D-8j-9j-9k-8k-8l", None),
    # Shots in any order, from any landing.
    (CANNON, "FC-8k*8h*11k", "9l8k*11k*8h"),
    (CANNON, "FC-8k'8h'11k", "9l8k*11k*8h"),
    (FOG, "+TP-8e*8d-8g*9h", "8g8e*8d8g*9h"),
    (FOG, "+TPx!10e*11f", "8g10e*11f8g"),
    (at("LB8k", "P8h", **STAYING), "LB*8h", "8k*8h"),
    (at("LB8k", "P8h", **STAYING), "lb'8h", "8k*8h"),
    # What is not said of a promotion.
    (HORSEMAN, "CYx!14f", "16g14f16g"),
    (HORSEMAN, "CYx14f-12e=+cy", "16g14f12e+"),
    (at("P8i", "B8h"), "Px8h", "8i8h"),
    (at("+TP8g", "+SM14g"), "+TP-10g", "8g10g"),
]


@pytest.mark.parametrize(("position", "text", "move"), LENIENT)
def test_what_the_writer_would_not_write_is_read(position: Position, text: str, move: str | None) -> None:
    found = read(position, text)
    assert found.text == move or (move is None and found.text in {legal.text for legal in position.legal_moves()})


# --- What is refused ------------------------------------------------------------------------------------------------

MODEL = "is not a move; expected a piece, then -, x or *, and a square, as in G-1r"
BURNED = at("P8i", "+EN8g")
NETTED = at("P8i", "+AG5i")
BLINDED = at("LB9l", "P8h +TP8g")
NO_MOVES = [
    *((WRESTLER, text, MODEL) for text in ("", "8i8h", "SW", "SW-", "--", "pass", "SW8i", "SW--8h")),
    *((WRESTLER, text, MODEL) for text in ("SWx8h8g", "SWx8h-8g*", "SW-8h--+=", "SWx!", "SW-8h!!!")),
    (WRESTLER, "SWx8h-8g" * 8, "is longer than 60 characters"),
    (WRESTLER, "SXx8h-8g", "ko has no piece SX"),
    (WRESTLER, "SWXx8h", "ko has no piece SWX; its codes are G CL SO"),
    (WRESTLER, "SW-8h=+SW", "ko has no piece +SW"),
    (WRESTLER, "SWx20h-11", "20h is not a square of this board, which goes from 19a to 1s; 11 is no"),
    # Several turns fit.
    (TWO_WRESTLERS, "SW--", "fits several moves; choose from SW13s--, SW8i--"),
    (at("SW8i SW8m", ""), "SW-8k", "fits several moves; choose from SW8i-8k, SW8m-8k"),
    (at("LB9l LB7l", "P8h"), "LB-8k*8h", "fits several moves; choose from LB7l-8k*8h, LB9l-8k*8h"),
    (LIGHT, "+SM--", "fits several moves; choose from +SM-10e--, +SM-10i--"),
]
ILLEGAL = [
    # No such piece, or not there.
    (WRESTLER, "LB-8h", "LB-8h is not legal: Black has no longbow on the board"),
    (WRESTLER, "SW7i-8h", "7i is empty; nearest legal: SWx8h,"),
    (WRESTLER, "SW9hx8h--", "9h holds White's pawn; nearest legal: SWx!8h,"),
    # What must be said.
    (WAVER, "+B-8f", "on its way it captures on 8h, 8g, which must be written; nearest legal: +Bx8hx8g"),
    (WAVER, "+Bx8h-8f", "on its way it captures on 8g, which must be written"),
    (HORSEMAN, "CY-12e+", "on its way it captures on 14f, which must be written"),
    # Steps that are not to be gone.
    (WRESTLER, "SW-8b", "the sumo wrestler does not move from 8i to 8b; nearest legal: SW-8g,"),
    (WRESTLER, "SWx8h-8b", "the sumo wrestler does not go on from 8h to 8b; nearest legal: SWx8h-8g"),
    (WRESTLER, "SWx!8g", "does not move from 8i to 8g; nearest legal: SW--, SWx!8h"),
    (WAVER, "+Bx8h-9h", "the flag waver does not go on from 8h to 9h"),
    (WAVER, "+B--", "the flag waver cannot come back to its start in this turn"),
    (TWO_WRESTLERS, "SW-19a", "none of Black's 2 pieces SW can go to 19a like that"),
    (at("P8i P6i", ""), "P--", "none of Black's 2 pieces P can come back to its start like that"),
    (THUNDER, "+D-7i-7h", "the thunderclap may not end its turn there; it must go on"),
    (at("CH8i P8h", ""), "CH-8h", "Black's pawn, a piece of your own, stands on 8h"),
    (at("CH8i", "+SU8h"), "CHx8h", "the chariot cannot take a heavenly fortress"),
    (at("TP8i", "P8g"), "TPx8g", "the Taoist priest cannot take a pawn; nearest legal: TP-10g"),
    # Shots.
    (CANNON, "FC-8k*9k", "there is nothing to shoot on 9k; nearest legal: FC-8k,"),
    (CANNON, "FC-8k*8h*11k*8f", "the Frankish cannon has no more shots from 8k"),
    (CANNON, "FC*8h", "the Frankish cannon must move before it shoots; nearest legal: FC-8k*8h"),
    (at("LB9l", "SH8h"), "LB-8k*8h", "the longbow cannot shoot a shield; nearest legal: LB-8k"),
    (WRESTLER, "SW-8g*8f", "no turn of the sumo wrestler that ends there shoots at 8f"),
    # Rules.
    (BLINDED, "LB-8k*8h", "a five-li fog within 5 points blinds it; nearest legal: LB-8k,"),
    (NETTED, "P-8h", "a skyward net holds it fast"),
    # Ends.
    (WRESTLER, "SW--+", "the sumo wrestler cannot end as +SW there; nearest legal: SW--,"),
    (HORSEMAN, "CYx14f-12e=TP", "the cavalry cannot end as TP there; nearest legal: CYx14f-12e="),
    (at("P8i", "B8h"), "Px8h=", "the pawn cannot end as P there; nearest legal: Px8h+,"),
    (BURNED, "P-8h+", "the pawn leaves the game there and cannot end as +P; nearest legal: P-8h,"),
]
REFUSED = [*((NotationError, *row) for row in NO_MOVES), *((IllegalMoveError, *row) for row in ILLEGAL)]


@pytest.mark.parametrize(
    ("error", "position", "text", "part"), [pytest.param(*row, id=row[2][:20] or "nothing") for row in REFUSED]
)
def test_refusals_say_why(position: Position, text: str, error: type[Exception], part: str) -> None:
    before = position.copy()
    with pytest.raises(error, match=re.escape(part)):
        read(position, text)
    assert position == before


def test_without_drum_and_thunderclap_pawns_do_not_step_forward() -> None:
    setup = at("P8i", "").setup()
    board = tuple(None if piece == ("b", "D") else piece for piece in setup.board)
    position = Position("ko", Setup(board, setup.hands, "b"))
    with pytest.raises(IllegalMoveError, match=re.escape("pawns do not step forward; nearest legal: P-7i")):
        read(position, "P-8h")


def test_a_long_choice_is_cut_short() -> None:
    cavalry = [f"+CM{file}{rank}" for rank in "kmo" for file in (8, 10, 12, 14, 16)]
    with pytest.raises(NotationError, match=r"choose from (\+CM\d+[kmo]--, ){11}\+CM\d+[kmo]-- and 3 more"):
        read(at(" ".join(cavalry), ""), "+CM--")


def test_a_finished_game_has_no_turns() -> None:
    over = at("SW8i", "").setup()
    board = tuple(None if piece == ("w", "G") else piece for piece in over.board)
    with pytest.raises(IllegalMoveError, match=r"SW-8h is not legal: the game is over: White has no commander left"):
        read(Position("ko", Setup(board, over.hands, "b")), "SW-8h")
