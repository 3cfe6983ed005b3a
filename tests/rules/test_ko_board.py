"""Kō Shōgi: setup, data and counts of docs/rules/ko.md, and how the tests of its rules write positions.

``board("SW 10j, p 9i 11i, +en 5c")`` is the otherwise empty board with these pieces, White's in lower case. A general
of each side stands out of the way, Black's on 2s and White's on 18a, unless the text places it or says ``G -``.
"""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from helpers.ko import KO, board, moves_of
from helpers.support import ROOT, generic, legal, reference_of
from komadai.errors import IllegalPositionError
from komadai.game.position import Position
from komadai.spec import Movement, Piece, Setup, Side, betza
from komadai.variants import entry

PAGE = (ROOT / "docs" / "rules" / "ko.md").read_text(encoding="utf-8")
DATA = json.loads((ROOT / "docs" / "rules" / "ko.json").read_text(encoding="utf-8"))


# --- Setup, counts and data -----------------------------------------------------------------------------------------


def test_the_start_is_the_page_s() -> None:
    start = Position("ko")
    assert start.sfen() in PAGE
    assert start.sfen() == KO.start == DATA["setup"]["sfen"]
    for rank, row in DATA["setup"]["black"].items():
        for file, code in zip(range(19, 0, -1), row, strict=True):
            there = Piece("b", code) if code else None
            assert start.piece_at(f"{file}{rank}") == there, f"{file}{rank}"


def test_ninety_pieces_a_side_of_thirty_four_types_and_sixty_five_faces() -> None:
    pieces = [piece for piece in Position("ko").board if piece]
    for side in ("b", "w"):
        counts = Counter(piece.code for piece in pieces if piece.side == side)
        assert (counts.total(), len(counts)) == (90, 34)
        said = re.search(r"^Totals: (.*)\. Sum 90; types 34", PAGE, re.MULTILINE)
        assert said
        assert counts == {code: int(number) for number, code in re.findall(r"(\d+) ([A-Z]+)", said[1])}
    assert len(KO.kinds) == 65
    assert sum(kind.code.startswith("+") for kind in KO.kinds) == 31


def turned(setup: Setup) -> Setup:
    """The same seen from the other side: rotated by half a turn, colours exchanged."""
    sides: dict[Side, Side] = {"b": "w", "w": "b"}
    points = tuple(piece and Piece(sides[piece.side], piece.code) for piece in reversed(setup.board))
    return Setup(points, setup.hands, sides[setup.turn])


def test_white_s_army_is_black_s_turned_round() -> None:
    setup = Position("ko").setup()
    assert turned(setup).board == setup.board


def test_first_turns_are_as_the_page_counts_them() -> None:
    start = Position("ko")
    moves = legal(start)
    assert len(moves) == start.perft(1) == 226
    assert {"10m10l", "13s13r13s"} <= moves
    passes = {move for move in moves if (points := re.findall(r"\d+[a-s]", move))[0] == points[-1]}
    assert {re.findall(r"\d+[a-s]", move)[0] for move in passes} == {"13s", "7s", "19p", "1p"}
    assert len(passes) == 4
    assert {move for move in moves if move.endswith("+")} == {"19n19f+", "1n1f+"}
    captures = [move for move in start.legal_moves() if (there := start.board[move.target_point]) and there.side == "w"]
    assert {str(move) for move in captures} == {"19n19f", "19n19f+", "1n1f", "1n1f+"}
    assert moves_of(Position("ko"), "") == moves


def test_perft_two() -> None:
    assert Position("ko").perft(2) == 50_940


Told = tuple[set[object], set[object]]


def answer(movement: Movement) -> Told:
    """The legs and walks of a movement, in whatever order they stand."""
    legs: set[object] = {(vector, leg.reach) for leg in movement.legs for vector in leg.vectors}
    walks: set[object] = {(frozenset(walk.vectors), walk.least, walk.most, walk.line) for walk in movement.walks}
    return legs, walks


