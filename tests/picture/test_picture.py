"""Pictures of positions, and the commands that draw them and show and convert records."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import pytest

import komadai
from helpers.command import Ran, komadai_says
from helpers.support import DEFAULTS, ROOT
from komadai import Position, picture
from komadai.picture import Look
from komadai.spec.board import Unbounded
from komadai.spec.variant import Variant

PNG = b"\x89PNG\r\n\x1a\n"


def parsed(text: str) -> ElementTree.Element:
    """The picture as a tree; it must not need anything from elsewhere."""
    assert not re.search(r'"https?://(?!www\.w3\.org/2000/svg")|url\(|<style|<text|font-family', text)
    return ElementTree.fromstring(text)


def uses(text: str) -> list[str]:
    """The pieces on the board and in the hands, as names of drawings that all exist."""
    tree = parsed(text)
    found = [element.attrib["href"][1:] for element in tree.iter("{http://www.w3.org/2000/svg}use")]
    assert {*found} == {group.attrib["id"] for group in tree.iter() if "id" in group.attrib}
    return found


@pytest.mark.parametrize("variant", DEFAULTS)
def test_every_piece_is_drawn(variant: Variant) -> None:
    position = Position(variant)
    for _ in range(6):
        position.push(min(position.legal_moves(), key=str))
    standing = [f"{piece.side}{piece.code.replace('+', '-')}" for piece in position.board if piece]
    held = [f"{side}h{code}" for side in ("b", "w") for code in position.hand("b" if side == "b" else "w")]
    text = picture.svg(position)
    assert sorted(uses(text)) == sorted(standing + held)
    turned = picture.svg(position, Look(letters=True, flipped=True, dark=True, coordinates=False, size=300))
    assert sorted(uses(turned)) == sorted(standing + held)
    tree = parsed(turned)
    assert tree.attrib["width"] == "300"
    assert tree[0].text is not None
    assert tree[0].text.endswith(position.sfen())


def test_the_outlines_are_all_there_with_their_licence() -> None:
    folder = ROOT / "src/komadai/picture"
    has = json.loads((folder / "glyphs.json").read_text(encoding="utf-8"))["glyphs"]
    kinds = [kind for name in komadai.variants(shelf=True) for kind in komadai.variant(name).kinds]
    wanted = "".join(kind.kanji + (kind.kanji_white or "") + kind.code for kind in kinds) + "0123456789"
    assert not {*wanted} - {*has}, "run python tools/outline_glyphs.py"
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text(encoding="utf-8")


def test_a_last_move_is_marked_where_it_is_after_it() -> None:
    position = Position("ki")
    for text in ("K*5e", "K*5c"):
        position.push(text)
    position.push(next(move for move in position.legal_moves() if move.is_drop))
    position.push(next(move for move in position.legal_moves() if move.is_drop))
    king = next(move for move in position.legal_moves() if move.piece == "K" and move.origin_point is not None)
    position.push(king)
    assert isinstance(position.variant.board, Unbounded)
    assert position.board[position.variant.board.middle] is not None, "the window has followed the king"
    marked = re.search(r'<rect x="([0-9.]+)" y="([0-9.]+)" [^>]*fill="#ffe98a"', picture.svg(position, last=king))
    assert marked
    x, y = (float(number) + 50 for number in marked.groups())
    assert f'<use href="#bK" transform="translate({x:g} {y:g})"/>' in picture.svg(position)
    assert 'fill="#ffe98a"' not in picture.svg(position)


def test_shots_and_longer_ways_are_drawn() -> None:
    position = Position("ko", "1g17/19/19/19/19/19/19/8p10/9+[TP]9/19/19/19/19/19/19/19/19/19/17G1 b -")
    move = next(m for m in position.legal_moves() if len(m.way) > 1 and any(landing.shots for landing in m.way))
    position.push(move)
    text = picture.svg(position, last=move)
    assert text.count('stroke-dasharray="12 10"') == sum(len(landing.shots) for landing in move.way)
    assert 'stroke="#c8860a"' in text


def test_png_and_sizes() -> None:
    data = picture.png(Position("nana"), Look(size=100))
    assert data.startswith(PNG)
    assert int.from_bytes(data[16:20], "big") == 100
    for size in (63, 4097):
        with pytest.raises(komadai.NotationError, match=f"{size} pixels is no width; expected 64 to 4096"):
            Look(size=size)
    with (
        mock.patch.dict(sys.modules, {"resvg_py": None}),
        pytest.raises(komadai.NotationError, match=r"komadai\[png\]"),
    ):
        picture.png(Position("nana"))


# --- The commands ---


def given(text: bytes, *arguments: str) -> Ran:
    """The output of a command that reads this from standard input."""
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(text))):
        return komadai_says(*arguments)


def test_records_are_converted_and_shown(tmp_path: Path) -> None:
    source, target = tmp_path / "game.txt", tmp_path / "game.kif"
    source.write_text('[Black "A"]\n\n1. P-7f {why} ( 1. P-2f ) P-3d 1-0', encoding="utf-8")
    assert komadai_says("record", "convert", str(source), "-o", str(target)) == Ran(0, "", "")
    assert "*why\n" in target.read_text(encoding="utf-8")
    made = komadai_says("record", "convert", str(target), "--to", "json")
    assert json.loads(made.out)["headers"] == {"Black": "A"}
    usi = given(made.out.encode(), "record", "convert", "-", "--to", "usi")
    assert usi == Ran(0, "position startpos moves 7g7f 3c3d\n", "")
    shown = komadai_says("record", "show", str(source))
    assert shown.status == 0
    assert shown.out.startswith("Standard shogi\nBlack: A\n\n1. P-7f {why} ( 1. P-2f ) 1... P-3d 1-0\n\nWhite: -\n")
    shown = given(b"moves K*5e", "record", "show", "-", "--game", "ki", "--rule", "field=unbounded")
    assert shown.out.startswith("Ki Shogi\n\n1. *Gyoku *\n")


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    drawn = komadai_says("picture", "shogi", "--moves", "7g7f 3c3d", "--letters")
    assert (drawn.status, drawn.err) == (0, "")
    assert len(uses(drawn.out)) == 40
    for name in ("x.svg", "x.png"):
        path = tmp_path / name
        said = ("2K/3/k2 b RBrb", "-o", str(path), "--size", "64", "--flipped", "--no-coordinates")
        assert komadai_says("picture", "nana", *said) == Ran(0, "", "")
        assert path.read_bytes().startswith(PNG if name.endswith("png") else b"<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("record", "convert", "/no/such/file"), "'/no/such/file': No such file or directory"),
        (("record", "convert", __file__, "-o", "x.foo"), "file 'x.foo': name a format with --to; .foo tells of none"),
        (("record", "convert", __file__, "--to", "kiff"), "--to 'kiff': did you mean 'kif'? choose from json"),
        (("record", "convert", __file__, "--from", "json"), "is not JSON"),
        (("record", "show", __file__, "--rule", "x=y"), "needs --game"),
        (("record", "show", __file__, "--game", "nan"), "did you mean 'nana'?"),
        (("picture", "nana", "-o", "x.gif"), "file 'x.gif': expected a name that ends in .svg or .png"),
        (
            ("picture", "nana", "-o", "/no/such/x.svg"),
            "--output '/no/such/x.svg': cannot be written: there is no",
        ),
        (("picture", "nana", "--moves", "K*1a K*1a"), "K*1a is not legal"),
    ],
)
def test_what_the_commands_refuse(arguments: tuple[str, ...], message: str) -> None:
    ran = komadai_says(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
