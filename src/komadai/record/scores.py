"""Engines' scores in comments, as Japanese programs write them.

All of them give the score as Black sees it, in hundredths of a pawn. ShogiHome has a line for the score and another for
the depth (``*評価値=82``, ``*詰み=先手勝ち:5手``, ``*深さ=8``; ``#`` in front where the game was analysed later); the
others have one line with everything: ShogiGUI and Shogidokoro (``対局 時間 00:00.8 深さ 22/28 評価値 88 読み筋 …``,
``解析 …``), Kishin Analytics (``* Engine … 評価値 -47 …``), K-Shogi (``#形勢[88]…``) and the Floodgate server
(``* 30 +7776FU``).

Marks are written in the same way: ``*評価記号=!?``.
"""

from __future__ import annotations

import re
from collections.abc import Container

from .tree import MARKS, Node, Score, clean

_OWN = re.compile(r"\*(?:評価値=([+-]?[0-9]{1,10})|詰み=(先手|後手)勝ち[:：]([0-9]{1,10})手)")
_MARK = "*評価記号="
OWN = re.compile(r"^[^\S\n]*+\*(?:評価値|詰み)=", re.MULTILINE)
"""The beginnings of lines for scores that may have a depth, and plies to a mate."""
_OWN_DEPTH = re.compile(r"\*深さ=([0-9]{1,10})")
_OTHERS = (
    re.compile(r"[*#]?(?:[^=]* )?評価値[ =]?([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)(?![0-9.]).*"),
    re.compile(r"#(?:形勢|指し手)\[([+-]?[0-9]{1,9})\].*"),
    re.compile(r"\* +([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)(?: +[+-][0-9]{4}[A-Z]{2}.*| +#.*|\s*)"),
)
_DEPTH = re.compile(r" 深さ ?([0-9]{1,9})")
_WORDS = ("評価値", "詰み=", "[", "* ")  # one of them is in every score


def said_in(comment: str, side: str, known: Container[str]) -> dict[str, object]:
    """The annotations in a comment on a move of ``side``: score and mark, unless they are ``known``, and the rest."""
    said: dict[str, object] = {}
    comment = clean(comment)
    lines = comment.split("\n") if _MARK in comment and "mark" not in known else []
    for at, line in enumerate(lines):
        if (mark := line.strip().removeprefix(_MARK)) != line.strip() and mark in MARKS:
            said["mark"], comment = mark, "\n".join(lines[:at] + lines[at + 1 :])
            break
    if "score" not in known:
        score, comment = score_of(comment, side)
        said |= {} if score is None else {"score": score}
    return said | {"comment": comment}


def said_lines(node: Node, side: str, *, always: bool = False) -> list[str]:
    """The lines before the comment of a node that say its score, unless the comment does, and its mark.

    ``side`` has made its move. ``always``: they say the score even where the comment does, too.
    """
    score, comment = node.score, node.comment
    if score is None or (not always and score_of(comment, side) == (score, comment)):
        return mark_lines(node)
    said = score_lines(score, side) + mark_lines(node)
    wanted = {"comment": comment, "score": score} | ({"mark": node.mark} if node.mark else {})
    if said_in("\n".join([*said, comment]), side, ()) != wanted:
        said.append("")  # the depth of another score is in the comment
    return said


def mark_lines(node: Node) -> list[str]:
    """The line that says the mark of a node, if it has one."""
    return [_MARK + node.mark] if node.mark else []


def score_of(comment: str, side: str) -> tuple[Score | None, str]:
    """The first score in a comment, seen by ``side``, who moved, and the comment without what :func:`score_lines` says.

    Lines that say more than a score stay in the comment.
    """
    if not any(word in comment for word in _WORDS):
        return None, comment
    lines, sign = comment.split("\n"), 1 if side == "b" else -1
    for index, line in enumerate(lines):
        if own := _OWN.fullmatch(line.strip()):
            value, mate = (int(own[1]) * sign, None) if own[1] else (None, int(own[3]))
            if mate is not None and (own[2] == "先手") != (side == "b"):
                mate = -mate
            deep_at = _depth_at(lines, index + 1)
            deep = _OWN_DEPTH.fullmatch(lines[deep_at])
            score = Score(value, mate, int(deep[1]) if deep else None)
            if not score.defects():
                rest = [line for at, line in enumerate(lines) if at != index and not (deep and at == deep_at)]
                return score, "\n".join(rest)
        for form in _OTHERS:
            if said := form.fullmatch(line):
                deep = _DEPTH.search(line)
                return Score(round(float(said[1])) * sign, None, int(deep[1]) if deep else None), comment
    return None, comment


def _depth_at(lines: list[str], start: int) -> int:
    """Where the depth of a score stands: before an empty line and before what later analysis says."""
    at = start
    while at < len(lines) and lines[at] and lines[at][0] != "#" and not _OWN_DEPTH.fullmatch(lines[at]):
        at += 1
    return at if at < len(lines) else start - 1


def score_lines(score: Score, side: str) -> list[str]:
    """The lines that say a score of ``side``."""
    black = side == "b"
    if score.mate is None:
        said = f"評価値={score.value if black else -(score.value or 0)}"
    else:
        said = f"詰み={'先手' if (score.mate > 0) == black else '後手'}勝ち:{abs(score.mate)}手"
    return [f"*{said}"] if score.depth is None else [f"*{said}", f"*深さ={score.depth}"]
