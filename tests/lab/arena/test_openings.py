"""Openings of matches: as text, in files, and made by chance."""

from __future__ import annotations

from pathlib import Path

import pytest

import komadai
from helpers.support import NAMES
from komadai.errors import NotationError
from komadai.lab.arena.openings import (
    Balanced,
    Opening,
    balanced_openings,
    parse_balanced,
    parse_opening,
    read_openings,
)

NANA, SHOGI = komadai.variant("nana"), komadai.variant("shogi")


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("startpos", Opening(None, ())),
        ("7g7f 3c3d", Opening(None, ("7g7f", "3c3d"))),
        ("startpos moves 7g7f", Opening(None, ("7g7f",))),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Opening("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", ())),
        ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G moves G*5b", None),
        ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G moves G*4b 5a4b", Opening("4k4/9/4P4/9/9/9/9/9/4K4 b G", ("G*4b", "5a4b"))),
    ],
)
def test_openings_as_described(text: str, opening: Opening | None) -> None:
    if opening is None:
        with pytest.raises(NotationError, match="the game is over there: Black wins: checkmate"):
            parse_opening(SHOGI, text)
    else:
        assert parse_opening(SHOGI, text) == opening
        assert parse_opening(SHOGI, str(opening)) == opening


def test_a_file_of_openings(tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_text("# two\n\n7g7f 3c3d # the usual\n  startpos\n", encoding="utf-8")
    assert read_openings(SHOGI, path) == [Opening(None, ("7g7f", "3c3d")), Opening(None, ())]
    path.write_text("7g7f\n7g7e\nmoves 1a1a\n4k4/9 b -\n", encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        read_openings(SHOGI, path)
    assert [defect.partition(":")[0] for defect in caught.value.defects] == ["line 2", "line 3", "line 4"]
    assert "the pawn does not move from 7g to 7e" in str(caught.value)
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(NotationError, match="there are none; expected one a line"):
        read_openings(SHOGI, path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="no text in UTF-8"):
        read_openings(SHOGI, path)
    with pytest.raises(NotationError, match="No such file"):
        read_openings(SHOGI, tmp_path / "nowhere")


@pytest.mark.parametrize("name", NAMES)
def test_balanced_openings(name: str) -> None:
    variant = komadai.variant(name)
    how = Balanced(plies=4, count=4, seed=3, limit=300, nodes=100)
    found = list(balanced_openings(variant, how))
    assert found[:2] == list(balanced_openings(variant, Balanced(4, 2, 3, 300, 100))), "whatever the count"
    assert len({opening.game(variant).position.sfen() for opening in found}) == len(found) == 4
    assert all(parse_opening(variant, str(opening)) == opening for opening in found)
    assert all(len(opening.moves) == 4 for opening in found)


def test_openings_made_by_chance_as_described() -> None:
    assert parse_balanced("book.txt") is None
    assert parse_balanced("random") == Balanced()
    how = parse_balanced("random:plies=3,seed=9")
    assert how == Balanced(plies=3, seed=9)
    assert parse_balanced(str(how)) == how
    with pytest.raises(NotationError, match=r"did you mean 'plies'.*count cannot be '0'; expected 1 to 100000"):
        parse_balanced("random:plis=3,count=0")
    with pytest.raises(NotationError, match="only 8 of them are balanced and different"):  # Nana has 8 first moves
        list(balanced_openings(NANA, Balanced(plies=1, count=9, limit=10_000, nodes=10)))
