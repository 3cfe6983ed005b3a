"""Spoil a file by chance: its text, the data in it, the words of it that stand nowhere else, and its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from .seeds import Seed, marker

MARKER = re.compile(r"zq[0-9]{6}x")
_HUGE = 20_000  # one file of so many is made long
_SIGNS = (
    "{}[]()\"'\\:;,./*+-%#$&|!?<>= \t\n\r0129abBkP：；，．／＊＋－％＃＄＆｜！？（）\u3000"
    "０９一二同成打歩玉王▲△変化まで手投了\0\x0b\x0c\x1a\x1c\x85\u2028\u2029\u200b\u202e\ufeff\ufffd\u0301٣²½ⅷ𝟙😀"
)
_NUMBERS = (
    *("0", "00", "-1", "-0", "1.5", "1e9", "1e400", "99999999", "9" * 20, "9" * 400, "9" * 5000),
    *("０", "٣", "²", "NaN", "true"),
)
_ALIKE = str.maketrans("-一ー()+:.,'\"#玉王竜龍Ａ0lоo\xa0\u3000同", "－ーー（）＋：．，’“＃王玉龍竜A０1oо\u3000 仝")
_OPENERS = (
    *("(", "[", "{", '{"a":', '{"forks":[[', '{"moves":[', '[{"forks":[[{"forks":[['),
    *("((", "変化：1手\n", "( 1. P-7f ", "/\n"),
)
_TOKEN = re.compile(r"[^\s,:\[\]{}()\"]+")
_LEAVES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 10**400, 1.5, float("nan"), float("inf"), 1e300),
    *("", "x", "\ud800", [], {}, [[]], {"x": 1}),
)

Change = Callable[[Random, str, Seed], str]


def _slice(chance: Random, text: str) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(start + int(chance.expovariate(0.1)), len(text))


def _sign(chance: Random, text: str, other: Seed) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(_SIGNS) + text[at + chance.randrange(2) :]


def _drop(chance: Random, text: str, other: Seed) -> str:
    start, end = _slice(chance, text)
    return text[:start] + text[end:]


def _double(chance: Random, text: str, other: Seed) -> str:
    start, end = _slice(chance, text)
    return text[:end] + text[start:]


def _repeat(chance: Random, text: str, other: Seed) -> str:
    start, end = _slice(chance, text)
    return text[:start] + text[start:end] * chance.randrange(2, 40) + text[end:]


def _lines(chance: Random, text: str, other: Seed) -> str:
    """Double, drop or swap lines, or take one from another file."""
    lines = text.split("\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines.insert(two, lines[one])
        case 1:
            del lines[one]
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case 3:
            lines.insert(one, chance.choice(other.text.split("\n")))
        case 4:
            lines[one] = chance.choice(other.text.split("\n"))
    return "\n".join(lines)


def _token(chance: Random, text: str, other: Seed) -> str:
    """Put a word of the file, or of another, in the place of a word."""
    words, others = list(_TOKEN.finditer(text)), _TOKEN.findall(chance.choice([text, other.text]))
    if not words or not others:
        return text
    found = chance.choice(words)
    return text[: found.start()] + chance.choice(others) + text[found.end() :]


def _number(chance: Random, text: str, other: Seed) -> str:
    numbers = [found for found in re.finditer(r"[0-9]+", text) if text[found.start() - 2 : found.start()] != "zq"]
    if not numbers:
        return text
    found = chance.choice(numbers)
    return text[: found.start()] + chance.choice([*_NUMBERS, str(chance.randrange(200))]) + text[found.end() :]


def _cut(chance: Random, text: str, other: Seed) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _nest(chance: Random, text: str, other: Seed) -> str:
    at = chance.randrange(len(text) + 1)
    often = chance.choice([3, 30, chance.randrange(300, 1100)])
    return text[:at] + chance.choice(_OPENERS) * often + text[at:]


def _alike(chance: Random, text: str, other: Seed) -> str:
    start, end = _slice(chance, text)
    return text[:start] + text[start:end].translate(_ALIKE) + text[end:]


def _ends(chance: Random, text: str, other: Seed) -> str:
    return text.replace("\n", chance.choice(["\r\n", "\r", "\n\n", "\x0b", "\x85", "\u2028"]))


def _append(chance: Random, text: str, other: Seed) -> str:
    return text + chance.choice(["", "\n", "/\n"]) + other.text


def _plant(chance: Random, text: str, other: Seed) -> str:
    """Put a word that stands nowhere else anywhere."""
    at = chance.randrange(len(text) + 1)
    found = _TOKEN.search(text, at)
    at = found.end() if found and chance.random() < 0.5 else at
    word = marker(chance)
    return (
        text[:at] + chance.choice([word, f" {word}", f" {word} ", f"\n{word}\n", f'"{word}"', f"*{word}\n"]) + text[at:]
    )


def _data(chance: Random, text: str, other: Seed) -> str:
    """Change, take away or add a part of JSON data; or say a field twice."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return _token(chance, text, other)
    at, above = data, list[tuple[Any, Any]]()
    while isinstance(at, dict | list) and at and chance.random() < 0.85:
        key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
        above.append((at, key))
        at = at[key]
    if not above:
        return text
    holder, key = above[-1]
    match chance.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(["x", "comments", "after", "move", "forks", "special", "time", marker(chance)])] = (
                chance.choice(_LEAVES)
            )
        case 2 if isinstance(holder, list):
            holder.insert(chance.randrange(len(holder) + 1), chance.choice(holder))
        case 3 if isinstance(holder, dict):
            twice = f"{json.dumps(key)}: {json.dumps(marker(chance))}"
            return text.replace(f"{json.dumps(key, ensure_ascii=False)}:", f"{twice}, {json.dumps(key)}:", 1)
        case _:
            holder[key] = marker(chance) if chance.random() < 0.3 else chance.choice(_LEAVES)
    try:
        return json.dumps(data, ensure_ascii=chance.random() < 0.5)
    except ValueError:  # a number of more digits than Python writes
        return text


