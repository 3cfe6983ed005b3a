"""Opening books: what they count, what they answer, and what they choose."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import komadai
from helpers.books import COUNTS, GAMES, book_of_five
from helpers.support import NAMES
from komadai import BookError, NotationError, Position, Record, book
from komadai.book import Book, Builder, files
from komadai.record import read
from komadai.record.tree import Result, Score


def after(line: str, name: str = "shogi") -> Position:
    position = Position(name)
    for move in line.split():
        position.push(move)
    return position


def found(opened: Book, line: str) -> list[tuple[object, ...]]:
    return [
        (str(move.move), move.games, move.wins, move.draws, move.losses, move.score, move.scored)
        for move in opened.moves(after(line))
    ]


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book_of_five(tmp_path_factory.mktemp("book") / "five.book")


@pytest.mark.parametrize("line", COUNTS)
def test_the_moves_of_a_position_with_their_counts(five: Book, line: str) -> None:
    assert found(five, line) == COUNTS[line]


def test_the_description(five: Book) -> None:
    assert (five.variant.id, five.games, five.positions, five.plies) == ("shogi", 5, 6, 40)
    assert five.about["moves"] == sum(map(len, COUNTS.values()))
    assert repr(five) == "<Book of shogi, 6 positions from 5 games>"
    assert repr(book.open(five.path)) == repr(five)


def test_a_way_there_does_not_matter_only_the_position(five: Book) -> None:
    assert five.moves(after("2g2f 3c3d 7g7f")) == five.moves(after("7g7f 3c3d 2g2f"))
    assert five.moves(Position("shogi", after("7g7f").sfen() + " 31")) == five.moves(after("7g7f"))


def test_only_so_many_plies_of_a_game_count(tmp_path: Path) -> None:
    builder = Builder("shogi", plies=1)
    for text in GAMES.values():
        builder.add(read(text)[0])
    made = builder.write(tmp_path / "one.book")
    assert found(made, "") == COUNTS[""]
    assert (made.positions, made.plies) == (1, 1)


def test_moves_of_few_games_can_be_left_out(tmp_path: Path) -> None:
    made = book_of_five(tmp_path / "least.book", least=2)
    assert {line: found(made, line) for line in COUNTS} == {
        line: [move for move in moves if move[1] >= 2] for line, moves in COUNTS.items()
    }
    with pytest.raises(BookError, match="no move was played in 5 games or more"):
        book_of_five(tmp_path / "none.book", least=5)
    assert not (tmp_path / "none.book").exists()


def test_a_move_counts_once_a_game_and_variations_do_not(tmp_path: Path) -> None:
    builder = Builder("shogi")
    [record] = read("startpos moves " + "2h3h 8b7b 3h2h 7b8b " * 2)
    record, _ = record.add(0, "7g7f")
    builder.add(record)
    assert found(builder.write(tmp_path / "b.book"), "") == [("2h3h", 1, 0, 0, 0, None, 0)]


def test_a_mate_is_the_greatest_score(tmp_path: Path) -> None:
    builder = Builder("shogi")
    for score in (Score(None, 5), Score(10**9), Score(None, -5), Score(-20_000), Score(200)):
        builder.add(Record.begin("shogi").add(0, "7g7f", score=score)[0])
    assert found(builder.write(tmp_path / "b.book"), "") == [("7g7f", 5, 0, 0, 0, 40, 5)]


def test_the_same_games_in_any_order_are_the_same_bytes(five: Book, tmp_path: Path) -> None:
    builder = Builder("shogi")
    for text in reversed(GAMES.values()):
        builder.add(read(text)[0])
    assert builder.write(tmp_path / "again.book").path.read_bytes() == five.path.read_bytes()


def test_books_are_merged(five: Book, tmp_path: Path) -> None:
    builder = Builder("shogi")
    builder.add(read(GAMES["loss.kif"])[0])
    builder.merge(five)
    made = builder.write(tmp_path / "merged.book")
    assert (made.games, made.positions) == (6, 6)
    assert found(made, "") == [("7g7f", 5, 1, 1, 3, -10, 2), ("2g2f", 1, 0, 0, 0, None, 0)]
    with pytest.raises(BookError, match="games of shogi cannot go into a book of nana"):
        Builder("nana").merge(five)


def test_a_game_of_other_rules_is_refused() -> None:
    with pytest.raises(BookError, match="games of nana cannot go into a book of shogi"):
        Builder("shogi").add(Record.begin("nana"))
    with pytest.raises(BookError, match=r"games of nana cannot go into a book of nana \(or of other rules\)"):
        Builder("nana").add(Record.begin("nana", drop_faces="front"))
    Builder("nana").add(Record.begin("nana", illegal_move="loses"))  # the same legal games


@pytest.mark.parametrize("plies", [0, -1, 10_001])
def test_plies_out_of_range_are_refused(plies: int) -> None:
    with pytest.raises(NotationError, match="plies are out of range; expected 1 to 10000"):
        Builder("shogi", plies=plies)


def test_a_book_is_for_its_own_rules(tmp_path: Path) -> None:
    builder = Builder("nana", drop_faces="front")
    move = Position("nana", drop_faces="front").legal_moves()[0]
    builder.add(Record.begin("nana", drop_faces="front").add(0, move)[0])
    made = builder.write(tmp_path / "front.book")
    assert book.open(made.path).variant == komadai.variant("nana", drop_faces="front")
    with pytest.raises(BookError, match="is a book of 'nana' '1', not of nana 1 with these rules; build it again"):
        book.open(made.path, "nana")
    with pytest.raises(NotationError, match="the position is of shogi, the book of nana"):
        made.moves(Position("shogi"))
    loses = Position("nana", drop_faces="front", illegal_move="loses")
    assert [found.move for found in made.moves(loses)] == [move]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_books(name: str, tmp_path: Path) -> None:
    """Each position of random play is found again, from its position string, with a legal move."""
    builder, chance, lines = Builder(name), random.Random(7), Counter[tuple[str, str]]()
    for _ in range(2):
        record, position, at = Record.begin(name), Position(name), 0
        for _ in range(6):
            if position.outcome() is not None:
                break
            move = chance.choice(sorted(map(str, position.legal_moves())))
            lines[position.sfen(), move] += 1
            record, at = record.add(at, move)
            position.push(move)
        builder.add(record)
    made = builder.write(tmp_path / "any.book")
    for (place, move), games in lines.items():
        moves = {str(one.move): one.games for one in made.moves(Position(name, place))}
        assert moves[move] == games


# --- Collisions -----------------------------------------------------------------------------------------------------


def forged(folder: Path, position: Position, *moves: str) -> Book:
    """A book whose entry under the position's number holds the moves of another."""
    about = {"variant": "shogi", "version": "1", "options": {}, "games": 1, "plies": 1, "least": 1}
    about["rules"] = position.variant.play_hash
    rows = [files.Row(files.key_of(position), number, 1, 0, 0, 0, 0, 0) for number in range(len(moves))]
    files.write(folder / "forged.book", about, list(moves), rows)
    return book.open(folder / "forged.book")


