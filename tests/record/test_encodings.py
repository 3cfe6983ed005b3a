"""The encodings of files: those that are recognized, and those that are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command import komadai_says
from komadai import NotationError, Record, record

KIF = "手合割：平手\n先手：羽生善治\n後手：アカギ\n*ﾊﾝｶｸ カタカナ、〜−\n1 ７六歩(77)\n2 投了\n"


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""), ("utf-8-sig", b""), ("utf-16", b""), ("utf-16-le", b""), ("utf-16-be", b""),
        ("utf-16-be", b"\xfe\xff"), ("cp932", b""), ("shift_jis", b""), ("euc_jp", b""),
    ],
)  # fmt: skip
def test_files_are_read_in(encoding: str, mark: bytes) -> None:
    text = KIF if encoding.startswith("utf") else KIF.replace("〜−", "！").replace("ﾊﾝｶｸ ", "")
    [made] = record.read(mark + text.encode(encoding))
    assert made.header("Black") == "羽生善治"
    assert made.nodes[0].comment == text.split("\n")[3][1:]


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(NotationError, match="is not text in UTF-8, UTF-16, Shift_JIS or EUC-JP"):
        record.read(b"\xff\xff\xa0\x80\n")


@pytest.mark.parametrize("form", ["kif", "csa"])
def test_shift_jis_is_written_with_its_name(form: record.Format) -> None:
    [made] = record.read(KIF)
    data = record.encoded(record.write([made], form), "shift_jis")
    assert b"encoding=SHIFT_JIS" in data.split(b"\n")[0]
    assert data.decode("cp932").count("～－") == 1
    [again] = record.read(data)
    assert again.header("White") == "アカギ"


def test_characters_that_shift_jis_lacks_are_named() -> None:
    text = record.write([Record.begin("shogi").annotate(0, comment="☗\n😀☗")], "kif")
    with pytest.raises(NotationError, match=r"has no character ☗ \(line 4\), 😀 \(line 5\); choose utf-8"):
        record.encoded(text, "shift_jis")


def test_the_command_line_writes_shift_jis(tmp_path: Path) -> None:
    source, target = tmp_path / "a.kif", tmp_path / "b.kif"
    source.write_text(KIF, encoding="utf-8")
    made = komadai_says("record", "convert", str(source), "-o", str(target), "--encoding", "Shift-JIS")
    assert (made.status, made.err) == (0, "")
    assert "羽生善治" in target.read_bytes().decode("cp932")
    made = komadai_says("record", "convert", str(source), "--encoding", "latin")
    assert (made.status, "choose from utf-8, shift_jis" in made.err) == (2, True)