_CHANGES: dict[Change, int] = {
    _sign: 6, _drop: 3, _double: 3, _repeat: 2, _lines: 8, _token: 6, _number: 6, _cut: 1, _nest: 1, _alike: 3,
    _ends: 1, _append: 2, _plant: 8,
}  # fmt: skip


def mutated(chance: Random, files: Sequence[Seed]) -> tuple[Seed, bytes]:
    """A file spoilt by chance: which it was, and what has become of it."""
    seed = chance.choice(files)
    text, changes = seed.text, dict(_CHANGES)
    if seed.form in ("json", "jkf"):
        changes[_data] = 40
    for change in chance.choices(list(changes), list(changes.values()), k=chance.choice([0, 1, 1, 1, 2, 2, 3, 5])):
        other = chance.choice(files)
        while other.form != seed.form and chance.random() < 0.7:
            other = chance.choice(files)
        text = change(chance, text, other)[:200_000]
    if chance.randrange(_HUGE) == 0:
        start, end = _slice(chance, text)
        text = (text[:start] + text[start : end + 1] * (10**7 // (end + 1 - start)) + text[end:])[
            : chance.choice([10**6, 3 * 10**6])
        ]
        return seed, text.encode("utf-8", "replace")
    first = chance.randrange(10**6)
    text = MARKER.sub(lambda found: f"zq{(first + found.start()) % 10**6:06}x", text)
    data = text.encode(chance.choice(["utf-8"] * 12 + ["utf-8-sig", "cp932", "euc_jp", "utf-16"]), "replace")
    for _time in range(chance.choice([0, 0, 0, 0, 0, 0, 1, 3])):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + bytes([chance.randrange(256)]) * chance.randrange(3) + data[at + chance.randrange(2) :]
    return seed, data
