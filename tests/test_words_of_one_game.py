"""The code knows no game by name: only ``variants/`` holds the words of one game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import komadai
from helpers.support import ROOT

PACKAGE, NATIVE = ROOT / "src" / "komadai", ROOT / "native"

# Names of pieces and what belongs to them, each of one of our games. The field's own words (king, rook, lance, knight,
# gold, hand, …) are free, and so are words of plain English (light, shield, net, guard, flame).
WORDS_OF_ONE_GAME = frozenset(
    word
    for line in (
        "commander commanders gyoku kimi hekireki thunderclap banner banners drum drums clerk clerks priests",
        "fog governor wrestler waver millenary quartermaster centuria commissar sentry vanguard brigade cannon",
        "cannons longbow crossbow elephant cavalry cavalryman patrol fortress chariot troop frankish tycoon monk",
        "shogun pard onager hasty soldier soldiers unicorn phoenix donkey boar tokin nifu uchifuzume",
    )
    for word in line.split()
)
GAMES = frozenset(komadai.variants(shelf=False))
STANDARD = "shogi"


def may_name_the_standard_game(path: Path, line: str) -> bool:
    """Protocols and formats of the field are about standard shogi, and a command may begin with it."""
    folder = path.relative_to(PACKAGE).parent.as_posix() if path.is_relative_to(PACKAGE) else ""
    return folder.startswith(("protocol", "record")) or (folder == "app/cli" and "=" in line)


def words_of(text: str) -> list[str]:
    """The words of an identifier or a text, in lower case: ``fooBar_baz`` has three."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", re.sub("(?i)ki2", "", text))]


Token = tuple[int, bool, str]
"""The line, whether it is an identifier (or else a string literal), and the text."""


def python_tokens(source: str) -> Iterator[Token]:
    """Identifiers and string literals; docstrings apart."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):  # what holds a statement comes before it
        body = getattr(node, "body", None)
        if isinstance(body, list):
            docstrings.update(id(statement.value) for statement in body if isinstance(statement, ast.Expr))
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield line, False, text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield line, True, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield line, True, name
            case ast.keyword(arg=str(name)):
                yield line, True, name
            case ast.alias(name=name, asname=other):
                yield line, True, f"{name} {other or ''}"


# Comments are skipped; a string stays on its line, but for template literals.
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?P<name>[A-Za-z_$][\w$]*)""",
    re.DOTALL,
)


def tokens_with_slashed_comments(source: str) -> Iterator[Token]:
    """Identifiers and string literals of JavaScript, TypeScript and C++."""
    line, at = 1, 0
    for found in _TOKEN.finditer(source):
        line, at = line + source.count("\n", at, found.start()), found.start()
        if found["name"] is not None:
            yield line, True, found["name"]
        elif found["text"] is not None:
            yield line, False, found["text"][1:-1]


def words_of_one_game(path: Path, source: str) -> list[str]:
    """Every identifier and string literal that names a game or has a word of one game."""
    lines = source.splitlines()
    found = []
    for line, is_name, text in (python_tokens if path.suffix == ".py" else tokens_with_slashed_comments)(source):
        words = words_of(text)
        games = {word for word in words if word in GAMES} if is_name else {text} & GAMES
        games.discard("hand")  # the field's word for captured pieces
        if STANDARD in games and may_name_the_standard_game(path, lines[line - 1]):
            games.discard(STANDARD)
        named = {*games, *(WORDS_OF_ONE_GAME & set(words))}
        found += [f"{path.name}:{line}: {text[:60]!r} has {word!r}" for word in sorted(named)]
    return found


def sources() -> list[Path]:
    """The sources outside ``variants/``, and outside data files."""
    suffixes = (".py", ".pyi", ".js", ".ts", ".hpp", ".cpp")
    files = [path for folder in (PACKAGE, NATIVE) for path in folder.rglob("*") if path.suffix in suffixes]
    return [path for path in files if "variants" not in path.relative_to(ROOT).parts]


def test_no_source_outside_the_variants_names_a_game_or_a_piece_of_one_game() -> None:
    found = [words for path in sources() for words in words_of_one_game(path, path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(["words of one game; say it in the field's words or in the variant's file:", *found])


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("game/x.py", "if variant.id == 'ko': pass", ["'ko'"]),
        ("game/x.py", "commanders = 1", ["'commanders'"]),
        ("game/x.py", "def hasThunderclap(): pass", ["'thunderclap'"]),
        ("game/x.py", "f(drum=1)", ["'drum'"]),
        ("game/x.py", "GAME = 'shogi'", ["'shogi'"]),
        ("record/x.py", "GAME = 'shogi'", []),
        ("app/cli/x.py", "game: str = 'shogi'", []),
        ("game/x.py", '"""Kō\'s drum."""\nhand = "hand"  # ko', []),
        ("web/x.js", "// ko\nconst x = variant === 'ki';", ["'ki'"]),
        ("web/x.js", "/* drum */ x.drumCount", ["'drum'"]),
        ("x.hpp", 'End COMMANDER_LOSS; const char* x = "the banner";', ["'commander'", "'banner'"]),
    ],
)
def test_words_of_one_game_are_found(name: str, source: str, words: list[str]) -> None:
    found = words_of_one_game(PACKAGE / name, source)
    assert [text.rpartition(" has ")[2] for text in found] == words
