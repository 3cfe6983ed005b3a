"""Files of records to be spoilt: games by chance, written in every format that can hold them, and odd files."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from komadai import KomadaiError, Record, record
from komadai.record import MARKS, Format, Result, Score

from .odd import ODD

GAMES = (*["shogi"] * 12, "nana", "nana", "ki", "hand", "mortal", "ko")
STARTS = (  # a problem with one king, handicaps, the end of a game, a hand full of pieces
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b RB2G2S2N2LPrb2g2s2n2l16p 7",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
)
ENDS = ("resign", "time", "illegal", "agreement", "forfeit", "adjudication", "declaration", "unknown", "cap", "crash")
HEADERS = (
    "Black", "White", "Event", "Site", "Date", "備考", "End", "End seconds", "a.b_c-1", "表題", "まで3手", "同窓会",
)  # fmt: skip


class Seed(NamedTuple):
    """A file: its format and its text."""

    form: Format
    text: str


def marker(chance: Random) -> str:
    """A word that stands nowhere else."""
    return f"zq{chance.randrange(10**6):06}x"


def said_by(chance: Random) -> str:
    """A comment, with a word that stands nowhere else."""
    word = marker(chance)
    forms = (
        "{}",
        "{} と指す。",
        "a\n\n{}",
        "* {}",
        "評価値 35 {}",
        "#{}",
        "&{}",
        "'{}",
        "{}\nまで3手",
        "} {} (",
        "0.12s {}",
    )
    return chance.choice(forms).replace("{}", word)


def game_of(chance: Random, name: str, longest: int = 8) -> Record:
    """A game by chance: mostly a line, with variations, comments, marks, times, scores and an end."""
    start = chance.choice(STARTS) if name == "shogi" and chance.random() < 0.5 else None
    made, at = Record.begin(name, start), 0
    for _step in range(chance.randrange(longest + 1)):
        if chance.random() < 0.2:
            at = chance.randrange(len(made.nodes))
        position = made.position(at)
        if position.outcome() is None:
            said: dict[str, object] = {}
            if chance.random() < 0.3:
                said["comment"] = said_by(chance)
            if chance.random() < 0.2:
                said["mark"] = chance.choice(MARKS)
            if chance.random() < 0.4:
                said["seconds"] = chance.choice([0, 1, 59.5, 61, 3600, chance.randrange(10**5)])
            if chance.random() < 0.3:
                value, mate = chance.randrange(-3000, 3000), chance.choice([-5, 0, 3])
                depth = chance.choice([None, 0, 12])
                said["score"] = chance.choice([Score(value, None, depth), Score(None, mate, depth)])
            move = chance.choice(sorted(map(str, position.legal_moves())))
            made, at = made.add(at, move, **said)
    if chance.random() < 0.4:
        made = made.annotate(0, comment=said_by(chance))
    names = chance.sample(HEADERS, chance.randrange(4))
    headers = tuple((name, chance.choice(["", "最大手数 ", "12 "]) + marker(chance)) for name in names)
    result = made.result
    if result is None and chance.random() < 0.7:
        result = Result(chance.choice(["b", "w", None]), chance.choice(ENDS))
    return Record(made.variant, made.start, made.nodes, headers, result)


def files(chance: Random, games: int) -> list[Seed]:
    """Every odd file, and so many games in all formats, some of them two in a file."""
    found = [Seed(form, text) for form, texts in ODD.items() for text in texts]
    before: Record | None = None
    for _game in range(games):
        made = game_of(chance, chance.choice(GAMES))
        for form in record.FORMATS:
            together = [before, made] if before and chance.random() < 0.2 else [made]
            try:
                text = record.write(together, form)
            except KomadaiError:
                continue
            if form == "usi":  # lines of USI do not say of which game they are
                lines = zip(together, text.splitlines(), strict=True)
                text = "".join(
                    f"{'' if one.variant.id == 'shogi' else one.variant.id + ' '}{line}\n" for one, line in lines
                )
            found.append(Seed(form, text))
        before = made
    return found
