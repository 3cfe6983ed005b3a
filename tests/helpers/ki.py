"""Positions and moves of Ki Shogi as the tests of its rules write them.

In the window Black's Gyoku stands on ``5e`` (``10j`` with the unicorn cube) and north is up the board. A move string
names squares as seen before the move; when Black's Gyoku goes east, everything else is then seen one file on.
"""

from __future__ import annotations

import re
from functools import cache, partial

from helpers import support
from helpers.support import ROOT, by_reference, generic, legal, play, reference_of
from komadai.game.position import Position

PAGE = ROOT / "docs" / "rules" / "ki.md"

refusal = partial(support.refusal, "ki")
dropped = partial(support.dropped, "ki")
ways = partial(support.ways, "ki")

HI = ("HI", "CHO", "HAN", "CHUU", "OU", "SHU")
KAKU = ("KAKU", "MYOU", "HON", "GA", "ZOU", "KEN")
KI = ("KI", "HOU", "RO", "JA", "BA", "RYUU")

# Around 5e and 10j: the sixteen points at distance two.
ORBIT = {"7c", "6c", "5c", "4c", "3c", "7d", "3d", "7e", "3e", "7f", "3f", "7g", "6g", "5g", "4g", "3g"}


def wide(middle: str, rest: str) -> str:
    """A position string of the 19×19 window from its middle ranks, an odd number of them; the others are empty."""
    ranks = middle.split("/")
    away = ["19"] * ((19 - len(ranks)) // 2)
    return f"{'/'.join([*away, *ranks, *away])} {rest}"


def unicorn(middle: str, rest: str, *moves: str) -> Position:
    return play("ki-unicorn", *moves, start=wide(middle, rest))


def wide_refusal(middle: str, rest: str, move: str) -> str:
    return support.refusal("ki-unicorn", wide(middle, rest), move)


def lost_by(position: Position, move: str) -> set[str]:
    """The squares of the mover's own pieces that are taken after the move, in words of the board before it."""
    return set(position.losses(move))


def stranded(position: Position) -> set[str]:
    return set(position.stranded())


def turns(name: str, start: str, *moves_and_positions: str) -> None:
    """Plays moves, each followed by the position it leads to, on the core and by the reference."""
    position = Position(name, start)
    oracle = reference_of(position.variant)
    for move, after in zip(moves_and_positions[::2], moves_and_positions[1::2], strict=True):
        assert legal(position) == generic(position) == by_reference(position)
        setup = position.setup()
        candidate = next(candidate for candidate in oracle.candidates(setup) if candidate.text == move)
        position.push(move)
        assert position.sfen() == after
        assert position.setup() == oracle.play(setup, candidate)


@cache
def table() -> dict[str, tuple[str, str, str, tuple[str, ...], tuple[str, ...], str]]:
    """Each row of the page's table of faces: English name, kanji, move, opposite face, faces on a capture, cube."""
    rows = {}
    cube = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.replace("**[R]**", "").strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 6 or (cells[0] and "`" not in cells[0]):
            continue
        if cells[0]:
            cube = cells[0].split("`")[1]
        face = re.fullmatch(r"(?:`(?P<code>[A-Z]+)` )?(?P<name>.+) (?P<kanji>\S)", cells[1])
        assert face, line
        opposite, captures = (tuple(re.findall(r"[A-Z]+", cells[at].replace("–", ""))) for at in (4, 5))
        rows[face["code"] or cube] = (face["name"], face["kanji"], cells[3], opposite, captures, cube)
    return rows