def listed_on_the_page(moves: list[dict[str, object]]) -> Told:
    """The same, read from ko.json."""
    directions = {name: tuple(vector) for name, vector in DATA["conventions"]["dirs"].items()}
    legs: set[object] = set()
    walks: set[object] = set()
    for move in moves:
        match move:
            case {"kind": "step", "dirs": list(names)}:
                legs |= {(directions[name], 1) for name in names}
            case {"kind": "slide", "dirs": list(names), "range": [1, most]}:
                legs |= {(directions[name], most) for name in names}
            case {"kind": "jump", "to": list(vectors)}:
                legs |= {(tuple(vector), 1) for vector in vectors}
            case {"kind": "legs", "count": [least, most], "atoms": list(atoms), "line": str(line)}:
                atomic, none = listed_on_the_page(atoms)
                assert not none
                vectors = [vector for vector, reach in atomic if reach == 1]  # type: ignore[misc, has-type]
                assert len(vectors) == len(atomic)
                walks.add((frozenset(vectors), least, most, {"cavalry": "onward"}.get(line, line)))
            case _:
                raise AssertionError(move)
    return legs, walks


@pytest.mark.parametrize("face", DATA["pieces"], ids=lambda face: face["code"])
def test_every_face_is_as_the_data_say(face: dict[str, object]) -> None:
    kind = KO.kind(str(face["code"]))
    assert f"| `{kind.code}` | {kind.name} | {kind.kanji} | {face['romaji']} |" in PAGE
    assert (kind.name, kind.kanji, kind.romaji) == (face["name"], face["kanji"], str(face["romaji"]).split(" (")[0])
    moves = face["moves"]
    assert isinstance(moves, list)
    movement = betza(kind.move) if isinstance(kind.move, str) else kind.move
    legs, walks = answer(movement)
    page_legs, page_walks = listed_on_the_page(moves)
    assert (legs, walks) == (page_legs, page_walks)


@pytest.mark.parametrize("face", DATA["pieces"], ids=lambda face: face["code"])
def test_every_shot_is_as_the_data_say(face: dict[str, object]) -> None:
    kind = KO.kind(str(face["code"]))
    shot = kind.move.shot if isinstance(kind.move, Movement) else None
    moves = face["moves"]
    assert isinstance(moves, list)
    at_each_leg = [move["shoot_after_each_leg"] for move in moves if "shoot_after_each_leg" in move]
    said = [face["shoot"]] if "shoot" in face else at_each_leg
    assert bool(shot) == bool(said)
    for data in said:
        assert shot
        assert isinstance(data, dict)
        assert set(shot.vectors) == {tuple(DATA["conventions"]["dirs"][name]) for name in data["dirs"]}
        assert [1, shot.reach] == data["range"]
        assert (shot.targets, not shot.over) == (data["max_targets"], data["line_of_sight"])
        assert sorted(shot.safe) == sorted(data["cannot_shoot"])
        assert {code: [least, shot.reach] for code, least in shot.nearest} == data["range_vs"]
        assert shot.after_capture == data["after_displacement_capture"]
        assert shot.each_landing == bool(at_each_leg)
        assert shot.standing == "never"


@pytest.mark.parametrize("face", DATA["pieces"], ids=lambda face: face["code"])
def test_every_face_turns_over_and_spares_as_the_data_say(face: dict[str, object]) -> None:
    kind, groups = KO.kind(str(face["code"])), DATA["groups"]
    becomes = face["promotes_to"]
    prey = set(groups["promote_on_capture_of"])
    if kind.code in groups["step_movers"]:
        prey |= set(groups["step_mover_promotes_on_capture_of"])
    if kind.code == "CM":
        prey.add("FC")
    assert kind.becomes.captures_promote_to == becomes
    assert kind.becomes.zone == ((becomes, kind.code) if becomes else ())
    assert set(kind.becomes.promotes_by_capturing) == (prey if becomes else set())
    assert becomes in (None, f"+{kind.code}")
    assert bool(face["step_mover"]) == (kind.code in groups["step_movers"])
    moves = face["moves"]
    assert isinstance(moves, list)
    atoms = moves + [atom for move in moves for atom in move.get("atoms", [])]
    spared = {code for move in atoms for code in move.get("cannot_displace", [])}
    for only in (move["may_displace_only"] for move in atoms if "may_displace_only" in move):
        spared |= {other.code for other in KO.kinds} - set(only)
    assert set(kind.cannot_capture) == spared


def test_the_data_have_every_face() -> None:
    assert {kind.code for kind in KO.kinds} == {face["code"] for face in DATA["pieces"]}


def test_the_options_are_the_page_s() -> None:
    options = entry("ko").all_options
    said = {option["name"]: (str(option["default"]), [str(v) for v in option["values"]]) for option in DATA["options"]}
    assert {option.name: (option.default, list(option.values)) for option in options} == said
    for option in options:
        values = ", ".join(f"`{value}`" for value in option.values)
        assert f"| `{option.name}` | `{option.default}` | {values} |" in PAGE


