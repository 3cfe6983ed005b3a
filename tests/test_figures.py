"""Every rules page shows its game: the figures are of positions and moves that the program judges as they say."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import komadai
from helpers.support import ROOT
from komadai import rulebook
from komadai.i18n import _, speaking
from komadai.rulebook.pages import page_of, read, text_of

DOCS = ROOT / "docs"
PAGES = sorted(path for path in (DOCS / "rules").glob("*.md") if path.stem != "README")
GAMES = komadai.variants(shelf=True)


@pytest.fixture(scope="module")
def figures() -> Iterator[ModuleType]:
    """The module that draws the figures of the documentation."""
    sys.path.insert(0, str(DOCS / "_ext"))
    yield importlib.import_module("figures")
    sys.path.remove(str(DOCS / "_ext"))


def of_page(name: str) -> list[str]:
    """The games that a rules page is about."""
    return [game for game in GAMES if f"docs/rules/{name}.md" in komadai.variant(game).sources]


def drawn(figures: ModuleType, text: str) -> Iterator[tuple[str, str]]:
    """Draw all figures of a page; name and first line of each."""
    found = figures.FIGURE.findall(text)
    assert len(found) == text.count("```{")
    for name, argument, caption in found:
        assert caption.strip()
        if name == "board":
            shown = figures.board(argument)
            pictures = [shown.svg()]
            said = shown.alternative
            assert said.startswith(_(shown.position.variant.name))
            squares = shown.position.piece_map()
            assert len(squares) > 12 or all(f" {square}" in said for square in squares)
            assert all(move in said for move in (*shown.moves, *shown.refused))
        else:
            variant, kinds = figures.pieces(argument)
            pictures = [figures.kind_svg(variant, kind) for kind in kinds]
        for picture in pictures:
            root = ElementTree.fromstring(picture)
            assert root.attrib.keys() >= {"viewBox", "width", "height"}
        yield name, argument


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_rules_page_has_the_start_and_every_piece_of_its_games(figures: ModuleType, path: Path) -> None:
    text, name = path.read_text(encoding="utf-8"), path.stem
    games = of_page(name)
    found = list(drawn(figures, text))
    assert ("board", games[0]) in found
    shown = {kind.code for kind_of, argument in found if kind_of == "pieces" for kind in figures.pieces(argument)[1]}
    assert shown == {kind.code for game in games for kind in komadai.variant(game).kinds}
    assert {argument.split()[0] for _, argument in found} <= set(games)


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_rules_page_has_no_figures(name: str) -> None:
    variant = komadai.variant(name)
    assert "{board}" not in text_of(variant)
    assert "{pieces}" not in text_of(variant)


def test_without_its_figures_a_page_is_as_if_there_were_none() -> None:
    path = page_of("docs/rules/nana.md")
    assert path is not None
    text = read(path)
    assert "next to the other king).\n2. Then each turn" in text
    assert "Black moves first.\n\n## Pieces\n" in text
    assert "(a win for the player who stalemates).\n9. Fourfold" in text


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("narnia", "narnia"),
        ("nana 3/3 b -", "rank"),
        ("nana moves K*2b", "not legal"),
        ("nana refused K*1a", "K*1a is legal"),
        ("nana refused K*9z", "no move"),
    ],
)
def test_a_board_that_says_what_is_not_so_is_refused(figures: ModuleType, argument: str, why: str) -> None:
    with pytest.raises(figures.FigureError, match=re.escape(why)):
        figures.board(argument)


@pytest.mark.parametrize("argument", ["narnia", "nana K X"])
def test_pieces_that_are_not_there_are_refused(figures: ModuleType, argument: str) -> None:
    with pytest.raises(figures.FigureError):
        figures.pieces(argument)


def test_marks_say_what_is_allowed(figures: ModuleType) -> None:
    drops = figures.board("nana 2K/3/k2 b RBrb moves C*2c GB*2c refused R*2c SW*2c").svg()
    assert drops.count(figures._ring()) == drops.count(figures._cross()) == 2
    step = figures.board("nana 1k1/2[SW]/K2 b - moves 1b2b").svg()
    assert figures._ring() not in step
    assert figures._cross() not in step
    assert figures._BLUE in step


def test_the_legend_is_translated(figures: ModuleType) -> None:
    english = figures.legend()
    with speaking("ja"):
        assert figures.legend() != english


def test_of_a_large_board_the_part_around_the_moves_is_shown(figures: ModuleType) -> None:
    whole, part = figures.board("ko"), figures.board("ko moves 10m10l")
    assert part.width < whole.width
    assert part.svg() != whole.svg()


@pytest.mark.parametrize("game", rulebook.written())
def test_the_rules_in_japanese_are_those_of_the_rulebook(figures: ModuleType, game: str) -> None:
    page = figures.page(game, "ja")
    names = [name for name, _ in drawn(figures, page)]
    sections = rulebook.sections(game)
    assert names.count("pieces") == 1
    assert names.count("board") == 1 + sum(len(section.examples) for section in sections)
    with speaking("ja"):
        headings = [section.heading for section in sections]
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == headings
    words = re.sub(r"^(```|:words:).*$", "", page, flags=re.MULTILINE)
    assert not re.search(r"[a-z]{2,} [a-z]{2,}", words), "a sentence without a translation"


def test_the_games_of_the_project_stand_first(figures: ModuleType) -> None:
    english = re.findall(r"^rules/([a-z]\S*)$", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    japanese = re.findall(r"^rules/(\S+)$", (DOCS / "ja" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert english[:6] == ["hand", "ki", "ko", "mortal", "nana", "shogi"]
    assert sorted(english) == [path.stem for path in PAGES]
    assert sorted(japanese) == sorted(rulebook.written())
    assert [game for game in japanese if game in english] == english


def test_pages_of_games_that_are_gone_are_removed(figures: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "gone.md").write_text("# Gone\n", encoding="utf-8")
    figures.write_pages(folder, "ja")
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert {path.stem for path in times} == set(rulebook.written())
    figures.write_pages(folder, "ja")
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == times
