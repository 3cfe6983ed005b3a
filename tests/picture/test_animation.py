"""Games as moving pictures."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import komadai
from helpers.command import komadai_says
from helpers.support import DEFAULTS
from komadai import Game, NotationError, picture
from komadai.picture import Look
from komadai.picture.animation import MOST_BYTES
from komadai.record import Record
from komadai.spec.variant import Variant

USE = "{http://www.w3.org/2000/svg}use"


def played(variant: str | Variant, moves: int, seed: int = 1) -> Game:
    """A game of random moves."""
    game, chance = Game(variant), random.Random(seed)
    while len(game) < moves and not game.is_game_over():
        game.push(chance.choice(list(game.legal_moves())))
    return game


def parsed(text: str) -> ElementTree.Element:
    """The picture as a tree; it has no script and needs nothing from elsewhere."""
    assert not re.search(r'"https?://(?!www\.w3\.org/2000/svg")|url\(|<script|<foreignObject|\son\w+=|@import', text)
    return ElementTree.fromstring(text)


def seen(text: str, second: float | None = None) -> list[str]:
    """The pieces that are seen after some seconds, or where motion is not wanted."""
    tree = parsed(text)
    sheet = tree[1].text or ""
    found = re.search(r"\.a\{animation:([\d.]+)s", sheet)
    assert found
    length = float(found[1])
    parts = dict(re.findall(r"@keyframes (v\w+)\{0%\{visibility:visible\}([\d.]+)%", sheet))
    pieces: list[str] = []
    for parent in tree.iter():
        for child in parent:
            if child.tag != USE:
                continue
            classes, style = parent.get("class", "").split(), parent.get("style", "")
            if "a" not in classes:
                pieces.append(child.attrib["href"])
            elif second is None:
                pieces += [child.attrib["href"]] if "e" in classes else []
            else:
                begins = re.search(r"--d:(-[\d.]+)s", style)
                assert begins
                at = (second - float(begins[1])) % length
                if at < float(parts[next(name for name in classes if name in parts)]) / 100 * length:
                    pieces.append(child.attrib["href"])
    return sorted(pieces)


def there(position: komadai.Position) -> list[str]:
    """The pieces of a position, as names of drawings."""
    standing = [f"#{one.side}{one.code.replace('+', '-')}" for one in position.board if one]
    return sorted(standing + [f"#{side}h{code}" for side in ("b", "w") for code in position.hand(side)])  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", DEFAULTS)
def test_each_position_is_seen_in_its_turn_and_the_last_where_nothing_moves(variant: Variant) -> None:
    game = played(variant, 30)
    text = picture.animation(game)
    at = game.start
    assert seen(text, 0.9) == there(at)
    for number, move in enumerate(game.moves, 1):
        at.push(move)
        assert seen(text, number + 0.9) == there(at), (number, move)
    assert seen(text) == there(game.position)
    assert "prefers-reduced-motion:reduce" in text


def test_a_piece_slides_from_where_it_stood_and_a_dropped_one_from_the_hand() -> None:
    text = picture.animation(_pushed("shogi", "7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"))
    slides = [(float(x), float(y)) for x, y in re.findall(r"--x:([-.\d]+)px;--y:([-.\d]+)px", text)]
    assert slides[:4] == [(0, 108), (0, -108), (-600, 648), (-100, -108)]
    assert len(slides) == 5
    assert slides[4][1] > 400, "the hand lies below the board"


def _pushed(variant: str, *moves: str) -> Game:
    game = Game(variant)
    for move in moves:
        game.push(move)
    return game


def test_names_of_strangers_and_the_result_are_written_below() -> None:
    game = _pushed("shogi", "7g7f")
    game.resign("w")
    text = picture.animation(game, Look(dark=True), names={"b": "<b>Aiko</b>", "w": "愛" * 40})
    said = [one.text for one in parsed(text).iter("{http://www.w3.org/2000/svg}text")]
    assert said == [f"☗ <b>Aiko</b>   ☖ {'愛' * 24}", "1. ☗P-7f  Black wins: White resigned"]


def test_a_long_game_loses_the_marks_of_its_moves_and_one_too_long_is_refused() -> None:
    game = played("ko", 700)
    text = picture.animation(game)
    assert len(text.encode()) <= MOST_BYTES
    assert "#ffe98a" not in text
    assert "#ffe98a" in picture.animation(played("ko", 20))
    there_and_back = _pushed("shogi", *["5i5h", "5a5b", "5h5i", "5b5a"] * 2)
    with pytest.raises(NotationError, match="no move has been made"):
        picture.animation(Game("shogi"))
    with pytest.raises(NotationError, match=r"0\.1 seconds; expected 0\.2 to 10"):
        picture.animation(there_and_back, seconds=0.1)


def test_the_command_draws_the_main_line_of_a_record(tmp_path: Path) -> None:
    game = played("hand", 12)
    record = tmp_path / "game.json"
    record.write_text(komadai.record.write([Record.of(game, [("Black", "Aiko")])], "json"), encoding="utf-8")
    drawn = tmp_path / "game.svg"
    komadai_says("record", "animate", str(record), "-o", str(drawn), "--seconds", "0.5")
    text = drawn.read_text(encoding="utf-8")
    assert seen(text, 12 * 0.5 + 0.4) == there(game.position)
    assert "☗ Aiko" in text