@pytest.mark.parametrize("moves", [["3c3d"], ["7g7f", "3c3d"], ["nonsense"], [""], ["7g7f", "7g7f"]])
def test_an_entry_of_another_position_gives_no_move(moves: list[str], tmp_path: Path) -> None:
    assert forged(tmp_path, Position("shogi"), "7g7f").choose(Position("shogi")) is not None
    made = forged(tmp_path, Position("shogi"), *moves)
    assert made.moves(Position("shogi")) == []
    assert made.choose(Position("shogi")) is None


# --- Choosing -------------------------------------------------------------------------------------------------------


def test_a_move_is_chosen_by_its_weight(five: Book) -> None:
    """P-7f won 1, drew 1 and lost 2 of 4: weight 2 · 1 + 1. P-2f once, without a result: 1."""
    chance = random.Random(1)
    chosen = Counter(str(move.move) for _ in range(1000) if (move := five.choose(Position("shogi"), chance=chance)))
    assert set(chosen) == {"7g7f", "2g2f"}
    assert 690 < chosen["7g7f"] < 810
    assert [move.weight for move in five.moves(Position("shogi"))] == [3, 1]
    assert [move.points for move in five.moves(Position("shogi"))] == [0.375, None]


def test_the_same_seed_chooses_the_same(five: Book) -> None:
    def chosen(seed: int) -> list[str]:
        chance = random.Random(seed)
        return [str(move.move) for _ in range(20) if (move := five.choose(Position("shogi"), chance=chance))]

    assert chosen(1) == chosen(1)
    assert chosen(1) != chosen(2)


def test_the_best_move_is_the_one_of_the_greatest_weight(five: Book) -> None:
    for line, move in {"": "7g7f", "7g7f": "3c3d", "7g7f 3c3d 8h2b+": None}.items():
        best = five.choose(after(line), best=True)
        assert (best and str(best.move)) == move


def test_a_move_that_has_only_lost_is_not_chosen(tmp_path: Path) -> None:
    builder = Builder("shogi")
    [record] = read("startpos moves 7g7f")
    builder.add(Record(record.variant, nodes=record.nodes, result=Result("w", "resign")))
    made = builder.write(tmp_path / "lost.book")
    assert [move.weight for move in made.moves(Position("shogi"))] == [0]
    assert made.choose(Position("shogi")) is None
    assert made.choose(Position("shogi"), best=True) is None
