"""Wrong variant files: each defect is named with its line and what would be right, in bounded time and memory.

The files in ``wrong/`` end with what is expected of them, a defect a line behind ``#!``, where braces name a list.
"""

from __future__ import annotations

import random
import re
import tracemalloc
from pathlib import Path

import pytest

from helpers.hostile_files import hostile
from helpers.volume import FULL
from komadai.i18n import speaking
from komadai.spec.conditions import CONDITIONS, askable
from komadai.workshop import check, game_text
from komadai.workshop.checking import Defect
from komadai.workshop.limits import MOST_DEFECTS
from komadai.workshop.starting import start_text

QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")  # what somebody has written
TRACED = ("as many kinds as the size allows", "only brackets", "a key of parts")  # it takes five times as long
ENGLISH = re.compile("[a-z]{2,};? [a-z]{2,}")  # two words in a row that are no list
LISTS = {
    "{conditions}": ", ".join(sorted({"AllOf", "AnyOf", "Not", *(one.__name__ for one in CONDITIONS)})),
    "{conditions of moves}": " or ".join(", ".join(one.__name__ for one in askable("move")).rsplit(", ", 1)),
}
FILES = sorted((Path(__file__).parent / "wrong").glob("*.toml"))


def test_there_are_enough() -> None:
    assert len(FILES) >= 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_defect_is_named_and_in_japanese_at_the_same_place(path: Path) -> None:
    text, sign, expected = path.read_text(encoding="utf-8").partition("#! ")
    for name, words in LISTS.items():
        expected = expected.replace(name, words)
    english = check(text)
    with speaking("ja"):
        japanese = check(text)
    assert [f"#! {defect}" for defect in english] == f"{sign}{expected}".splitlines()
    assert expected
    for one, other in zip(english, japanese, strict=True):
        assert (one.line, one.column, one.place) == (other.line, other.column, other.place)
        assert not ENGLISH.search(QUOTED.sub("", other.what)), other.what


@pytest.mark.parametrize("name", hostile())
def test_what_is_too_large_is_refused_within_bounds(name: str) -> None:
    text, peak = hostile()[name], 0
    if traced := FULL or name in TRACED:
        tracemalloc.start()
    defects = check(text)
    if traced:
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert 1 <= len(defects) <= MOST_DEFECTS
    assert all(len(str(defect)) < 500 for defect in defects)
    assert peak < 200_000_000


def test_all_defects_of_syntax_are_found_up_to_a_heading() -> None:
    text = start_text("my-shogi").replace('version = "1"', "version = one").replace("zone = {", "zone = [")
    places = [(defect.line, defect.place) for defect in check(text)]
    lines = text.split("\n")
    assert places == [(lines.index("version = one") + 1, ""), (lines.index("zone = [ FarRanks = 1 }") + 1, "")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a = yes", "no value begins here"),
        ("a = “x”", "no value begins here"),
        ("a = ", "no value begins here"),
        ("<x>", "no line begins so"),
        ("a: 1", "expected = behind the key"),
        ("a = 1\na = 2", "this has been given before"),
        ("a = { b = 1, b = 2 }", "this has been given before"),
        ("[a]\n[a]", "this has been given before"),
        ("a = [1]\n[[a]]", "this has been given before"),
        ("[a", "the heading has no end; expected ] in this line"),
        ("[[a]", "the heading has no end; expected ]] in this line"),
        ("a = 1 2", "this stands behind the value"),
        ("a = [1 2]", "the list has no end here"),
        ("a = { b = 1 c = 2 }", "the table has no end here"),
        ('a = "x', "the text has no end"),
        ('a = "x\nb = 1', "the text has no end"),
        ('a = """x', "the text has no end"),
        (r'a = "\q"', r"\ has a meaning in a text; expected \\ for the sign itself"),
        (r'a = "\u12"', r"\ has a meaning in a text"),
        ('a = "\0"', r"the character '\x00' may not stand here"),
        ("a = 1 # \x01", r"the character '\x01' may not stand here"),
        ("a. = 1", "no key begins so"),
        ("a = { é = 1 }", "no key begins so"),
    ],
)
def test_what_is_no_toml_is_said_in_words_of_both_languages(line: str, words: str) -> None:
    text = f"id = 'x'\n{line}"
    first = check(text)[0]
    assert first.line > 1
    assert first.what.startswith(f"no TOML: {words}")
    with speaking("ja"):
        there = check(text)[0]
    assert (there.line, there.column) == (first.line, first.column)
    assert not ENGLISH.search(QUOTED.sub("", there.what)), there.what


def test_a_defect_is_a_line_of_text() -> None:
    defect = Defect(3, 1, "kinds[0].move", "it has none")
    assert str(defect) == "line 3, column 1: kinds[0].move: it has none"


@pytest.mark.parametrize("game", ["nana", "hand"])
def test_damaged_files_are_judged_without_a_crash(game: str) -> None:
    chance = random.Random(game)
    text = game_text(game)
    lines = text.split("\n")
    for _ in range(60):
        damaged = list(lines)
        for _ in range(chance.randint(1, 3)):
            number = chance.randrange(len(damaged))
            other = chance.choice(lines)
            line = damaged[number]
            at = chance.randrange(len(line) + 1)
            damaged[number] = chance.choice(
                [other, "", line[:at], line[:at] + chance.choice('"[]{}=,.#0P') + line[at:], f"{line}\n{other}"]
            )
        for defect in check("\n".join(damaged)):
            assert 1 <= defect.line <= len("\n".join(damaged).split("\n"))