# --- Both sides alike -----------------------------------------------------------------------------------------------

MIXED = (
    "SW 10h, CY 8i, P 9g, +FC 12i, +B 6h, TP 10i, D 3m, CL 14g, AG 4m, +EN 16h, SH 17g, "
    "sh 10g, mi 11g, fc 7f, +tp 16e, d 4f, cm 13h, en 9f, +rg 13m, p 8g, b 15g"
)
FIERY = "+EN 10j, +CL 8k, AG 3i, +TP 12k, +en 11h, +mi 9g, +sm 18c, sw 8h, p 11k 13j, ma 9h, +MI 12f"
NETTED = "+AG 10m, +RG 13i, CM 8f, Q 16k, LB 12m, sh 7j, su 14m, +ag 7e, +rg 15p, c 13k, cy 5m, E 14f, PU 4h, cl 9n"

LOUD = "+d 10h, tp 16e, P 10i 9g, SH 11h 10f 9i 8h, +B 4k, TP 2q, +b 16l"


@pytest.mark.parametrize("pieces", [MIXED, FIERY, NETTED, LOUD], ids=["mixed", "fiery", "netted", "loud"])
@pytest.mark.parametrize("turn", ["b", "w"])
def test_white_moves_as_black_turned_round(pieces: str, turn: Side) -> None:
    def turns(position: Position) -> list[tuple[int | None, Setup]]:
        oracle, setup = reference_of(position.variant), position.setup()
        moves, results = oracle.legal_moves(setup), []
        assert {move.text for move in moves} == legal(position) == generic(position)
        for move in moves:
            twin = position.copy()
            twin.push(move.text)
            assert twin.setup() == oracle.play(setup, move), f"{position.sfen()} {move.text}"
            results.append((move.origin, Setup(twin.board, ((), ()), twin.turn)))
        return results

    here = board(pieces, turn)
    there = Position(KO, turned(here.setup()))
    last = len(KO.board) - 1
    seen = turns(here)
    assert {(last - (origin or 0), turned(setup)) for origin, setup in seen} == set(turns(there))
    assert len(set(seen)) == len(seen) == len(legal(there)), "no two turns of a piece lead to the same position"


# --- Positions that are refused -------------------------------------------------------------------------------------


def reason(pieces: str) -> str:
    with pytest.raises(IllegalPositionError) as caught:
        board(pieces)
    return str(caught.value)


@pytest.mark.parametrize("code", ["+D", "+B", "+d", "+b"])
def test_a_thunderclap_or_flag_waver_without_a_priest_is_refused(code: str) -> None:
    own, monk, theirs = ("TP", "SM", "tp") if code.isupper() else ("tp", "sm", "TP")
    for others in ("", f", {monk} 4e", f", +{monk} 4e", f", {theirs} 4e"):
        message = reason(f"{code} 10j{others}")
        assert "10j" in message
        assert "priest" in message
    for priest in (own, f"+{own}"):
        assert board(f"{code} 10j, {priest} 4e").piece_at("10j") == Piece("b" if code.isupper() else "w", code.upper())


def test_a_fog_near_a_light_is_refused() -> None:
    for across in range(-8, 9, 2):
        for ahead in range(-6, 9, 2):
            if (across, ahead) == (0, 0):
                continue
            light = f"{10 + across}{chr(ord('i') - ahead)}"
            for pieces in (f"+TP 10i, +sm {light}", f"+TP 10i, +SM {light}", f"+tp 10i, +sm {light}"):
                pieces += ", g 19c"
                if max(abs(across), abs(ahead)) <= 4:
                    message = reason(pieces)
                    assert "10i" in message
                    assert "light" in message
                else:
                    board(pieces)


@pytest.mark.parametrize("code", ["TP", "+TP", "SM", "+SM", "tp", "+tp", "sm", "+sm"])
def test_priests_stand_on_even_files_and_odd_ranks(code: str) -> None:
    for point in ("9i", "10j", "9j", "1a", "19s", "3s", "4b"):
        message = reason(f"{code} {point}")
        assert point in message
        assert "even file" in message
    for point in ("10i", "2a", "18c", "18s"):
        board(f"{code} {point}, g 19c")


def test_every_reason_is_given_at_once() -> None:
    message = reason("+D 10j, +TP 4c, +b 11j, +sm 6e, SM 5e")
    assert "4c" in message
    assert "11j" in message
    assert "5e" in message
    assert "10j" not in message, "the fog is a priest"
