"""Records as plain data that JSON can hold, schema ``komadai-record/2`` (docs/reference/records.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _, located
from ..typed import typed
from ..workshop.identity import embedded, identified
from .data import kind_words, load, no_text, unknown_fields, value_words
from .reader import MOST_DEFECTS, Builder, games_of, move_words, refuse
from .tree import MOST_HEADERS, MOST_NODES, Node, Record, Result, Score, require_result, require_version

SCHEMA = "komadai-record/2"
MATCH_SCHEMA = "komadai-match/1"

_REQUIRED = ("schema", "variant", "version", "options", "start", "moves", "result")
_FIELDS = (*_REQUIRED, "rules", "file", "headers", "comment")
_MOVE_FIELDS = ("move", "after", "comment", "mark", "seconds", "score")
_SCHEMA = re.compile(r"komadai-record/([0-9]{1,6})")


# --- Writing --------------------------------------------------------------------------------------------------------


@typed
def to_data(record: Record) -> dict[str, Any]:
    """The record as data: dictionaries, lists, strings and numbers."""
    result = record.result
    comment, file = record.nodes[0].comment, embedded(record.variant)
    return {
        "schema": SCHEMA,
        "variant": record.variant.id,
        "version": record.variant.version,
        "options": dict(record.variant.options),
        "rules": record.variant.rules_hash,
        **({"file": file} if file else {}),
        **({"headers": dict(record.headers)} if record.headers else {}),
        "start": record.position(0).sfen(ply=True),
        **({"comment": comment} if comment else {}),
        "moves": [_move(number, node) for number, node in enumerate(record.nodes[1:], 1)],
        "result": None if result is None else {"winner": result.winner, "reason": result.reason},
    }


def _move(number: int, node: Node) -> str | dict[str, Any]:
    """An entry of the list of moves; a move without annotations that follows the entry before is a string."""
    said: dict[str, Any] = {} if node.after == number - 1 else {"after": node.after}
    said |= {name: value for name in ("comment", "mark") if (value := getattr(node, name))}
    if node.seconds is not None:
        said["seconds"] = node.seconds
    if node.score is not None:
        said["score"] = {name: value for name, value in node.score._asdict().items() if value is not None}
    return {"move": node.move, **said} if said else node.move


def write(records: Sequence[Record]) -> str:
    """Write records as JSON: one as an object, several as a list, with one move per line."""
    data = [to_data(record) for record in records]
    if len(data) == 1:
        return _text(data[0])
    return "[\n" + ",\n".join(_text(one).rstrip() for one in data) + "\n]\n"


def _text(data: dict[str, Any]) -> str:
    dump = partial(json.dumps, ensure_ascii=False)
    fields = {name: dump(value) for name, value in data.items() if name != "moves"}
    fields["moves"] = "[" + ",".join(f"\n  {dump(move)}" for move in data["moves"]) + "\n ]" if data["moves"] else "[]"
    return "{\n" + ",\n".join(f' "{name}": {fields[name]}' for name in data) + "\n}\n"


# --- Reading --------------------------------------------------------------------------------------------------------


def read(text: str) -> list[Record]:
    """Read the records of a JSON text: one record, a list of them, or those of a match (``komadai-match/1``).

    Raises:
        NotationError: it is no JSON, or no such records; every defect at once, with its place.
    """
    data = load(text)
    if isinstance(data, dict) and data.get("schema") == MATCH_SCHEMA:
        data = data.get("games")
    if not isinstance(data, list):
        return [from_data(data)]
    return games_of(_("records"), partial(_each, data), _("there are none in the list"))


def _each(data: list[Any], defects: list[str]) -> Iterator[Record]:
    """The records of a list; those that are none are defects."""
    for number, one in enumerate(data, 1):
        try:
            yield from_data(one)
        except KomadaiError as error:
            refuse(defects, _("{number} of {count}", number=number, count=len(data)), str(error))
            if len(defects) > MOST_DEFECTS:
                return


def from_data(data: object) -> Record:
    """Read a record from data such as :func:`to_data` returns.

    Raises:
        NotationError: something is missing, unknown or not as it should be, the record is of a newer schema or of other
            rules, or a move is not legal; every defect at once, with its place.
    """
    if not isinstance(data, dict):
        words = _("is {kind}; expected an object with {fields}", kind=kind_words(data), fields=", ".join(_REQUIRED))
        raise NotationError(_("record"), [words])
    defects = list(_schema(data.get("schema", SCHEMA)))
    if defects:
        raise NotationError(_("record"), defects)
    defects = [_("lacks {name}", name=name) for name in _REQUIRED if name not in data and name != "schema"]
    defects += unknown_fields(data, _FIELDS)
    if not isinstance(data.get("moves", []), list):
        defects.append(_("moves are {kind}; expected a list", kind=kind_words(data["moves"])))
    elif len(data.get("moves", [])) > MOST_NODES:
        defects.append(_("has {count} moves; expected {most} at most", count=len(data["moves"]), most=MOST_NODES))
    if defects:
        raise NotationError(_("record"), defects)
    builder = _begun(data, defects)
    headers = _texts(data.get("headers", {}), "headers", defects)
    result = _result(data["result"], defects)
    if builder is None:
        raise NotationError(_("record"), defects)
    if isinstance(comment := data.get("comment", ""), str):
        builder.say(0, "comment", comment=comment)
    else:
        defects.append(no_text("comment", comment))
    _read_moves(builder, data["moves"])
    record = builder.finish(headers.items(), result, place=_("result"))
    if record is None:
        raise NotationError(_("record"), defects)
    return record


def _schema(schema: object) -> list[str]:
    """The defects of a record's schema."""
    if schema == SCHEMA:
        return []
    known = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if known and int(known[1]) > int(SCHEMA.rpartition("/")[2]):
        newer = _(
            "has schema {schema}, which is newer than this program; it reads {known}", schema=schema, known=SCHEMA
        )
        return [newer]
    return [_("has schema {schema}; expected {known}", schema=repr(str(schema)[:40]), known=repr(SCHEMA))]


