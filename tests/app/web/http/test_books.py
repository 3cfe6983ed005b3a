"""The opening books of a server over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.books import book_of_five
from helpers.command import refusal
from helpers.support import in_a_loop
from helpers.web.fitting import fits
from helpers.web.inside import inside
from komadai.app.web.app import create_app
from komadai.app.web.store.sqlite import SqliteStore
from komadai.book import Book, Builder, files
from komadai.errors import NotationError


@pytest.fixture
def five(tmp_path: Path) -> Book:
    return book_of_five(tmp_path / "five.book")


def asked(store: SqliteStore, books: list[Book], **question: Any) -> tuple[int, Any]:
    """The status and the answer to a question about a position."""

    async def work() -> tuple[int, Any]:
        async with inside(store, books=books) as at:
            answer = await at("203.0.113.5").post("/api/positions/book", json=question)
            fits(answer)
            return answer.status_code, answer.json()

    return in_a_loop(work())


def counts(answer: Any) -> list[tuple[Any, ...]]:
    return [
        (one["move"]["usi"], one["move"]["text"], one["games"], one["b"], one["draws"], one["w"], one["score"])
        for one in answer["moves"]
    ]


def test_the_moves_of_a_position_with_the_wins_of_the_sides(store: SqliteStore, five: Book) -> None:
    status, answer = asked(store, [five], variant="shogi")
    assert (status, answer["others"]) == (200, 0)
    assert counts(answer) == [("7g7f", "P-7f", 4, 1, 1, 2, -10), ("2g2f", "P-2f", 1, 0, 0, 0, None)]
    status, answer = asked(store, [five], variant="shogi", moves=["7g7f"])
    assert counts(answer) == [("3c3d", "P-3d", 3, 1, 1, 1, -10), ("8c8d", "P-8d", 1, 0, 0, 1, None)]
    place = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
    assert asked(store, [five], variant="shogi", position=place) == (200, answer)
    assert (answer["all"], answer["engine"], answer["left"], answer["wrong"]) == (5, False, None, [])
    status, answer = asked(store, [five], variant="shogi", moves=["1g1f", "3c3d"])
    assert (status, answer["moves"], answer["left"]["plies"]) == (200, [], 0)
    assert answer["left"]["instead"]["move"]["usi"] == "7g7f"


def test_no_more_than_forty_moves_are_sent(store: SqliteStore, tmp_path: Path) -> None:
    position = komadai.Position("shogi", "4k4/9/9/9/9/9/9/9/4K4 b RB")
    moves = sorted(map(str, position.legal_moves()))
    rows = [files.Row(files.key_of(position), number, 1, 0, 0, 0, 0, 0) for number in range(len(moves))]
    about = {"variant": "shogi", "version": "1", "options": {}, "games": 1, "plies": 1, "least": 1}
    about["rules"] = position.variant.play_hash
    files.write(tmp_path / "many.book", about, moves, rows)
    _, answer = asked(store, [komadai.book.open(tmp_path / "many.book")], variant="shogi", position=position.sfen())
    assert (len(answer["moves"]), answer["others"]) == (40, len(moves) - 40)
    assert len(moves) > 40


def test_a_game_without_a_book(store: SqliteStore, five: Book) -> None:
    said = {"error": "There is no opening book of this game here."}
    assert asked(store, [five], variant="nana", options={"drop_faces": "front"}) == (404, said)
    assert asked(store, [five], variant="shogi", moves=["7g7e"])[0] == 422


async def test_a_study_says_whether_there_is_a_book(store: SqliteStore, five: Book) -> None:
    async with inside(store, books=[five]) as at:
        for options, known in (({}, True), ({"drop_faces": "front"}, False)):
            answer = await at("203.0.113.5").get("/api/study", params={"variant": "nana", **options})
            fits(answer)
            assert answer.json()["book"] is known


def test_a_book_that_breaks_is_no_secret_and_its_place_is(
    store: SqliteStore, five: Book, caplog: pytest.LogCaptureFixture
) -> None:
    five.path.write_bytes(b"")
    assert asked(store, [five], variant="shogi") == (503, {"error": "The opening book cannot be read."})
    assert str(five.path) in caplog.text


def test_two_books_of_one_game_are_refused(store: SqliteStore, five: Book, tmp_path: Path) -> None:
    again = book_of_five(tmp_path / "again.book")
    with pytest.raises(NotationError, match=r"again\.book: is of shogi, as is .*five\.book; merge them with"):
        create_app(lambda: store, books=[five, again])
    builder = Builder("nana")
    builder.add(komadai.Record.begin("nana").add(0, "K*1a")[0])
    create_app(lambda: store, books=[five, builder.write(tmp_path / "nana.book")])


def test_a_server_does_not_start_with_what_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "no.book").write_text("no")
    said = refusal("play", "--no-browser", "--book", str(tmp_path / "no.book"))
    assert "no.book is no opening book of Komadai" in said.replace("\n", " ")
