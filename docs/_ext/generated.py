"""Reference text made from the program itself: vocabulary, command line, HTTP operations and messages, as Markdown.

It needs no Sphinx, so that the tests can look at what it makes.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

import komadai
from komadai import spec
from komadai.app.web.schema.json_schema import MESSAGES
from komadai.spec.conditions import CONDITIONS

# --- The vocabulary -------------------------------------------------------------------------------------------------


def groups() -> dict[str, list[str]]:
    """The classes and functions of :mod:`komadai.spec` by what they are for, each group in the order of its module."""
    found: dict[str, list[str]] = {
        name: [] for name in ("combining", "conditions", "actions", "rules", "moves", "board", "setup")
    }
    for name in spec.__all__:
        value = getattr(spec, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            found[_group(name, value)].append(name)
    return {group: sorted(names, key=_place) for group, names in found.items()}


def _group(name: str, value: Any) -> str:
    if name in ("Condition", "AllOf", "AnyOf", "Not"):
        return "combining"
    if inspect.isclass(value) and issubclass(value, spec.Condition):
        return "conditions"
    if value in get_args(spec.Action) or name == "Others":
        return "actions"
    module = value.__module__.rpartition(".")[2]
    return {"movement": "moves", "betza": "moves", "board": "board", "setup": "setup"}.get(module, "rules")


def _place(name: str) -> tuple[str, int]:
    value = getattr(spec, name)
    if value in CONDITIONS:
        return "", CONDITIONS.index(value)
    return value.__module__, inspect.getsourcelines(value)[1]


def written(value: Any) -> str:
    """A value of the vocabulary as the author of a variant writes it: without defaults, conditions with operators."""
    if isinstance(value, spec.Not):
        return (
            f"~({written(value.part)})"
            if isinstance(value.part, spec.AllOf | spec.AnyOf)
            else f"~{written(value.part)}"
        )
    if isinstance(value, spec.AnyOf):
        return " | ".join(
            f"({written(one)})" if n and isinstance(one, spec.AnyOf) else written(one)
            for n, one in enumerate(value.parts)
        )
    if isinstance(value, spec.AllOf):
        loose = [
            isinstance(one, spec.AnyOf) or (n > 0 and isinstance(one, spec.AllOf)) for n, one in enumerate(value.parts)
        ]
        return " & ".join(
            f"({written(one)})" if bare else written(one) for one, bare in zip(value.parts, loose, strict=True)
        )
    if dataclasses.is_dataclass(value):
        given, skipped = [], False
        for field in dataclasses.fields(value):
            own = getattr(value, field.name)
            default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
            if own == default:
                skipped = True
            else:
                given.append(f"{field.name}={written(own)}" if skipped else written(own))
        return f"{type(value).__name__}({', '.join(given)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


@cache
def examples() -> dict[str, list[tuple[str, Any, str]]]:
    """By the name of a class: the uses of it in the games of the package, each as text, value and the game's name.

    A condition or an action is shown as the rule that it belongs to.
    """
    found: dict[str, list[tuple[str, Any, str]]] = {}
    for name in komadai.variants(shelf=False):
        variant = komadai.variant(name)
        for used, whole in _parts(variant, None):
            found.setdefault(used, []).append((written(whole), whole, variant.name))
    return found


def _parts(value: Any, rule: Any) -> Iterator[tuple[str, Any]]:
    """The names of the classes that a value is made of, each with what is to be shown of it."""
    if isinstance(value, tuple):
        for one in value:
            yield from _parts(one, rule)
    elif dataclasses.is_dataclass(value):
        rule = value if isinstance(value, spec.Rule) else rule
        inside = _group(type(value).__name__, type(value)) in ("combining", "conditions", "actions")
        yield type(value).__name__, rule if inside and rule else value
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name), rule)


def example(name: str) -> tuple[str, str] | None:
    """The shortest use of a class in the games and which games use it; ``None`` if there is none."""
    uses = examples().get(name)
    if not uses:
        return None
    text, value, _ = min(uses, key=lambda one: (one[0] == f"{name}()", len(one[0]), one[0]))
    if eval(text, dict(vars(spec))) != value:
        raise ValueError(f"{text} does not give the value it was written from")
    games = dict.fromkeys(game for _, _, game in uses)
    return text, "every game" if len(games) == len(komadai.variants(shelf=False)) else ", ".join(games)


def vocabulary(group: str, by_hand: Mapping[str, str]) -> str:
    """The reference of a group; ``by_hand`` are the examples of the names that no game shows.

    Raises:
        ValueError: a name has no example, or an example serves no name.
    """
    names = groups()[group]
    if spare := sorted(set(by_hand) - set(names)):
        raise ValueError(f"examples of {', '.join(spare)}, which are not among {group}")
    parts = []
    for name in names:
        directive = "autoclass" if inspect.isclass(getattr(spec, name)) else "autofunction"
        members = "\n   :members:" if directive == "autoclass" else ""
        parts += [f"### {name}", _fenced("{eval-rst}", f".. {directive}:: komadai.spec.{name}{members}")]
        if name in by_hand:
            parts.append(_fenced("pycon", by_hand[name]))
        elif (found := example(name)) is not None:
            parts += [f"Used by {found[1]}:", _fenced("python", _wrapped(found[0]))]
        else:
            raise ValueError(f"{name} needs an example in the page: no game of the package shows one")
    return "\n\n".join(parts)


def _wrapped(text: str) -> str:
    """A long expression with one argument a line."""
    if len(text) <= 84:
        return text
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call):
        return text
    arguments = [ast.get_source_segment(text, one) or "" for one in call.args]
    arguments += [f"{one.arg}={ast.get_source_segment(text, one.value)}" for one in call.keywords]
    return "\n".join([f"{ast.unparse(call.func)}(", *(f"    {one}," for one in arguments), ")"])


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


# --- Variant files ---------------------------------------------------------------------------------------------------


def variant_file() -> str:
    """The tables of a variant file with their fields: what may stand there, the default, and the meaning."""
    from komadai.workshop import model

    parts = []
    for cls in model.vocabulary():
        fields = model.fields_of(cls)
        needed = [field.name for field in fields if model.required(field)]
        heading = f"### {cls.__name__}"
        parts += [f"(file-{cls.__name__.lower()})=\n{heading}", model.description(cls)]
        if cls in model.tagged():
            short = f'`"{cls.__name__}"`' if not needed else ""
            first = f"`{{ {cls.__name__} = … }}` with its `{fields[0].name}`" if fields and needed == needed[:1] else ""
            if forms := " or ".join(filter(None, (first, short))):
                parts.append(f"In short: {forms}.")
        if fields:
            rows = [_file_row(cls, field) for field in fields]
            parts.append("| field | value | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _file_row(cls: type, field: dataclasses.Field[Any]) -> str:
    from komadai.workshop import model, writing

    default = "required"
    if not model.required(field):
        value = writing.data_of(model.default_of(field))
        default = f"`{json.dumps(value, ensure_ascii=False)}`" if value != model.NONE else "none"
    meaning = model.field_description(cls, field.name)
    kind = _file_type(model.annotations_of(cls)[field.name])
    return f"| `{field.name}` | {_cell(kind)} | {_cell(default)} | {_cell(meaning)} |"


def _file_type(annotation: Any) -> str:
    """The type that a value of a variant file must have, from the annotation of its field, with links to the tables."""
    from komadai.workshop import model

    found = []
    for one in model.alternatives(annotation):
        if one is type(None):
            found.append(f'`"{model.NONE}"`')
        elif inspect.isclass(one) and dataclasses.is_dataclass(one):
            found.append(f"[{one.__name__}](#file-{one.__name__.lower()})")
        elif one in (str, int, bool):
            found.append({str: "text", int: "whole number", bool: "`true` or `false`"}[one])
        elif (items := model.item_types(one)) is not None and str(one).startswith("tuple"):
            found.append(f"list of {', '.join(map(_file_type, items))}")
        elif str(one).startswith("tuple"):
            found.append(f"list of {_file_type(get_args(one)[0])}")
        else:
            found.append(" ".join(f"`{json.dumps(word)}`" for word in get_args(one)))
    if len(found) > 7:
        return "a [condition](#file-conditions)"
    return " or ".join(found)


def file_limits() -> str:
    """The limits of a variant file."""
    from komadai.workshop import limits

    lines = inspect.getsource(limits).split("\n")
    rows = []
    for number, line in enumerate(lines):
        if found := re.match(r"([A-Z_]+) = ", line):
            words = lines[number + 1].strip('"').rstrip(".")
            rows.append(f"| {_cell(_prose(words))} | {getattr(limits, found[1]):,} |")
    return "| limit | |\n|---|---|\n" + "\n".join(rows)


# --- The command line -----------------------------------------------------------------------------------------------


def command_line() -> str:
    """Every command of ``komadai`` with its arguments and options, in the groups of its help."""
    from click import Context

    from komadai.app.cli import GROUPS, root

    parts = []
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        for name in names:
            command = root.get_command(Context(root), name)
            parts += _engine() if name == "engine" else _commands(command, f"komadai {name}", 3)
    return "\n\n".join(parts)


def _commands(command: Any, path: str, level: int) -> Iterator[str]:
    """A command and those below it."""
    from click import Argument, Context

    context = Context(command, info_name=path)
    below = getattr(command, "commands", {})
    yield f"{'#' * level} {path}"
    yield inspect.cleandoc(command.help or "")
    arguments = " ".join(one.make_metavar(context) for one in command.params if isinstance(one, Argument))
    yield _fenced("text", " ".join(filter(None, [path, arguments, "COMMAND ..." if below else "[OPTIONS]"])))
    rows = [_row(one, context) for one in command.params if one.name != "help"]
    if rows and not below:
        yield _options(rows)
    for name in below:
        yield from _commands(below[name], f"{path} {name}", level + 1)


def _row(parameter: Any, context: Any) -> tuple[str, str]:
    """The names of a parameter, and what it means, with its default."""
    words = parameter.help or ""
    if parameter.param_type_name == "argument":
        return f"`{parameter.make_metavar(context)}`", words
    metavar = "" if parameter.is_flag else f" {parameter.make_metavar(context)}"
    names = ", ".join(f"`{name}{metavar}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if parameter.envvar:
        words += f" Environment variable `{parameter.envvar}`."
    if parameter.show_default:
        words += f" Default: `{parameter.default}`."
    return names, words


def _engine() -> list[str]:
    """The engine, whose words argparse reads."""
    from komadai.protocol.command import DESCRIPTION, parser

    actions = [one for one in parser()._actions if one.dest != "help"]
    rows = [(f"`{' '.join([*one.option_strings, str(one.metavar)])}`", str(one.help)) for one in actions]
    rows = [(f"`[{names[1:-1]}]`" if names[1] != "-" else names, words) for names, words in rows]
    usage = _fenced("text", "komadai engine [GAME] [OPTIONS]")
    return ["### komadai engine", DESCRIPTION, usage, _options(rows)]


def _options(rows: Iterable[Iterable[str]]) -> str:
    lines = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)
    return f"| argument or option | meaning |\n|---|---|\n{lines}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


# --- Positions ----------------------------------------------------------------------------------------------------


def positions() -> str:
    """Every game with the string of its start, and a move with what people write for it."""
    rows = []
    for name in komadai.variants():
        at = komadai.Position(name)
        move = at.legal_moves()[0]
        rows.append((f"`{name}`", f"`{at.sfen()}`", f"`{move}`", at.notate(move)))
    lines = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)
    return f"| game | position string of the start | a move | written |\n|---|---|---|---|\n{lines}"


# --- HTTP and WebSockets --------------------------------------------------------------------------------------------


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document, as the server answers it."""
    from komadai.app.web.app import operations
    from komadai.app.web.http.openapi import document

    return document(operations())