def _texts(data: object, place: str, defects: list[str]) -> dict[str, str]:
    """The texts of an object; other values are defects."""
    if not isinstance(data, dict):
        defects.append(located(place, _("is {kind}; expected an object", kind=kind_words(data))))
        return {}
    if len(data) > MOST_HEADERS:
        defects.append(
            located(place, _("has {count} fields; expected {most} at most", count=len(data), most=MOST_HEADERS))
        )
        return {}
    defects += [
        located(place, no_text(repr(str(name)[:40]), value))
        for name, value in data.items()
        if not isinstance(value, str)
    ]
    return {str(name): value for name, value in data.items() if isinstance(value, str)}


def _begun(data: dict[str, Any], defects: list[str]) -> Builder | None:
    """A builder at the start position of the data."""
    options = _texts(data["options"], "options", defects)
    start = data["start"]
    if not (start is None or isinstance(start, str)):
        defects.append(_("start is {kind}; expected a position string or null", kind=kind_words(start)))
        start = None
    try:
        rules, file = (_text_field(data, name, defects) for name in ("rules", "file"))
        variant = identified(str(data["variant"])[:40], options, rules, file)
        require_version(variant, data["version"])
        return Builder(variant, start, defects)
    except KomadaiError as error:
        defects.append(str(error))
        return None


def _text_field(data: dict[str, Any], name: str, defects: list[str]) -> str | None:
    """The text of a field that may be absent; another value is a defect."""
    value = data.get(name)
    if value is None or isinstance(value, str):
        return value
    defects.append(no_text(name, value))
    return None


def _result(data: object, defects: list[str]) -> Result | None:
    if data is None:
        return None
    if not isinstance(data, dict):
        defects.append(_("result is {kind}; expected an object with winner and reason, or null", kind=kind_words(data)))
        return None
    own = unknown_fields(data, Result._fields)
    if "winner" not in data:
        own.append(_("lacks winner; expected b, w, or null for a draw"))
    winner, reason = data.get("winner"), data.get("reason")
    try:
        require_result(winner, reason)
    except NotationError as error:
        own += error.defects
    defects += [located(_("result"), defect) for defect in own]
    return None if own else Result(winner, str(reason))


def _read_moves(builder: Builder, moves: list[Any]) -> None:
    """Add the moves to the record. Messages give an entry the number by which ``after`` refers to it."""
    numbers: list[int | None] = [0]  # what entries have become; None is what cannot be reached
    afters = [-1]
    for number, entry in enumerate(moves, 1):
        place = move_words(number)
        said = {"move": entry} if isinstance(entry, str) else entry
        said, after = _checked(builder, said, place, number - 1)
        follows = after is not None and _on_line(afters, number - 1, after)
        if after is not None and not follows:
            builder.refuse(place, _("follows {after}, which is not on the line to the move before it", after=after))
        afters.append(after if after is not None and follows else number - 1)
        parent = numbers[after] if after is not None and follows else None
        if parent is None or said is None:
            numbers.append(None)
            continue
        text, before = said.pop("move"), len(builder.nodes)
        node = builder.add(parent, partial(Position.parse_move, text=text), place)
        if node is not None and len(builder.nodes) == before:
            builder.refuse(place, _("{move} occurs twice after move {number}", move=text, number=after))
        elif node is not None:
            builder.say(node, place, **said)
        numbers.append(node)


def _on_line(afters: list[int], at: int, wanted: int) -> bool:
    """True if an entry is on the line from the start to another, as reading order requires."""
    while at > wanted:
        at = afters[at]
    return at == wanted


def _checked(builder: Builder, entry: object, place: str, before: int) -> tuple[dict[str, Any] | None, int | None]:
    """The fields of an entry, and the number of the entry it follows; ``None`` for either where it is invalid."""
    if not isinstance(entry, dict):
        builder.refuse(place, _("is {kind}; expected a move string or an object", kind=kind_words(entry)))
        return None, before
    defects = unknown_fields(entry, _MOVE_FIELDS)
    defects += [
        no_text(name, entry[name]) for name in ("move", "comment", "mark") if not isinstance(entry.get(name, ""), str)
    ]
    if "move" not in entry:
        defects.append(_("lacks {name}", name="move"))
    after = entry.get("after", before)
    if isinstance(after, bool) or not isinstance(after, int) or not 0 <= after <= before:
        shown = value_words(after, 20)
        defects.append(_("after is {text}; expected the number of a move before it, 0 for the start", text=shown))
        after = None
    said = {name: value for name, value in entry.items() if name in _MOVE_FIELDS and name != "after"}
    seconds = entry.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | None):
        defects.append(_("seconds is {kind}; expected a number", kind=kind_words(seconds)))
    if entry.get("score") is not None:
        said["score"] = _score(entry["score"], defects)
    for defect in defects:
        builder.refuse(place, defect)
    return (None if defects else said), after


def _score(data: object, defects: list[str]) -> Score | None:
    if not isinstance(data, dict):
        defects.append(_("score is {kind}; expected an object with value or mate", kind=kind_words(data)))
        return None
    defects += [located(_("score"), defect) for defect in unknown_fields(data, Score._fields)]
    score = Score(data.get("value"), data.get("mate"), data.get("depth"))
    defects += score.defects()
    return score
