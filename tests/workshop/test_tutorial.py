"""The tutorial that writes minishogi: its blocks, one below the other, are the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import komadai
from helpers.command import komadai_says
from helpers.tutorial import PAGE, written
from komadai.workshop import check


def test_the_blocks_are_a_game_with_the_known_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = written()
    assert check(text) == []
    Path("minishogi-of-mine.toml").write_text(text, encoding="utf-8")
    position = komadai.Position(komadai.load("minishogi-of-mine.toml"))
    assert [position.perft(depth) for depth in range(1, 5)] == [14, 181, 2512, 35401]
    page = PAGE.read_text(encoding="utf-8")
    for command in re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        words = command.split()[1:]
        if words[0] in ("check", "perft"):
            ran = komadai_says(*words)
            assert ran.status == 0, ran.err
            first = ran.out.splitlines()[0].partition(",")[0]
            assert first in page, "the page shows what the command says"
