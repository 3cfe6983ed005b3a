"""Malformed input: noise, and real messages with a fault in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Fields = dict[str, Any]

EXTREME: tuple[Any, ...] = (
    *(None, True, False, "", " ", "\0", "\u202e", "🀄", "ß" * 40, "x" * 65, "x" * 3000, "\n", "'; DROP TABLE game"),
    *(0, 1, -1, 7, 64, 999, 1_000_000, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**40, 1.5, -0.0, 1e308, 1e-308),
    *(float("nan"), float("inf"), float("-inf"), [], {}, [[]], {"": {}}, [None], "<script>alert(1)</script>"),
    *("../../etc/passwd", "%00", "${jndi:x}", "__proto__", "9z", "K*", "*", "+", "=", "7g7f+7g7f", "０", "²", "1e5"),
)
"""Values that are wrong almost everywhere; JSON has no words for some of them."""

SURROGATE = r"\ud800"  # half of a pair, as JSON can say it and UTF-8 cannot


def noise(chance: Random) -> str | bytes:
    """Bytes, text, or JSON of any kind."""
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.choice((0, 1, 3, 50, 5000)))
    if kind == 1:
        return "".join(chr(chance.choice((chance.randrange(128), chance.randrange(0xD7FF)))) for _ in range(30))
    return json.dumps(_value(chance, depth=4))


def _value(chance: Random, depth: int) -> Any:
    kind = chance.randrange(3) if depth else 0
    if kind == 1:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    if kind == 2:
        names = ("t", "id", "game", "ply", "text", "token", "seq", "variant", "moves", "x")
        return {chance.choice(names): _value(chance, depth - 1) for _ in range(chance.randrange(5))}
    return chance.choice(EXTREME)


def mutated(message: Fields, others: Sequence[Fields], chance: Random) -> str | bytes:
    """A message with one to three things wrong in it; ``others`` are real messages to take values from."""
    fields = dict(message)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        chance.choice(_CHANGES)(fields, others, chance)
    text = json.dumps(fields, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.25:
        return chance.choice(_SPOILERS)(text, chance)
    return text.encode(errors="surrogatepass") if chance.random() < 0.1 else text


def spoiled(data: bytes, chance: Random) -> bytes:
    """A file with a few bytes or lines changed, lost, doubled or moved."""
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0:
            del lines[at]
            lines = lines or [b""]
        elif kind == 1:
            lines.insert(at, chance.choice(lines))
        elif kind == 2:
            lines[at] = chance.choice(_WRONG) + lines[at]
        elif kind == 3:
            chance.shuffle(lines)
        else:
            line = bytearray(lines[at])
            for _ in range(chance.randint(1, 3)):
                if line:
                    place = chance.randrange(len(line))
                    line[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
            lines[at] = bytes(line)
    return b"\n".join(lines)


_WRONG = (b"\xff\xfe", b"\0", b"9" * 300, b"{" * 100, b"[" * 5000, "変化：1手".encode(), b'"moves": [', b"*", b"-1 ")

# --- One thing wrong ------------------------------------------------------------------------------------------------


def _drop(fields: Fields, _others: Sequence[Fields], chance: Random) -> None:
    if fields:
        del fields[chance.choice(list(fields))]


def _replace(fields: Fields, _others: Sequence[Fields], chance: Random) -> None:
    fields[chance.choice([*fields, "t"])] = chance.choice(EXTREME)


def _borrow(fields: Fields, others: Sequence[Fields], chance: Random) -> None:
    """A value that is right in another message: of another game, another seat, or the past."""
    other = chance.choice(others)
    name = chance.choice(list(other))
    fields[name] = other[name]


def _retype(fields: Fields, _others: Sequence[Fields], chance: Random) -> None:
    name = chance.choice([*fields, "t"])
    value = fields.get(name)
    fields[name] = chance.choice((str(value), [value], {"value": value}, None, 1, 0.5, True))


def _add(fields: Fields, _others: Sequence[Fields], chance: Random) -> None:
    fields[chance.choice(("admin", "", "T", "seat", "time", "known", "lines", "seconds"))] = chance.choice(EXTREME)


def _nudge(fields: Fields, _others: Sequence[Fields], chance: Random) -> None:
    """A number a little off, or a text with a letter more, less or another."""
    name = chance.choice([*fields, "t"])
    value = fields.get(name)
    if isinstance(value, int):
        fields[name] = value + chance.choice((-2, -1, 1, 2, 1000))
    elif isinstance(value, str) and value:
        at = chance.randrange(len(value))
        fields[name] = value[:at] + chance.choice(("", "a", "9", "*", "+", "=", "!", "\n", "é")) + value[at + 1 :]
    elif isinstance(value, list) and value:
        at = chance.randrange(len(value))
        fields[name] = [*value[:at], chance.choice([*value, "K*9z", "", 5]), *value[at + chance.randrange(2) :]]


_CHANGES: tuple[Callable[[Fields, Sequence[Fields], Random], None], ...] = (
    _drop, _replace, _borrow, _borrow, _retype, _add, _nudge, _nudge
)  # fmt: skip

# --- What is wrong with the text itself ------------------------------------------------------------------------------


def _cut(text: str, chance: Random) -> str:
    return text[: chance.randrange(len(text))]


def _surrogate(text: str, chance: Random) -> str:
    at = text.rfind('"', 0, chance.randrange(1, len(text) + 1)) + 1
    return text[:at] + SURROGATE + text[at:]


def _deep(text: str, chance: Random) -> str:
    depth = chance.choice((3, 100, 1900))
    return text[:-1] + ', "x": ' + chance.choice(("[", '{"a":')) * depth


def _doubled(text: str, _chance: Random) -> str:
    return text[:-1] + ", " + text[1:]


def _long(text: str, chance: Random) -> str:
    return text + " " * chance.choice((4096, 20_000, 60_000, 70_000))


def _bytes(text: str, chance: Random) -> bytes:
    data = bytearray(text.encode(errors="surrogatepass"))
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


_SPOILERS: tuple[Callable[[str, Random], str | bytes], ...] = (_cut, _surrogate, _deep, _doubled, _long, _bytes)
