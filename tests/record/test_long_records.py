"""Texts of one sign over and over are read in time that grows with their length, not with its square: with the square
of these a test would run for many minutes."""

from __future__ import annotations

import pytest

from komadai import NotationError
from komadai.game.time_control import TimeControl
from komadai.record import detect, read

LONG = 300_000
HEADS = (
    "startpos moves ",
    "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)",
    "V2.2\nPI\n+\n+7776FU\n",
    '[Event "x"]\n\n1. P-7f ',
    "1",
    "☗",
)


@pytest.mark.parametrize("sign", ["\n", "  \n", " ", "1", "\t", "　", ".\n", "1\n"])
@pytest.mark.parametrize("head", HEADS, ids=range(len(HEADS)))
def test_long_runs_of_a_sign_are_read_at_once(head: str, sign: str) -> None:
    text = head + sign * (LONG // len(sign)) + "x"
    detect(text)
    try:
        assert read(text, "shogi") is not None
    except NotationError as error:
        assert len(str(error)) < 6_000  # noqa: PT017


def test_a_long_time_control_is_refused_at_once() -> None:
    for text in ("1" * LONG, "1h" * LONG, " " * LONG, "10m" + " " * LONG, "1m+" * LONG):
        with pytest.raises(NotationError, match="expected a form such as 10m"):
            TimeControl.parse(text)