def operations() -> str:
    """Every HTTP operation: what it takes, what it answers, and with which status it refuses."""
    parts = []
    for path, methods in openapi()["paths"].items():
        for method, one in methods.items():
            parts += [f"### {method.upper()} {path}", _prose(f"{one['summary']}. {one.get('description', '')}")]
            if "parameters" in one:
                rows = [
                    f"| `{it['name']}` | {it['in']} | {_cell(_type(it['schema']))} | {_needed(it['required'])} |"
                    f" {_cell(_prose(it.get('description', '')))} |"
                    for it in one["parameters"]
                ]
                parts.append("| parameter | in | type | | meaning |\n|---|---|---|---|---|\n" + "\n".join(rows))
            if "requestBody" in one:
                parts.append(f"Takes: {_content(one['requestBody']['content'])}.")
            done = {status: it for status, it in one["responses"].items() if status < "300"}
            refused = [status for status in one["responses"] if status >= "300"]
            for status, it in done.items():
                parts.append(f"Answers {status}: {_content(it['content'])}. Refuses with {', '.join(refused)}.")
    return "\n\n".join(parts)


def refusals() -> str:
    """The meanings of the statuses of refused requests."""
    found = {
        status: response["description"]
        for methods in openapi()["paths"].values()
        for one in methods.values()
        for status, response in one["responses"].items()
        if status >= "300"
    }
    rows = [f"| {status} | {_prose(words)} |" for status, words in sorted(found.items())]
    return "| status | meaning |\n|---|---|\n" + "\n".join(rows)


