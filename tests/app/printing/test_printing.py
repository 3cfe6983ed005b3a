"""Games on paper: how many of everything, how large, and how cubes are folded."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import komadai
from helpers.command import komadai_says
from komadai.app import printing
from komadai.app.printing import PAPERS
from komadai.app.printing.drawings import board_parts, places
from komadai.app.printing.inventory import Inventory
from komadai.i18n import LANGUAGES, speaking
from komadai.picture import Look
from komadai.spec import Becomes, Kind, Rect, Variant

SVG = "{http://www.w3.org/2000/svg}"
CUT = re.compile(r"<svg (?:(?!</svg>).)*?width=\"([\d.]+)mm\" height=\"([\d.]+)mm\"")


def stock(name: str) -> Inventory:
    return Inventory(komadai.variant(name))


def drawings(name: str, title: str, paper: str = "a4", *, letters: bool = False) -> list[ElementTree.Element]:
    pages = printing.pages(komadai.variant(name), PAPERS[paper], Look(letters=letters))
    return [ElementTree.fromstring(page.content) for page in pages if page.title == title]


@pytest.mark.parametrize(
    ("name", "flats", "backs", "spares", "cubes"),
    [
        ("shogi", 40, 34, 0, 0),  # kings and golds do not turn over
        ("hand", 38, 4, 0, 0),  # nine on the board and ten in hand a side; knights turn over
        ("mortal", 40, 0, 36, 0),  # what promotes or is captured becomes another piece
        ("ko", 180, 162, 0, 0),  # a general, two wrestlers and six elephants a side have no other side
        ("nana", 0, 0, 0, 6),
        ("nana-1998", 0, 0, 0, 6),
        ("ki", 0, 0, 0, 6),
        ("ki-unicorn", 0, 0, 0, 8),
    ],
)
def test_a_set_has_what_the_start_needs(name: str, flats: int, backs: int, spares: int, cubes: int) -> None:
    found = stock(name)
    assert (len(found.flats), len(found.spares), len(found.cubes)) == (flats, spares, cubes)
    assert sum(flat.back is not None for flat in found.flats) == backs


def test_sides_belong_together() -> None:
    assert {flat.front.code: flat.back and flat.back.code for flat in stock("shogi").flats} == {
        **{code: f"+{code}" for code in "RBSNLP"},
        "K": None,
        "G": None,
    }
    kings = [flat for flat in stock("ko").flats if flat.front.code == "G"]
    assert [flat.side for flat in kings] == ["b", "w"]
    faces = {tuple(face.code for face in cube.faces) for cube in stock("nana").cubes}
    assert faces == {("K",), ("R", "C", "SW", "GB"), ("B", "TG", "CS", "D")}
    assert {len(cube.faces) for cube in stock("ki-unicorn").cubes} == {1, 6}
    assert {flat.front.code for flat in stock("mortal").spares} == {"DK", "DH", "R", "B", "G", "S", "L", "N", "P"}


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
@pytest.mark.parametrize("paper", PAPERS)
def test_every_piece_and_cube_is_drawn_on_the_paper(name: str, paper: str) -> None:
    variant, found = komadai.variant(name), stock(name)
    wide, high = PAPERS[paper].area
    fronts: Counter[str] = Counter()
    for title in ("Pieces", "Spare pieces"):
        for page in drawings(name, title, paper):
            defined = {group.attrib["id"] for group in page.iter(f"{SVG}g") if "id" in group.attrib}
            uses = list(page.iter(f"{SVG}use"))
            assert {use.attrib["href"][1:] for use in uses} == defined
            for use in uses:
                x, y = map(float, re.match(r"translate\(([\d.]+) ([\d.]+)\)", use.attrib["transform"]).groups())
                assert 6 < x < wide - 6
                assert 8 < y < high - 8
                if "rotate" not in use.attrib["transform"]:
                    fronts[use.attrib["href"].split("-", 3)[3]] += 1
    assert fronts == Counter(flat.front.code for flat in (*found.flats, *found.spares))
    nets = sum(len(list(page.iter(f"{SVG}rect"))) for page in drawings(name, "Cubes", paper))
    assert nets == 6 * len(found.cubes)
    for page in printing.pages(variant, PAPERS[paper]):
        if match := CUT.match(page.content):
            assert float(match[1]) <= wide + 0.01
            assert float(match[2]) <= high + 0.01


def test_papers_have_their_sizes() -> None:
    assert {paper.title: (paper.width, paper.height) for paper in PAPERS.values()} == {
        "A4": (210, 297),
        "Letter": (215.9, 279.4),
    }
    styles = printing.STYLES.read_text(encoding="utf-8")
    for paper in PAPERS.values():
        size = f"{paper.width:g}mm {paper.height:g}mm"
        assert f"@page {paper.name} {{ size: {size}; margin: 0; }}" in styles
        assert f".{paper.name} {{ page: {paper.name}; width: {size.replace(' ', '; height: ')}; }}" in styles


@pytest.mark.parametrize(("name", "parts"), [("shogi", 1), ("hand", 1), ("nana", 1), ("ki", 0), ("ko", 4)])
def test_boards_come_in_parts(name: str, parts: int) -> None:
    for paper in PAPERS.values():
        assert len(board_parts(komadai.variant(name), paper.area)) == parts


def test_the_parts_of_a_board_cover_it() -> None:
    boxes = []
    for part in board_parts(komadai.variant("ko"), PAPERS["a4"].area):
        inner = ElementTree.fromstring(part).find(f"{SVG}svg")
        assert inner is not None
        boxes.append(tuple(map(float, inner.attrib["viewBox"].split())))
    xs, ys = ({box[axis]: box[axis] + box[axis + 2] for box in boxes} for axis in (0, 1))
    for starts in (xs, ys):
        (first, end), (second, last) = sorted(starts.items())
        assert first == 0
        assert end - second == pytest.approx(8)
        assert last == pytest.approx(19 * 18 + 2 * 0.85 * 1.8 * 21 * 0.18 + 0.85 * 1.8 * 21 * 0.18, abs=0.1)


def test_a_field_of_a_size_has_a_board() -> None:
    titles = [page.title for page in printing.pages(komadai.variant("ki", field="25x25"), PAPERS["a4"])]
    assert sum(title.startswith("Board, part ") for title in titles) > 10


def test_cubes_are_folded_as_they_roll_and_turn() -> None:
    found = {cube.faces[0].code: cube.faces for cube in stock("ki").cubes} | {
        f"nana {cube.faces[0].code}": cube.faces for cube in stock("nana").cubes
    }
    column = [(1, row) for row in range(4)]
    rolled = places(found["nana R"])
    assert [rolled[place].code for place in column] == ["R", "C", "SW", "GB"]
    for code in ("HI", "KAKU"):
        net = {place: face.code for place, face in places(found[code]).items()}
        assert len(set(net.values())) == 6
        across = ((1, 0), (1, 2)), ((1, 1), (1, 3)), ((0, 1), (2, 1))
        opposite = {frozenset((net[one], net[other])) for one, other in across}
        turning = {frozenset((face.code, face.becomes.quiet[0])) for face in found[code]}
        assert opposite == turning
    assert {face.code for face in places(found["K"]).values()} == {"K"}
    assert len(places(found["K"])) == 6


def test_faces_that_a_cube_has_no_room_for_are_pieces() -> None:
    codes = "ABCDEFG"
    kinds = tuple(
        Kind(code, f"face {code}", "歩", "fu", "W", Becomes(quiet=(after,), captures=(after,), captured="A"))
        for code, after in zip(codes, f"{codes[1:]}A", strict=True)
    )
    king = Kind("K", "king", "玉", "gyoku", "K", royal=True)
    variant = Variant(
        id="dice",
        name="Dice",
        version="1",
        board=Rect(3, 3),
        start="a1k/3/A1K b -",
        kinds=(king, *kinds),
        hand_order=("A",),
        summary="Too many faces.",
        sources=("dice.md",),
        look="cubes",
        options=(("illegal_move", "refused"),),
    )
    found = Inventory(variant)
    assert (len(found.cubes), len(found.flats)) == (2, 2)
    assert {flat.front.code for flat in found.spares} == set(codes)
    pages = printing.pages(variant, PAPERS["a4"])
    assert [page.title for page in pages] == ["Rules", "Board", "Pieces", "Spare pieces", "Cubes"]
    assert "How a game ends" in pages[0].content, "without a text for players the spec speaks"


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_needs_nothing_from_elsewhere(name: str, language: str) -> None:
    with speaking(language):
        text = printing.document(komadai.variant(name), PAPERS["a4"])
    assert text.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert not re.search(r'(?:src|href)="(?!#)|url\(|<script|@import', text)
    assert "style=" not in text, "the server's pages allow no styles in elements"
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    kinds = komadai.variant(name).kinds
    assert text.count("<figcaption>") == len(kinds)


def test_letters_take_the_place_of_kanji() -> None:
    with_kanji, with_letters = (
        ElementTree.tostring(drawings("shogi", "Pieces", letters=letters)[0]) for letters in (False, True)
    )
    assert with_kanji != with_letters


def test_the_command_writes_what_the_library_makes(tmp_path: Path) -> None:
    variant, out = komadai.variant("nana"), tmp_path / "nana.html"
    assert komadai_says("print", "nana").out == printing.document(variant, PAPERS["a4"])
    asked = ("--paper", "letter", "--lang", "ja", "--letters", "-o", str(out))
    assert komadai_says("print", "nana", *asked).out == ""
    with speaking("ja"):
        assert out.read_text(encoding="utf-8") == printing.document(variant, PAPERS["letter"], Look(letters=True))


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("go",), "unknown variant 'go'"),
        (("nana", "--paper", "a5"), "paper 'a5': did you mean 'a4'?"),
        (("nana", "--lang", "fr"), "--lang 'fr': choose from en, ja"),
        (("nana", "-o", "nana.pdf"), "expected a name that ends in .html; a browser prints it, also as PDF"),
        (("nana", "-o", "/nowhere/nana.html"), "cannot be written: there is no folder '/nowhere'"),
    ],
)
def test_the_command_says_what_would_be_right(words: tuple[str, ...], fault: str) -> None:
    said = komadai_says("print", *words)
    assert said.status == 2
    assert fault in said.err
