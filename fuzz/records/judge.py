"""What must hold for every file: it is refused in words, or read whole.

Whole means that what was read, written and read again, is the same; and that every part of the file is in it. What has
a part is found in the file without the readers: words that stand nowhere else, moves, times and scores.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any, NamedTuple

from komadai import KomadaiError, Record, record
from komadai.record import Format
from komadai.record.tree import clean

from .mutator import MARKER

_LONGEST_WORDS = 20_000  # of a refusal
_BAD = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DIGITS = str.maketrans("０１２３４５６７８９（）：　", "0123456789(): ")
_KANJI = "一二三四五六七八九"


class Verdict(NamedTuple):
    """``read``, ``refused`` or ``wrong``, and what is wrong."""

    outcome: str
    why: str = ""


def judged(data: bytes, form: Format | None) -> Verdict:
    """The verdict on the reading of a file as ``form``, or as the format that is detected."""
    try:
        text = record.decoded(data)
        form = form or record.detect(text)
        records = record.read(data, form=form)
    except KomadaiError as error:
        words = str(error)
        if len(words) > _LONGEST_WORDS or _BAD.search(words):
            return Verdict("wrong", f"a refusal in bad words: {words[:200]!r}")
        return Verdict("refused")
    except Exception as error:
        return Verdict("wrong", f"raised {error!r:.300}")
    lines = [line.removeprefix("\ufeff") for line in re.split(r"\r\n?|\n", text)]
    for why in (_written_again(records, form), _lost_words(records, lines, form), *PARTS[form](records, lines)):
        if why:
            return Verdict("wrong", why)
    return Verdict("read")


# --- Written and read again -----------------------------------------------------------------------------------------


def _written_again(records: list[Record], form: Format) -> str:
    try:
        if form == "usi":
            again = [one for made in records for one in record.read(record.write([made], form), made.variant, form)]
        else:
            again = record.read(record.write(records, form), form=form)
    except KomadaiError as error:
        return f"what was read cannot be written and read again: {str(error)[:300]}"
    if len(again) != len(records):
        return f"{len(records)} records become {len(again)}"
    for old, new in zip(records, again, strict=True):
        for name, mine, theirs in zip(_FIELDS, _fields(old, form), _fields(new, form), strict=True):
            if mine != theirs:
                return f"{name} become others: {_difference(mine, theirs)}"
    return ""


_FIELDS = ("starts", "headers", "results", "moves")


def _fields(made: Record, form: Format) -> tuple[object, ...]:
    """What a record of the format holds."""
    exact = form in ("json", "text")
    result: object = made.result if exact or made.result is None else made.result.winner
    nodes = [(*astuple(replace(node, seconds=None)), _kept_seconds(node.seconds, form)) for node in made.nodes]
    headers = made.headers if exact else sorted(made.headers)
    return (made.variant, made.start), headers, (made.result is None, result), nodes


def _kept_seconds(seconds: float | None, form: Format) -> float | None:
    """A time as the format keeps it."""
    if seconds is None or form == "ki2":
        return None
    return round(seconds) if form in ("kif", "jkf") else seconds


def _difference(mine: Any, theirs: Any) -> str:
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        mine, theirs = next((one, two) for one, two in zip(mine, theirs, strict=True) if one != two)
    return f"{mine!r:.300} {theirs!r:.300}"


# --- Parts of a file ------------------------------------------------------------------------------------------------


def _texts(records: list[Record]) -> str:
    """All texts of the records."""
    said = [node.comment for made in records for node in made.nodes if node.comment]
    return "\n".join([*said, *(text for made in records for header in made.headers for text in header)])


def _passed_over(line: str, form: Format) -> bool:
    """True for lines of which the documentation says that they are not read."""
    if form in ("kif", "ki2"):
        return re.match(r"\s*#(?!(?:評価値|詰み|深さ|読み筋)=|(?:形勢|指し手|推奨手)\[)", line) is not None
    return form == "text" and line.startswith("%")


_NO_VALUE = r"""[^：:"]*(?:"\s*:\s*"(?:\\ud800)?"|\s+""|[：:]\s*$)"""
"""What stands behind the name of a header without a value, which records do not have."""
_NO_TEXT = r"""[^"\[\]]*\s""\s*\]"""
"""The same in text, where it may go over several lines."""


def _lost_words(records: list[Record], lines: list[str], form: Format) -> str:
    """A word that stands nowhere else in the file, and nowhere in the records."""
    kept = [line.partition("#")[0] if form == "usi" else line for line in lines if not _passed_over(line, form)]
    if "komadai-match/1" in "".join(kept):  # of a match the games are read
        return ""
    texts, whole = _texts(records), "\n".join(kept)
    lost = [
        word
        for line in kept
        for word in MARKER.findall(line)
        if word not in texts and not re.search(word + _NO_VALUE, line) and not re.search(word + _NO_TEXT, whole)
    ]
    return f"{lost[0]} is lost" if lost else ""


def _nodes(records: list[Record]) -> int:
    return sum(len(made.nodes) - 1 for made in records)


def _times(records: list[Record]) -> Counter[float]:
    """The times of the moves and of the ends."""
    ends = [float(said) for made in records if re.fullmatch(r"[0-9.]+", said := made.header("End seconds"))]
    return Counter(ends + [node.seconds for made in records for node in made.nodes if node.seconds is not None])


def _of_csa(records: list[Record], lines: list[str]) -> Iterator[str]:
    statements = (line for line in lines if line.lstrip(" \t,")[:1] not in ("'", "N", "$"))
    said = [word.strip() for line in statements for word in re.sub(r",\s*'.*", "", line).split(",")]
    moves = Counter(word for word in said if re.fullmatch(r"[+-][0-9]{4}[A-Z]{2}", word))
    own = record.write([made.annotate(number, comment="") for made in records for number in [0]], "csa")
    kept = Counter(re.findall(r"^[+-][0-9]{4}[A-Z]{2}$", own, re.MULTILINE))
    kept += Counter(re.findall(r"^[+-][0-9]{4}[A-Z]{2}(?=$|,)", _texts(records), re.MULTILINE))
    if moves - kept:
        yield f"moves are lost: {moves - kept}"
    times = Counter(round(float(word[1:]), 3) for word in said if re.fullmatch(r"T[0-9]+\.?[0-9]*", word))
    noted = Counter(round(float(word), 3) for word in re.findall(r",T([0-9]+\.?[0-9]*)", _texts(records)))
    if times - _times(records) - noted:
        yield f"times are lost: {times - _times(records) - noted}"


def _of_usi(records: list[Record], lines: list[str]) -> Iterator[str]:
    words = " ".join(line.partition("#")[0] for line in lines).split()
    count = sum(
        re.fullmatch(r"(?:[1-9][0-9]?[a-z]){2}.*|\+?[A-Z]+\*[1-9][0-9]?[a-z]", word) is not None for word in words
    )
    if count != _nodes(records):
        yield f"of {count} moves {_nodes(records)} were read"


_KIF_MOVE = re.compile(
    r"(同\s*|[1-9][1-9一二三四五六七八九]\s?)(?:成?[王玉飛龍竜角馬金銀全桂圭香杏歩と])[右左直中上寄引行入下]{0,2}"
    r"(?:打|不?成|生)?\s*(?:\(([0-9]{2})\))?"
)


_LIKE_MOVES = re.compile(r"(?:[0-9]+[\s.]+)?[▲△▼▽☗☖]?\s*(?:同|[1-9][1-9一二三四五六七八九])")


def _of_kif(records: list[Record], lines: list[str]) -> Iterator[str]:
    bare = [clean(line).translate(_DIGITS) for line in lines if line[:1] not in ("*", "&", "#")]
    texts = _texts(records).translate(_DIGITS)
    moves = [node.move.rstrip("+") for made in records for node in made.nodes]
    squares = {square for move in moves for square in (move[:2], move[-2:])}
    count = kept = 0
    for line in bare:
        if _LIKE_MOVES.match(line):
            for found in _KIF_MOVE.finditer(line):
                where, origin = found.groups()
                if found.start() == 0 and re.match(r"[0-9]+\s", line):  # its number
                    continue
                count += 1
                if found[0].strip() in texts:
                    kept += 1
                elif not {_square(where), _square(origin)} <= {"", *squares}:
                    yield f"a move is lost: {line[:60]!r}"
        spent = re.match(r"[0-9]+[\s.]+.*\(\s*([0-9]+):([0-9]{1,2})(?=[/)])", line)
        kept_as_words = spent is None or spent[0].partition(" ")[2].strip() in texts
        if spent and not kept_as_words and int(spent[1]) * 60 + int(spent[2]) not in (0, *_times(records)):
            yield f"a time is lost: {line[:60]!r}"
    if count < _nodes(records):
        yield f"{count} moves have become {_nodes(records)}"
    if not any(line.startswith("変化") or re.match(r"[0-9]", line) for line in bare) and count - kept > _nodes(records):
        yield f"of {count} moves {_nodes(records)} were read"


def _square(text: str | None) -> str:
    """``7七`` or ``77`` as ``7g``; empty for ``同`` and for no square."""
    if text is None or text[:1] in ("", "同") or text == "00":
        return ""
    return text[0] + chr(ord("a") + (_KANJI.find(text[1]) if text[1] in _KANJI else int(text[1]) - 1))


_NO_WORDS = re.compile(
    # Headers, comments, and lines that are passed over
    r"""\[\s*[^\s"\[\]][^"\[\]]*\s"(?:[^"\\]|\\.)*"\s*\]|\{((?:[^\\}]|\\.?)*)\}|;([^\n]*)|^%[^\n]*""",
    re.DOTALL | re.MULTILINE,
)


def _of_text(records: list[Record], lines: list[str]) -> Iterator[str]:
    text = "\n".join(lines)
    comments = [first or second for first, second in _NO_WORDS.findall(text)]
    bare = _NO_WORDS.sub(" ", text)
    bare = re.sub(r"(?<!\S)(?:1-0|0-1|1/2-1/2|\*)(?![^\s)])|\$[0-9]+", " ", bare)
    words = re.sub(r"\((?=[\s)(]|[0-9]+\.)|(?<=\s)[()]+(?=\s)", " ", bare).split()
    count = sum(re.search(r"[^\W\d_]", word) is not None for word in words)
    plain = not re.search(r"[()]", bare)
    if plain and count != _nodes(records):
        yield f"of {count} moves {_nodes(records)} were read"
    kept, values = _texts(records), _times(records)
    for said in comments:
        found = re.fullmatch(r"(?:\S* )?([0-9]{1,9}\.[0-9]{2,3})s", said)
        if found and float(found[1]) not in values and clean(found[0]) not in kept:
            yield f"a time is lost: {said!r}"


def _of_json(records: list[Record], lines: list[str]) -> Iterator[str]:
    data = json.loads("\n".join(lines))
    if isinstance(data, dict) and data.get("schema") == "komadai-match/1":
        return
    given = data if isinstance(data, list) else [data]
    for one, made in zip(given, records, strict=True):
        ours, entries = record.to_data(made), one["moves"]
        pairs = zip(map(_entry, entries), map(_entry, ours["moves"]), strict=True)
        for number, (mine, theirs) in enumerate(pairs, 1):
            if mine != theirs:
                yield f"move {number} has become another: {mine} {theirs}"
        if one["variant"] != ours["variant"]:
            yield "variant has become another"
        if one["version"] not in made.variant.versions:
            yield "version has become another"


def _entry(entry: Any) -> dict[str, Any]:
    """An entry of the list of moves, as records keep it."""
    said = {
        name: value
        for name, value in (entry if isinstance(entry, dict) else {"move": entry}).items()
        if value not in (None, "")
    }
    if "comment" in said:
        said["comment"] = re.sub(
            r"\s", "", re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]", "", said["comment"])
        )
    if "score" in said:
        said["score"] = {name: value for name, value in said["score"].items() if value is not None}
    if "seconds" in said:
        said["seconds"] = round(float(said["seconds"]), 3)
    return {name: value for name, value in said.items() if value != "" and name != "after"}


def _of_jkf(records: list[Record], lines: list[str]) -> Iterator[str]:
    data, count, forks = json.loads("\n".join(lines)), 0, False
    waiting, times = [*data["moves"]], list[float]()
    while waiting:
        entry = waiting.pop()
        count += entry.get("move") is not None
        for fork in entry.get("forks") or []:
            forks = True
            waiting += fork
        if now := (entry.get("time") or {}).get("now"):
            times.append(float((now.get("h") or 0) * 3600 + (now.get("m") or 0) * 60 + (now.get("s") or 0)))
    fouls = _texts(records).count('{"')
    if count > _nodes(records) + fouls and not forks:
        yield f"of {count} moves {_nodes(records)} were read"
    if count < _nodes(records):
        yield f"{count} moves have become {_nodes(records)}"
    kept = {round(time, 3) for time in _times(records)}
    if any(round(time, 3) not in kept for time in times if time):
        yield "a time is lost"


PARTS = {
    "csa": _of_csa,
    "jkf": _of_jkf,
    "json": _of_json,
    "ki2": _of_kif,
    "kif": _of_kif,
    "text": _of_text,
    "usi": _of_usi,
}
