"""What a table of the documentation says that formats keep of a record, and records with each of the parts it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import komadai
from helpers.support import ROOT
from komadai import Record, record
from komadai.record import Format, Node, Result, Score
from komadai.record.tree import start_of

PAGE = ROOT / "docs/reference/records.md"
Change = Callable[[Record], Record]


def table() -> dict[str, dict[str, str]]:
    """The cells of the table, by part and format. Parts of one row have `; ` between them."""
    section = PAGE.read_text(encoding="utf-8").partition("## What round trips keep\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    (_part, *forms), _rule, *groups = rows
    return {part: dict(zip(forms, cells, strict=True)) for parts, *cells in groups for part in parts.split("; ")}


TABLE = table()

# --- Changes --------------------------------------------------------------------------------------------------------


def same(made: Record) -> Record:
    return made


def without_headers(names: Callable[[str], bool]) -> Change:
    return lambda made: replace(made, headers=tuple(one for one in made.headers if not names(one[0])))


def nodes(change: Callable[[Node], Node]) -> Change:
    """Change each node but the start."""
    return lambda made: replace(made, nodes=(made.nodes[0], *map(change, made.nodes[1:])))


def main_line(made: Record) -> Record:
    kept = (replace(made.nodes[number], after=at - 1) for at, number in enumerate(made.main))
    return replace(made, nodes=tuple(kept))


def from_move_1(made: Record) -> Record:
    start = made.position(0).sfen(ply=True).rsplit(" ", 1)[0]
    return replace(made, start=start_of(komadai.Position.problem(made.variant, f"{start} 1")))


def usual_rules(made: Record) -> Record:
    return replace(made, variant=komadai.variant(made.variant.id))


def as_comment(made: Record) -> Record:
    """Headers whose names mean something to KIF as lines of the first comment."""
    named = made.start is None or any(made.start.startswith(one.start) for one in made.variant.handicaps)
    return lines_of_comment(made, [name for name in KIF_NAMES if named or name != "手合割"])


def lines_of_comment(made: Record, taken: Sequence[str]) -> Record:
    """Headers of these names as lines of the first comment."""
    lines = [f"{name}：{value}" for name, value in made.headers if name in taken]
    comment = "\n".join(filter(None, [*lines, made.nodes[0].comment]))
    return without_headers(taken.__contains__)(made).annotate(0, comment=comment)


def renamed(made: Record) -> Record:
    return replace(made, headers=tuple(("Event" if name == "EVENT" else name, value) for name, value in made.headers))


def read_as_said(made: Record) -> Record:
    """Lines of comments that say a score in hundredths of a pawn, or a mark, as such."""
    for number, position, _move in made.walk():
        lines, sign = made.nodes[number].comment.split("\n"), 1 if position.turn == "b" else -1
        for line in lines:
            if line == "*評価記号=?" and not made.nodes[number].mark:
                made = made.annotate(number, mark="?", comment="\n".join(one for one in lines if one != line))
            if (found := re.fullmatch(r"\*評価値=(-?[0-9]+)", line)) and made.nodes[number].score is None:
                rest = "\n".join(one for one in lines if one != line)
                made = made.annotate(number, score=Score(sign * int(found[1])), comment=rest)
    return made


def no_result(reasons: tuple[str, ...]) -> Change:
    return lambda made: replace(made, result=None) if made.result and made.result.reason in reasons else made


# --- Parts ----------------------------------------------------------------------------------------------------------

KIF_NAMES = ("変化", "手番", "手合割", "先手", "上手")
LIKE_LINES = ("まで", "まで3手", "同窓会", "手数--")
COMMON = ("Black", "White", "Event", "Site", "Date")
DRAWN = "3+R4l/1k4+B2/9/p1p6/4+s4/2P+n2+l+p1/9/1G7/4K4 w RB3G2S2N2L11P3p"
CHECKS = "4k4/9/9/9/9/9/9/9/R3K4 b r2b4g4s4n4l18p 1"
HOME = ("5i5h", "5a5b", "5h5i", "5b5a")
CHASE = ("9i9a", "5a5b", "9a9b", "5b5a", "9b9a", "5a5b", "9a9b", "5b5a", "9b9a", "5a5b", "9a9b", "5b5a", "9b9a")


def played(*moves: str, start: str | None = None, game: str = "shogi", **options: str) -> Record:
    made, at = Record.begin(game, start, **options), 0
    for move in moves:
        made, at = made.add(at, move)
    return made


LINE = played("7g7f", "3c3d", "8h2b+")  # White is to move


def ended(*reasons: str, winners: tuple[Any, ...] = ("b", "w")) -> list[Record]:
    return [replace(LINE, result=Result(winner, reason)) for reason in reasons for winner in winners]


def with_headers(*names: str) -> Record:
    return replace(LINE, headers=tuple((name, f"竜王 {number}: a,b") for number, name in enumerate(names)))


@dataclass(frozen=True)
class Part:
    """Records with a part, each to be tried by itself, and how formats change it, by the words of the table."""

    samples: list[Record]
    changes: dict[str, Change] = field(default_factory=dict)


def losing(samples: list[Record], change: Change, **others: Change) -> Part:
    return Part(samples, {"lost": change} | others)


def end(*reasons: str, winners: tuple[Any, ...] = ("b", "w")) -> Part:
    return losing(ended(*reasons, winners=winners), no_result(reasons))


PARTS: dict[str, Part] = {
    "another game than standard shogi": Part([played(game="nana"), played("5i5h", game="mortal")], {"by option": same}),
    "rule options": Part([played("7g7f", entering_king="27")], {"by option": same, "lost": usual_rules}),
    "several games in a file": Part([LINE]),  # written twice
    "start position": Part([played(start=f"{DRAWN} 1"), played(start="lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b - 1")]),
    "number of the first move": losing([played(start=f"{DRAWN} 40")], from_move_1),
    "handicap by its name": Part([played(start=one.start) for one in komadai.variant("shogi").handicaps]),
    "problem with one king": Part([played("G*5b", start="4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")]),
    "moves": Part([LINE, played("P*5e", start="4k4/9/9/9/9/9/9/9/4K4 b Pr2b4g4s4n4l17p 1")]),
    "variations": losing([LINE.add(1, "8c8d")[0].add(0, "2g2f")[0].add(5, "8c8d")[0]], main_line),
    "comment before the first move": losing(
        [LINE.annotate(0, comment="a\n\n* b\n&c\n#d")], lambda made: made.annotate(0, comment="")
    ),
    "comments on moves, and behind the last": losing(
        [LINE.annotate(1, comment="*a\n\n'b").annotate(3, comment="まで3手で先手の勝ち\n1 ７六歩(77)")],
        nodes(lambda node: replace(node, comment="")),
    ),
    "comment that is a line for a score or mark": losing(
        [LINE.annotate(2, comment="a\n*評価値=30\nb"), LINE.annotate(1, comment="*評価記号=?\na")],
        nodes(lambda node: replace(node, comment="")),
        read=read_as_said,
    ),
    "marks": losing(
        [LINE.annotate(number, mark=mark, comment=said) for number in (1, 2) for mark in record.MARKS
         for said in ("", "a\nb")],
        nodes(lambda node: replace(node, mark="")),
    ),
    "whole seconds": losing([LINE.annotate(1, seconds=0).annotate(3, seconds=4000)],
                            nodes(lambda node: replace(node, seconds=None))),
    "fractions of seconds": losing(
        [LINE.annotate(1, seconds=2.125).annotate(3, seconds=0.999)], nodes(lambda node: replace(node, seconds=None)),
        rounded=nodes(lambda node: replace(node, seconds=None if node.seconds is None else round(node.seconds))),
    ),
    "scores": losing([LINE.annotate(1, score=Score(35)).annotate(2, score=Score(-7)).annotate(3, score=Score(0))],
                     nodes(lambda node: replace(node, score=None))),
    "mates in plies, depths": losing(
        [LINE.annotate(1, score=Score(None, 5)).annotate(2, score=Score(None, -4, 8)),
         LINE.annotate(1, score=Score(1, None, 0)).annotate(2, score=Score(None, 0))],
        nodes(lambda node: replace(node, score=None)),
    ),
    "players, event, site, date": losing([with_headers(*COMMON)], without_headers(COMMON.__contains__)),
    "other headers": losing(
        [with_headers("備考", "Note", "Time", "Round", "a.b_c-1")],
        without_headers(lambda name: name not in (*COMMON, *KIF_NAMES, *LIKE_LINES, "EVENT", "End", "End seconds")),
    ),
    "headers with names of KIF (`変化`)": losing(
        [with_headers("変化", "手番", "手合割", "上手")], without_headers(KIF_NAMES.__contains__), comment=as_comment
    ),
    "headers that begin like a line of KIF (`同窓会`)": losing(
        [with_headers(*LIKE_LINES)],
        without_headers(LIKE_LINES.__contains__),
        comment=lambda made: lines_of_comment(made, LIKE_LINES),
    ),
    "name of a drawn start (`手合割：詰将棋`)": losing(
        [replace(played(start=f"{DRAWN} 1"), headers=(("手合割", "詰将棋"),))], without_headers("手合割".__eq__)
    ),
    "headers with names of CSA (`EVENT`)": losing(
        [with_headers("EVENT")], without_headers("EVENT".__eq__), renamed=renamed
    ),
    "seconds of the end": losing(
        [replace(one, headers=(("End seconds", said),)) for one in (LINE, *ended("resign"))
         for said in ("12", "12.5", "0", "4000", "long")],
        without_headers("End seconds".__eq__),
    ),
    "word for an end without result": losing(
        [replace(LINE, headers=(("End", said),))
         for said in ("最大手数", "不詰", "接続切れ", "MATTA", "two words", "投了")],
        without_headers("End".__eq__),
    ),
    "ends by rule: mate, repetition, perpetual check": Part([
        played("G*5b", start="4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"),
        played(*HOME * 3, start="4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1"),
        played(*CHASE, start=CHECKS),
    ]),
    "resignation": end("resign"),
    "time": end("time"),
    "foul": end("illegal"),
    "draw by agreement": end("agreement", winners=(None,)),
    "declaration, won or drawn": end("declaration", winners=("b", "w", None)),
    "forfeit": end("forfeit"),
    "adjudication, won or drawn": end("adjudication", winners=("b", "w", None)),
    "crash": end("crash"),
    "cap of moves, won or drawn": end("cap", winners=("b", "w", None)),
    "end of unknown reason": end("unknown", winners=("b", "w", None)),
}  # fmt: skip


def change_of(part: str, form: Format) -> Change:
    """What a format does to a part."""
    word = TABLE[part][form]
    return same if word == "kept" else PARTS[part].changes[word]


def after(form: Format, made: Record) -> Record:
    """What the table says that a record is when it has been written in a format and read again."""
    for part in PARTS:
        if TABLE[part][form] not in ("refused", "by option"):
            made = change_of(part, form)(made)
    return made


def like(made: Record) -> Record:
    """The record with its headers sorted: their order is no part of it."""
    return replace(made, headers=tuple(sorted(made.headers)))


def again(form: Format, *made: Record) -> list[Record]:
    """The records, written and read."""
    return [like(one) for one in record.read(record.write(made, form), form=form)]
