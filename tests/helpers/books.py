"""Records of five short games of shogi, one in each format, and the book of them, with counts made by hand."""

from __future__ import annotations

from pathlib import Path

from komadai.book import Book, Builder
from komadai.record import read

GAMES = {
    # Black wins. P-7f +0.30, P-3d -0.10.
    "win.pgn": '[Result "1-0"]\n[Reason "resign"]\n\n1. P-7f {+0.30/5} P-3d {-0.10/4} 2. P-2f P-8d 1-0\n',
    # No result; the position after three plies is that of the game above.
    "open.usi": "startpos moves 2g2f 3c3d 7g7f 8c8d\n",
    # Black resigns.
    "loss.kif": "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n",
    # Black resigns.
    "other.csa": "V2.2\nPI\n+\n+7776FU\n-8384FU\n%TORYO\n",
    # A draw.
    "draw.json": """{"schema": "komadai-record/2", "variant": "shogi", "version": "1", "options": {}, "start": null,
        "moves": [{"move": "7g7f", "score": {"value": -50}}, "3c3d"], "result": {"winner": null, "reason": "agreement"}}
    """,
}

# For each line: move, games, wins, draws and losses of the mover, mean score, scores.
COUNTS = {
    "": [("7g7f", 4, 1, 1, 2, -10, 2), ("2g2f", 1, 0, 0, 0, None, 0)],
    "7g7f": [("3c3d", 3, 1, 1, 1, -10, 1), ("8c8d", 1, 1, 0, 0, None, 0)],
    "2g2f": [("3c3d", 1, 0, 0, 0, None, 0)],
    "7g7f 3c3d": [("2g2f", 1, 1, 0, 0, None, 0)],
    "2g2f 3c3d": [("7g7f", 1, 0, 0, 0, None, 0)],
    "7g7f 3c3d 2g2f": [("8c8d", 2, 0, 0, 1, None, 0)],
    "7g7f 3c3d 2g2f 8c8d": [],
}


def written(folder: Path) -> list[Path]:
    """The records as files."""
    for name, text in GAMES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in GAMES]


def book_of_five(path: Path, **arguments: int) -> Book:
    """The book of the five games."""
    builder = Builder("shogi")
    for text in GAMES.values():
        for record in read(text):
            builder.add(record)
    return builder.write(path, **arguments)
