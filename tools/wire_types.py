"""Write the types of the wire format: TypeScript for the browser client and, with ``--schema``, JSON Schema.

Both are generated from the Structs in komadai.app.web.schema, which the server builds and sends. The TypeScript is a
build product, the schema a page of the documentation: ``--check`` compares it, with status 1 if it is not up to date.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from komadai.app.web.schema import events, json_schema, model
from komadai.record import Format
from komadai.spec.board import Side
from komadai.view.tree import StepType

ROOT = Path(__file__).parents[1]
TYPESCRIPT = ROOT / "build/client/types/wire.d.ts"  # tsconfig.json lays build/client over the client's folder js
SCHEMA = ROOT / "docs/reference/wire.schema.json"

HEADER = """\
/** The wire format: what the server and the client send each other, by tools/wire_types.py from app/web/schema. */
"""

ALIASES: dict[str, Any] = {
    "Side": Side,
    "StepType": StepType,
    "Format": Format,
    "Mark": model.Mark,
    "Agreement": model.Agreement,
    "Greeting": model.Greeting,
    "WinDrawLoss": model.WinDrawLoss,
    "Seat": model.Seat,
    "GameEvent": events.GameEvent,
    **json_schema.MESSAGES,
}
"""Types with a name of their own that are no Structs."""


def typescript() -> str:
    """All types as TypeScript declarations."""
    declared = [_alias(name, kind) for name, kind in ALIASES.items()]
    return "\n".join([HEADER, *declared, *map(_interface, json_schema.structs())])


def _alias(name: str, kind: Any) -> str:
    return f"export type {name} = {_type(kind, named=False)};\n"


def _interface(struct: type[msgspec.Struct]) -> str:
    """A Struct; fields that it inherits are left to the interface it extends."""
    extends = next((base for base in struct.__mro__[1:] if base in json_schema.structs()), None)
    fields = [*_fields(struct, () if extends is None else extends.__struct_fields__)]
    head = f"export interface {struct.__name__}{'' if extends is None else f' extends {extends.__name__}'}"
    body = "".join(f"\n  {field};" for field in fields)
    return f"{_comment(struct)}{head} {{{body}{chr(10) if body else ''}}}\n"


def _fields(struct: type[msgspec.Struct], inherited: Sequence[str]) -> Iterator[str]:
    config = struct.__struct_config__
    if config.tag is not None:
        yield f'{config.tag_field}: "{config.tag}"'
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        if field.name not in inherited:
            yield f"{field.encode_name}{'' if field.required else '?'}: {_type(hints[field.name])}"


def _comment(struct: type[msgspec.Struct]) -> str:
    words = inspect.cleandoc(struct.__doc__ or "")
    words = re.sub(r":\w+:`[~.]*([^`]+)`", r"`\1`", words).replace("``", "`")
    return f"/** {words} */\n"


_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}


def _type(kind: Any, *, named: bool = True) -> str:
    """A type as TypeScript; ``named``: by its alias, if it has one."""
    if named and (name := next((name for name, alias in ALIASES.items() if alias == kind), None)):
        return name
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind.__name__
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        written = next((one.extra["typescript"] for one in args[1:] if one.extra), None)
        return written or _type(args[0])
    if origin is Literal:
        return " | ".join(json.dumps(one) for one in args)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(_type(one) for one in args if one is not msgspec.UnsetType))
    if origin is tuple:
        return f"[{', '.join(map(_type, args))}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        record = f"Record<{_type(args[0])}, {_type(args[1])}>"
        return record if args[0] is str else f"Partial<{record}>"
    if isinstance(origin, type) and issubclass(origin, Sequence):
        item = _type(args[0])
        return f"({item})[]" if " | " in item and item[0] not in "[{" else f"{item}[]"
    raise TypeError(f"no TypeScript for {kind}")


def schema() -> str:
    """All types as JSON Schema."""
    return json.dumps(json_schema.document(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    TYPESCRIPT.parent.mkdir(parents=True, exist_ok=True)
    written = typescript()
    if not TYPESCRIPT.exists() or TYPESCRIPT.read_text(encoding="utf-8") != written:
        TYPESCRIPT.write_text(written, encoding="utf-8")
    if "--schema" in sys.argv[1:]:
        SCHEMA.write_text(schema(), encoding="utf-8")
    elif "--check" in sys.argv[1:] and SCHEMA.read_text(encoding="utf-8") != schema():
        print(f"not up to date: {SCHEMA.relative_to(ROOT)}; run python tools/wire_types.py --schema", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
