"""``komadai book openings``: books of the engine's openings."""

from __future__ import annotations

from pathlib import Path

import komadai
from helpers.command import komadai_says
from helpers.openings import book_of
from komadai.app import openings
from komadai.app.openings.making import Maker
from komadai.app.openings.trainer import CLEAR
from komadai.book.openings import Opening, Wrong
from komadai.variants import build
from komadai.workshop import load


def make(folder: Path, game: str, name: str, *more: str) -> Path:
    out = folder / name
    small = ("--games", "8", "--lines", "3", "--plies", "6", "--nodes", "200")
    ran = komadai_says("book", "openings", game, *small, *more, "-o", str(out))
    assert ran.status == 0, ran.err
    return out


def test_a_seed_makes_the_same_file_and_another_one_another(tmp_path: Path) -> None:
    one, again = make(tmp_path, "micro", "one.book"), make(tmp_path, "micro", "again.book")
    assert one.read_bytes() == again.read_bytes()
    assert one.read_bytes() != make(tmp_path, "micro", "other.book", "--seed", "2").read_bytes()


def test_a_variant_file_gets_its_openings(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    assert komadai_says("export-variant", "micro", "-o", str(file)).status == 0
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('id = "micro"', 'id = "tiny"', 1), encoding="utf-8")
    variant = load(file)
    assert variant.id == "tiny"
    book = komadai.book.open(make(tmp_path, str(file), "tiny.book"), variant)
    assert book.openings
    assert (book.games, book.plies) == (8, 6)
    for line in book.openings:
        at = komadai.Position(variant)
        for ply, move in enumerate(line.moves):
            for wrong in (one for one in line.wrong if one.ply == ply):
                assert isinstance(wrong.loss, int)
                assert wrong.loss >= CLEAR
                after = at.copy()
                for text in wrong.moves:
                    after.push(text)
            at.push(move)


def test_a_book_of_openings_is_shown_and_merged_as_any_other(tmp_path: Path) -> None:
    made = make(tmp_path, "micro", "made.book")
    shown = komadai_says("book", "show", str(made))
    assert shown.status == 0
    assert "8 games, 6 plies of each" in shown.out
    merged = tmp_path / "merged.book"
    assert komadai_says("book", "merge", str(made), "-o", str(merged)).status == 0
    assert komadai.book.open(merged).openings is None


def test_lines_share_the_trainings_of_the_positions_that_they_share() -> None:
    lines = openings.lines_of(book_of("minishogi"))
    first: dict[str, set[str]] = {}
    for line in lines.openings:
        first.setdefault(line.moves[0], set()).add(lines.cards(line, "b")[0])
    assert all(len(names) == 1 for names in first.values())
    assert len(set.union(*first.values())) == len(first) > 1


def test_a_book_is_checked_and_what_is_not_as_it_says_is_found(tmp_path: Path) -> None:
    ran = komadai_says("book", "check", "nana", "--one-in", "2", "--times", "10")
    assert (ran.status, ran.out.endswith("moves are as the book says\n")) == (0, True)
    book = book_of("nana")
    line = next(one for one in book.openings or () if one.wrong)
    [wrong, *_others] = line.wrong
    builder = komadai.book.Builder("nana")
    builder.merge(book)
    said = Opening(line.moves, (Wrong(wrong.ply, "loss" if wrong.loss == "draw" else "draw", wrong.moves),))
    builder.write(tmp_path / "one.book", openings=[said], nodes=1)
    ran = komadai_says("book", "check", "nana", "--file", str(tmp_path / "one.book"))
    found = f"{line.id}.{wrong.ply}: {wrong.moves[0]} is a {wrong.loss} by the table"
    assert (ran.status, ran.out.splitlines()[0]) == (1, found)


def test_a_line_ends_where_a_longer_search_disagrees_with_it() -> None:
    maker = Maker(build("minishogi"))
    start = komadai.Position("minishogi")
    good, loses = (start.parse_move(text) for text in ("2e3d", "2e5b"))
    assert maker.given_away(start, [loses.text]) >= CLEAR > maker.given_away(start, [good.text])
    assert (maker.sound([loses]), maker.sound([good])) == ((), (good,))


def test_a_move_that_wins_the_game_gives_nothing_away() -> None:
    maker = Maker(build("minishogi"))
    at = komadai.Position("minishogi", "4k/5/4P/5/K4 b G")
    won = next(move for move in at.legal_moves() if wins(at, move.text))
    assert maker.given_away(at, [won.text]) == 0


def wins(at: komadai.Position, text: str) -> bool:
    after = at.copy()
    after.push(text)
    outcome = after.outcome()
    return outcome is not None and outcome.winner == at.turn
