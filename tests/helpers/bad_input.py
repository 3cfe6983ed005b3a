"""Bad input: each case, the class of its error, what the sentence names as wrong, and what it says is right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import komadai
from komadai.engine import Engine
from komadai.errors import IllegalMoveError, IllegalPositionError, KomadaiError, NotationError
from komadai.game.game import Game
from komadai.game.position import Position
from komadai.spec.move import Move

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
EMPTY = "9/9/9/9/9/9/9/9/9"


def shogi(position: str) -> Callable[[], object]:
    return lambda: Position("shogi", position)


def nana(position: str) -> Callable[[], object]:
    return lambda: Position("nana", position)


def ki(position: str, **options: str) -> Callable[[], object]:
    return lambda: Position("ki", position, **options)


def push(move: Any, position: str = START) -> Callable[[], object]:
    return lambda: Position("shogi", position).push(move)


def search(**limits: Any) -> Callable[[], object]:
    return lambda: Engine("shogi").search(Position("shogi"), **limits)


# (what is done, the class, what the sentence names as wrong, what it says would be right)
CASES: list[tuple[Callable[[], object], type[KomadaiError], str, str]] = [
    # Variants and options
    (lambda: komadai.variant("go"), NotationError, "unknown variant 'go'", "nana"),
    (lambda: komadai.variant("nanna"), NotationError, "unknown variant 'nanna'", "did you mean 'nana'?"),
    (lambda: komadai.variant(3), NotationError, "unknown variant 3", "choose from"),  # type: ignore[arg-type]
    (lambda: Engine(Position("nana")), NotationError, "unknown variant Position('nana'", "choose from"),  # type: ignore[arg-type]
    (lambda: Position(None), NotationError, "unknown variant None", "choose from"),  # type: ignore[arg-type]
    (lambda: komadai.variant(""), NotationError, "unknown variant ''", "shogi"),
    (lambda: komadai.variant("SHOGI\n"), NotationError, r"unknown variant 'SHOGI\n'", "shogi"),
    (lambda: komadai.variant("nana", faces="any"), NotationError, "unknown option 'faces'", "drop_faces"),
    (lambda: komadai.variant("nana", drop_faces="back"), NotationError, "cannot be 'back'", "any, front"),
    (lambda: komadai.variant("shogi", drop_faces="any"), NotationError, "unknown option 'drop_faces'", "illegal_move"),
    (lambda: komadai.variant("shogi", illegal_move=True), NotationError, "cannot be True", "refused, loses"),  # type: ignore[arg-type]
    *(
        (
            lambda size=size: komadai.variant("ki", field=size),
            NotationError,
            f"option field cannot be {shown!r}",
            "; choose from unbounded, 9x9, 5x5 or any WxH from 3x3 to 25x25",
        )
        for size, shown in [
            *(
                (size, size)
                for size in ("2x9", "9×9", "26x3", "09x9", "9x9x9", "9x", "x", "", "9X9", " 9x9", "-9x9", "٩x9")
            ),
            ("9" * 5000 + "x9", "9" * 37 + "..."),
        ]
    ),
    (lambda: komadai.variant("ki", field="unbound"), NotationError, "cannot be 'unbound'", "did you mean 'unbounded'?"),
    (lambda: komadai.variant("ki", field=9), NotationError, "cannot be 9", "any WxH"),  # type: ignore[arg-type]
    (lambda: Position("chess"), NotationError, "unknown variant 'chess'", "choose from"),
    (lambda: Position(komadai.variant("nana"), drop_faces="any"), NotationError, "options", "give options with a name"),
    # Positions that are no position string
    (shogi(""), NotationError, "0 fields", "BOARD SIDE HANDS"),
    (shogi("hello"), NotationError, "1 field;", "BOARD SIDE HANDS"),
    (shogi(f"{EMPTY} b"), NotationError, "2 fields", "BOARD SIDE HANDS"),
    (shogi(f"{EMPTY} b - 1 2"), NotationError, "5 fields", "BOARD SIDE HANDS"),
    (shogi("9/9/9 b -"), NotationError, "3 ranks", "expected 9"),
    (shogi(EMPTY + "/9 b -"), NotationError, "10 ranks", "expected 9"),
    (shogi("8/9/9/9/9/9/9/9/9 b -"), NotationError, "rank a: has 8 squares", "expected 9"),
    (shogi("9/9/9/9/55/9/9/9/9 b -"), NotationError, "rank e", "expected"),
    (shogi("9/9/0/9/9/9/9/9/9 b -"), NotationError, "rank c: '0'", "1 to 9"),
    (shogi("9/9/9999999999999999999/9/9/9/9/9/9 b -"), NotationError, "rank c", "1 to 9"),
    (shogi("9/X8/9/9/9/9/9/9/9 b -"), NotationError, "rank b: shogi has no piece 'X'", "K R B"),
    (shogi("9/[PD]8/9/9/9/9/9/9/9 b -"), NotationError, "no piece '[PD]'", "K R B"),
    (shogi("9/[Pd]8/9/9/9/9/9/9/9 b -"), NotationError, "mixes upper and lower case", "Black is upper"),
    (shogi("9/+K8/9/9/9/9/9/9/9 b -"), NotationError, "no piece '+K'", "+R +B"),
    (shogi("9/+8/9/9/9/9/9/9/9 b -"), NotationError, "cannot read '+8'", "a piece code"),
    (shogi("9/[P8/9/9/9/9/9/9/9 b -"), NotationError, "cannot read '[P8'", "a piece code"),
    (shogi("9/玉8/9/9/9/9/9/9/9 b -"), NotationError, "cannot read '玉8'", "a piece code"),
    (shogi(f"{EMPTY} black -"), NotationError, "'black' is not a side", "b (Black) or w (White)"),
    (shogi(f"{EMPTY} b K"), NotationError, "'K' cannot be held", "R B G S N L P"),
    (shogi("4k4/9/9/9/9/9/9/9/4K4 b 9P9PP"), IllegalPositionError, "19 pieces of the kinds P, +P", "has 18"),
    (shogi(f"{EMPTY} b 0P"), NotationError, "'0P' has an impossible count", "1 to"),
    (shogi(f"{EMPTY} b 99999P"), NotationError, "'99999P' has an impossible count", "1 to"),
    (shogi(f"{EMPTY} b 00019999P"), NotationError, "impossible count", "1 to"),
    (shogi(f"{EMPTY} b ?"), NotationError, "cannot read '?'", "- for none"),
    (shogi(f"{START} 0"), NotationError, "move number: '0'", "1 or more"),
    (shogi(f"{START} x"), NotationError, "move number: 'x'", "whole number"),
    (nana("3/3/3 b RTG"), NotationError, "'T' cannot be held", "K R B"),
    # Positions that cannot be played
    (shogi(f"{EMPTY} b -"), IllegalPositionError, "Black's king is there 0 times", "expected 1"),
    (shogi("4k4/9/9/9/9/9/9/9/3KK4 b -"), IllegalPositionError, "Black's king is there 2 times", "expected 1"),
    (shogi("4k4/4R4/9/9/9/9/9/9/4K4 b -"), IllegalPositionError, "White's king is attacked", "Black is to move"),
    (shogi("3kK4/9/9/9/9/9/9/9/9 w -"), IllegalPositionError, "Black's king is attacked", "White is to move"),
    (shogi("P3k4/9/9/9/9/9/9/9/4K4 b -"), IllegalPositionError, "Black's pawn cannot stand on 9a", "move again"),
    (shogi("4k4/9/9/9/9/9/9/7n1/4K4 b -"), IllegalPositionError, "White's knight cannot stand on 2h", "move again"),
    (shogi("4k4/9/9/9/9/9/9/9/4K4 b 19P"), IllegalPositionError, "19 pieces of the kinds P, +P", "has 18"),
    (shogi("rk7/9/9/9/9/9/9/9/4K4 b 2R"), IllegalPositionError, "3 pieces of the kinds R, +R", "has 2"),
    (nana("RCR/3/K1k w b"), IllegalPositionError, "3 pieces of the kinds R, C, SW, GB", "has 2"),
    (nana("k2/1K1/3 b -"), IllegalPositionError, "king is attacked", "is to move"),
    # Positions of a field without edges: everything is relative to Black's Gyoku
    (ki(f"{EMPTY} b [HI][KAKU][hi][kaku]"), IllegalPositionError, "Black's Gyoku is there 0 times", "expected 1"),
    (ki(f"{EMPTY} b [HI][KAKU][hi][kaku]"), IllegalPositionError, "White's Gyoku is there 0 times", "expected 1"),
    (ki(f"{EMPTY} b K[HI][KAKU][hi][kaku]"), IllegalPositionError, "White's Gyoku is there 0 times", "expected 1"),
    (ki("9/9/4k4/9/4K4/9/9/9/9 b K"), IllegalPositionError, "Black's Gyoku is there 2 times", "expected 1"),
    (ki(f"{EMPTY} w K[HI][KAKU]k[hi][kaku]"), IllegalPositionError, "Gyoku is not on the field", "Black's first move"),
    (ki("9/9/9/4[CHO]4/9/9/9/9/9 b Kk"), IllegalPositionError, "Gyoku is not on the field", "Black's first move"),
    (ki("9/9/4k4/9/9/9/9/9/9 b K"), IllegalPositionError, "Gyoku is not on the field", "Black's first move"),
    (ki("9/9/4k4/9/4K[CHO]3/9/9/9/9 b 2[HI]"), IllegalPositionError, "3 pieces of the kinds HI, CHO", "has 2"),
    (ki("9/9/4k4/9/4K4/9/9/9/9 b 2[KAKU][kaku]"), IllegalPositionError, "3 pieces of the kinds KAKU", "has 2"),
    (ki("9/9/9/4k4/4K4/9/9/9/9 b -"), IllegalPositionError, "Gyoku on 5d", "exactly two points"),
    (ki("4k4/9/9/9/4K4/9/9/9/9 b -"), IllegalPositionError, "Gyoku on 5a", "exactly two points"),
    (ki("K1k6/9/9/9/9/9/9/9/8[CHO] b -"), IllegalPositionError, "a piece stands too far", "from Black's Gyoku"),
    (ki("9/9/4k4/9/4K4/9/9/4[han]4/9 w -"), IllegalPositionError, "Black's Gyoku is attacked", "White is to move"),
    (ki("9/9/4k4/9/4K4/9/9/9/9 b [CHO]"), NotationError, "'[CHO]' cannot be held", "K HI KAKU"),
    (ki("9/9/4k4/9/4K4/9/9/9/9 b [KI]"), NotationError, "'[KI]' cannot be held", "K HI KAKU"),
    (ki("9/9/4k4/9/4K[BA]3/9/9/9/9 b -"), NotationError, "no piece '[BA]'", "ZOU KEN"),
    (ki("9/9/4k4/9/4K4/9/9/9/9 b -", field="5x5"), NotationError, "9 ranks", "expected 5"),
    (ki("5/5/5/5/5 b Kk"), NotationError, "5 ranks", "expected 9"),
    (lambda: komadai.variant("ki", field="2x9"), NotationError, "cannot be '2x9'", "unbounded"),
    (lambda: komadai.variant("ki", field="9x26"), NotationError, "cannot be '9x26'", "3x3 to 25x25"),
    (lambda: Position("ki").push("K*4e"), IllegalMoveError, "K*4e is not legal", "on 5e"),
    (lambda: Position("ki").push("KI*5e"), NotationError, "ki has no piece KI", "ZOU KEN"),
    (lambda: Position("ki").push("K*10e"), NotationError, "10e is not a square", "from 9a to 1i"),
    (lambda: Position("ki").support("BA"), NotationError, "support", "no piece 'BA'"),
    # Moves
    (push("hello"), NotationError, "move 'hello': is not a move string", "7g7f"),
    (push(""), NotationError, "is not a move string", "7g7f"),
    (push("7g7f\n"), NotationError, "is not a move string", "7g7f"),
    (push("7g7f++"), NotationError, "is not a move string", "P*5e"),
    (push("x" * 10_000), NotationError, "xxx...", "P*5e"),
    (push("7g7j"), NotationError, "7j is not a square", "from 9a to 1i"),
    (push("0a1a"), NotationError, "0a is not a square", "from 9a to 1i"),
    (push("10a1a"), NotationError, "10a is not a square", "from 9a to 1i"),
    (push("P*10a"), NotationError, "10a is not a square", "from 9a to 1i"),
    (push("Q*5e"), NotationError, "shogi has no piece Q", "K R B G"),
    (push(None), NotationError, "is not a move string", "7g7f"),
    (push("7g7e"), IllegalMoveError, "7g7e is not legal", "does not move from 7g to 7e"),
    (push("P*5e"), IllegalMoveError, "P*5e is not legal", "no pawn in hand"),
    (push(Move("7g7f", "7g", "7f", "P", 12345, 0, 0, 1)), IllegalMoveError, "7g7f", "not a move of this position"),
    (lambda: Position("shogi").parse_move("7g7e"), IllegalMoveError, "7g7e is not legal", "does not move"),
    (lambda: Position("shogi").explain("7g"), NotationError, "move '7g'", "7g7f"),
    (lambda: Position("shogi").piece_at("1j"), NotationError, "square '1j'", "from"),
    (lambda: Position("shogi").piece_at(""), NotationError, "square ''", "from"),
    (lambda: Position("shogi").perft(-1), NotationError, "depth -1", "0 to 99"),
    (lambda: Position("shogi").perft(10**9), NotationError, "depth 1000000000", "0 to 99"),
    # Engines
    (lambda: Engine("go"), NotationError, "unknown variant 'go'", "shogi"),
    (lambda: Engine("shogi", level=0), NotationError, "level 0", "1 to 10"),
    (lambda: Engine("shogi", level=11), NotationError, "level 11", "1 to 10"),
    (lambda: Engine("shogi", level="3"), NotationError, "level '3'", "1 to 10"),  # type: ignore[arg-type]
    (lambda: Engine("shogi", hash_mb=0), NotationError, "hash size 0", "1 to 4096"),
    (lambda: Engine("shogi", hash_mb=10**9), NotationError, "hash size", "1 to 4096"),
    (lambda: Engine("shogi", drop_faces="any"), NotationError, "unknown option 'drop_faces'", "illegal_move"),
    (search(depth=0), NotationError, "depth 0", "1 to 99"),
    (search(depth=100), NotationError, "depth 100", "1 to 99"),
    (search(depth=-(10**30)), NotationError, "depth -1000", "1 to 99"),
    (search(nodes=0), NotationError, "nodes 0", "1 or more"),
    (search(nodes=10**30), NotationError, "nodes 1000", "out of range"),
    (search(time=0.0), NotationError, "time 0.0", "above 0"),
    (search(time=-1), NotationError, "time -1", "above 0"),
    (search(time=math.nan), NotationError, "time nan", "above 0"),
    (search(time=math.inf), NotationError, "time inf", "above 0"),
    (search(depth=1, multipv=0), NotationError, "multipv 0", "1 or more"),
    (search(depth=1, multipv=10**30), NotationError, "multipv 1000", "out of range"),
    (lambda: Engine("nana").search(Position("shogi")), NotationError, "position is of shogi", "plays nana"),
    # Games
    (lambda: Game("go"), NotationError, "unknown variant 'go'", "shogi"),
    (lambda: Game("shogi").agree_draw(), IllegalMoveError, "can be agreed only", "each side"),
    (lambda: Game.from_record({}), NotationError, "record", "variant"),
]
