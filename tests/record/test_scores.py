"""Engines' scores in comments, in the forms of the programs that write them, all of them as Black sees it."""

from __future__ import annotations

import pytest

from komadai import Record, record
from komadai.record import Score

OPENING = "1 ７六歩(77)\n{black}2 ３四歩(33)\n{white}"


@pytest.mark.parametrize(
    ("line", "black", "kept"),
    [
        # ShogiHome
        ("**評価値=82", Score(82), ""),
        (
            "*互角\n**評価値=-82\n**読み筋=△３四歩\n**深さ=15\n**エンジン=x",
            Score(-82, None, 15),
            "互角\n*読み筋=△３四歩\n*エンジン=x",
        ),
        ("**詰み=先手勝ち:5手\n**深さ=8", Score(None, 5, 8), ""),
        ("**詰み=後手勝ち:5手", Score(None, -5), ""),
        ("*#評価値=-60", Score(-60), "#評価値=-60"),
        ("#評価値=-60", Score(-60), "#評価値=-60"),
        # Floodgate
        ("** 30 -3334FU +2726FU", Score(30), "* 30 -3334FU +2726FU"),
        ("** 30", Score(30), "* 30"),
        # ShogiGUI and Shogidokoro
        ("**対局 時間 00:00.8 深さ 22/28 ノード数 744743 評価値 88 読み筋 △３四歩(33)", Score(88, None, 22), None),
        ("*解析 0 △ 候補1 時間 00:00.0 深さ 32 ノード数 1 評価値 0 読み筋 △３四歩(33)", Score(0, None, 32), None),
        # Kishin Analytics
        ("** Engine suisho 候補1 深さ 13/19 ノード数 596119 評価値 -47 読み筋 △３四歩(33)", Score(-47, None, 13), None),
        # K-Shogi
        ("*#形勢[120]▲７六歩", Score(120), "#形勢[120]▲７六歩"),
        ("* 評価値 123", Score(123), "評価値 123"),
        # None of them
        ("*30", None, "30"),
        ("*評価値は?", None, "評価値は?"),
        ("**評価値=99999999999", None, "*評価値=99999999999"),
        ("**詰み=先手勝ち", None, "*詰み=先手勝ち"),
    ],
)
def test_the_scores_of_other_programs(line: str, black: Score | None, kept: str | None) -> None:
    [made] = record.read(OPENING.format(black=f"{line}\n", white=f"{line}\n"))
    white = black
    if black is not None:
        white = Score(*(None if number is None else -number for number in black[:2]), black.depth)
    assert [node.score for node in made.nodes] == [None, black, white]
    comment = line.removeprefix("*") if kept is None else kept
    assert made.nodes[1].comment == made.nodes[2].comment == comment
    text = record.write([made], "kif")
    assert record.read(text) == [made]
    assert text.count("評価値") == OPENING.format(black=line, white=line).count("評価値")


def test_own_scores_are_written_as_shogihome_does() -> None:
    made = Record.begin("shogi").add(0, "7g7f", score=Score(None, 0, 3), comment="a")[0]
    made = made.add(1, "3c3d", score=Score(12))[0]
    text = record.write([made], "kif")
    assert "*評価値=-12\n" in text
    assert "**詰み=後手勝ち:0手\n**深さ=3\n*a\n" in text
    assert record.read(text) == [made]


def test_the_start_has_no_score() -> None:
    [made] = record.read("手合割：平手\n**評価値=5\n")
    assert (made.nodes[0].score, made.nodes[0].comment) == (None, "*評価値=5")
