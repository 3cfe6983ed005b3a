"""The engine plays from an opening book: when it does, what it chooses, and what it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helpers.books import book_of_five
from komadai import Engine, Info, NotationError, Position
from komadai.book import Book, Builder
from komadai.record import read


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book_of_five(tmp_path_factory.mktemp("book") / "five.book")


def test_a_move_of_the_book_is_played_with_the_reply_expected(five: Book) -> None:
    reports: list[Info] = []
    engine = Engine("shogi", hash_mb=1, book=five, best_book_move=True)
    info = engine.search(Position("shogi"), depth=30, report=reports.append)
    assert reports == [info]
    assert (str(info.move), str(info.ponder), info.score, info.nodes, info.depth) == ("7g7f", "3c3d", -10, 0, 0)
    assert info.book is not None
    assert (info.book.games, info.book.wins, info.book.draws, info.book.losses) == (4, 1, 1, 2)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_book_is_the_same_at_every_level_and_chance_can_be_repeated(five: Book, level: int) -> None:
    def chosen(seed: int) -> list[str]:
        engine = Engine("shogi", hash_mb=1, level=level, seed=seed, book=five)
        return [str(engine.search(Position("shogi"), nodes=1).move) for _ in range(60)]

    assert chosen(3) == chosen(3)
    assert set(chosen(3)) == {"7g7f", "2g2f"}
    assert Counter(chosen(3)).most_common(1)[0][0] == "7g7f"


def test_without_a_book_and_outside_it_the_engine_searches(five: Book) -> None:
    engine = Engine("shogi", hash_mb=1)
    assert engine.search(Position("shogi"), depth=1).book is None
    engine.book = five
    position = Position("shogi")
    position.push("1g1f")
    info = engine.search(position, depth=1)
    assert info.book is None
    assert info.nodes > 0


def test_analysis_and_a_choice_of_moves_are_searched(five: Book) -> None:
    engine = Engine("shogi", hash_mb=1, book=five)
    only = engine.search(Position("shogi"), depth=1, searchmoves=[Position("shogi").parse_move("1g1f")])
    assert (str(only.move), only.book) == ("1g1f", None)
    endless = engine.search(Position("shogi"), report=lambda info: engine.stop())
    assert endless.book is None
    assert endless.nodes > 0


def test_a_book_goes_before_the_table_of_a_solved_game(tmp_path: Path) -> None:
    builder = Builder("nana")
    builder.add(read("nana startpos moves K*3b")[0])
    engine = Engine("nana", hash_mb=1, book=builder.write(tmp_path / "nana.book"))
    info = engine.search(Position("nana"), depth=1)
    assert (str(info.move), info.ponder, info.mate) == ("K*3b", None, None)


def test_a_book_of_another_game_is_refused(five: Book) -> None:
    with pytest.raises(NotationError, match="the book is of shogi, the engine plays mortal"):
        Engine("mortal", book=five)