def _content(content: Mapping[str, Any]) -> str:
    return " or ".join(
        _type(described["schema"]) if "schema" in described else f"`{media}`" for media, described in content.items()
    )


def _names(*unions: str) -> list[str]:
    """The names that the types of some unions have among the schemas."""
    return [one.__name__ for union in unions for one in get_args(MESSAGES[union])]


def messages_sent() -> str:
    """The messages of a client, and their fields."""
    return _schemas(_names("ClientMessage", "AnalysisCommand"))


def messages_received() -> str:
    """The messages of the server, and their fields."""
    return _schemas(_names("ServerMessage", "AnalysisMessage"))


def types() -> str:
    """The types that messages, bodies and answers are made of."""
    messages = set(_names(*MESSAGES))
    return _schemas(sorted(set(openapi()["components"]["schemas"]) - messages))


def _schemas(names: Iterable[str]) -> str:
    return "\n\n".join(_schema(name) for name in names)


def _schema(name: str) -> str:
    """The fields of a type; without a heading of its own, or every page's navigation would carry a hundred."""
    schema = openapi()["components"]["schemas"][name]
    fields = dict(schema.get("properties", {}))
    tag = fields.pop("t", {}).get("enum", [None])[0]
    parts = [f"({_anchor(name)})=", f"**{tag or name}**", _prose(schema.get("description", ""))]
    if "enum" in schema or "anyOf" in schema:
        parts.append(_type(schema))
    required = schema.get("required", [])
    rows = [
        f"| `{field}` | {_cell(_type(kind))} | {_needed(field in required)} | {_default(kind)} |"
        for field, kind in fields.items()
    ]
    if rows:
        parts.append("| field | type | | default |\n|---|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(filter(None, parts))


def _anchor(name: str) -> str:
    return f"schema-{name.lower()}"


def _needed(required: bool) -> str:
    return "required" if required else ""


def _default(schema: Mapping[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else ""


def _type(schema: Mapping[str, Any]) -> str:
    """The type that a JSON schema describes, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " * (len(schema["enum"]) > 1) + ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        if "prefixItems" in schema:
            return f"array of {', '.join(_type(one) for one in schema['prefixItems'])}"
        return f"array of {_type(schema['items'])}" if isinstance(schema.get("items"), dict) else "array"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"object of {_type(values)}" if isinstance(values, dict) and values else "object"
    if kind == "string":
        return "string" + _range(schema.get("minLength"), schema.get("maxLength"), " of", " characters")
    return kind + _range(schema.get("minimum"), schema.get("maximum"), "", "")


def _range(least: int | None, most: int | None, word: str, unit: str) -> str:
    """The bounds of a number or of a length, where there are any."""
    if least is None and most is None:
        return ""
    if most is None:
        return f"{word} at least {least}{unit}"
    return f"{word} {least} to {most}{unit}" if least is not None else f"{word} at most {most}{unit}"


def _prose(text: str) -> str:
    """A docstring as Markdown."""
    words = " ".join(text.split()).replace("``", "`").strip()
    return re.sub(r":\w+:`[.~]*([^`]+)`", r"`\1`", words)


# --- Decisions ------------------------------------------------------------------------------------------------------


def decisions() -> str:
    """Links to all pages of decisions, with their titles."""
    pages = sorted((Path(__file__).parent.parent / "explanation" / "decisions").glob("[0-9]*.md"))
    titles = [page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for page in pages]
    return "\n".join(f"- [{title}]({page.name})" for page, title in zip(pages, titles, strict=True))
