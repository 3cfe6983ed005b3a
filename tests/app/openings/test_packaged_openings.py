"""The openings that come with the package: every game has enough, and what they say is so."""

from __future__ import annotations

import pytest

import komadai
from helpers.openings import book_of, lines_of
from helpers.support import NAMES
from komadai.app import openings
from komadai.app.openings.names import name_of, names_of
from komadai.app.openings.trainer import CLEAR
from komadai.book import Book
from komadai.solve import obtain
from komadai.variants import is_own

FEWEST = 5
"""Lines of a game with a punished mistake."""


def played(book: Book, *moves: str) -> komadai.Position:
    position = komadai.Position(book.variant)
    for move in moves:
        position.push(move)
    return position


def test_every_game_has_openings() -> None:
    assert set(openings.games()) == {name for name in komadai.variants() if is_own(komadai.variant(name))}


@pytest.mark.parametrize("game", openings.games())
def test_lines_are_of_the_book_and_wrong_moves_are_not(game: str) -> None:
    book = book_of(game)
    lines = lines_of(game)
    assert sum(1 for line in lines if line.wrong) >= FEWEST
    for line in lines:
        for ply, move in enumerate(line.moves):
            at = played(book, *line.moves[:ply])
            known = {one.move.text: one.games for one in book.moves(at)}
            assert known[move] >= 2
            for wrong in (one for one in line.wrong if one.ply == ply):
                assert wrong.moves[0] not in known
                assert len(wrong.moves) >= 2
                assert isinstance(wrong.loss, str) or wrong.loss >= CLEAR
                played(book, *line.moves[:ply], *wrong.moves)


@pytest.mark.parametrize("game", ["nana", "nana-1998"])
def test_what_a_table_knows_decides_where_there_is_one(game: str) -> None:
    book = book_of(game)
    table = obtain(book.variant)
    assert table is not None
    for line in lines_of(game):
        for ply, move in enumerate(line.moves):
            at = played(book, *line.moves[:ply])
            values = {one.move.text: one.value.outcome for one in table.moves(at)}
            best = next(iter(values.values()))
            assert values[move] == best
            for wrong in (one for one in line.wrong if one.ply == ply):
                assert (values[wrong.moves[0]], best) in {("draw", "win"), ("loss", "win"), ("loss", "draw")}
                assert wrong.loss == values[wrong.moves[0]]


def test_a_punishment_holds_with_ten_times_the_positions() -> None:
    book = book_of("minishogi")
    engine = komadai.Engine(book.variant, tables=False)
    for line in lines_of("minishogi")[:3]:
        for wrong in line.wrong[:1]:
            at = played(book, *line.moves[: wrong.ply])
            after = played(book, *line.moves[: wrong.ply], wrong.moves[0])
            assert engine.search(at, nodes=1_000_000).score + engine.search(after, nodes=1_000_000).score >= CLEAR


# Each line is of the page that `shogi.toml` names as its source.
ESTABLISHED = {
    "Yagura (Fortress)": "7g7f 8c8d 7i6h 3c3d 6h7g",
    "Double Wing Attack (Aigakari)": "2g2f 8c8d 2f2e 8d8e",
    "Fourth File Rook (Shikenbisha)": "7g7f 3c3d 6g6f 8c8d 2h6h",
    "Ishida": "7g7f 3c3d 7f7e 8c8d 2h7h",
    "Gokigen Central Rook": "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b",
    "Bishop Exchange (Kakugawari)": "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b 6i7h 2b7g+ 8h7g",
    "Side Pawn Capture (Yokofudori)": "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
}


@pytest.mark.parametrize("name", ESTABLISHED)
def test_openings_of_shogi_are_known_by_their_positions(name: str) -> None:
    at = komadai.Position("shogi")
    positions = []
    for move in ESTABLISHED[name].split():
        at.push(move)
        positions.append(at.copy())
    assert name_of(positions) == name
    assert name_of(positions[:1]) == ""


def test_either_side_may_play_an_opening_and_a_later_move_of_the_rook_does_not_rename_it() -> None:
    at = komadai.Position("shogi")
    positions = []
    for move in ["7g7f", "3c3d", "2g2f", "4c4d", "2f2e", "2b3c", "3i4h", "8b4b", "5i6h", "4b2b"]:
        at.push(move)
        positions.append(at.copy())
    assert name_of(positions) == "Fourth File Rook (Shikenbisha)"
    assert name_of(positions[-1:]) == "Opposing Rook (Mukai-bisha)"


def test_every_established_opening_with_a_line_is_among_those_of_the_package() -> None:
    variant = komadai.variant("shogi")
    begun = [line.moves for line in lines_of("shogi")]
    for name in names_of(variant):
        if name.line:
            assert any(moves[: len(name.line)] == name.line for moves in begun), name.name
    assert all(not names_of(komadai.variant(game)) for game in NAMES if game != "shogi")
