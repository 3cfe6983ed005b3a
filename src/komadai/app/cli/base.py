"""What all commands have beside what click gives them: files that are checked first, and mistakes told in a line."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ...errors import NotationError
from ...spec.names import nearest
from ...spec.numbers import seconds, whole_number
from ...variants import names, suggest
from .files import RULE, File, Use, check_all, files_of_games, name_of, refused, writes

_MOST = 10**12  # of whatever a command counts: games, positions


class Kind(click.ParamType[Any]):
    """The type of a word: its reader, and what is expected where that finds nothing."""

    def __init__(self, name: str, read: Callable[[str], object], expected: str) -> None:
        self.name, self._read, self._expected = name, read, expected

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What a word says; a default says it already.

        Raises:
            NotationError: the word says nothing.
        """
        if not isinstance(value, str):
            return value
        if (found := self._read(value)) is None:
            raise refused(self.name if param is None else name_of(param), value, f"expected {self._expected}")
        return found


def number(least: int = 0, most: int = _MOST) -> Kind:
    """A whole number."""
    expected = f"a whole number, {least:,} to {most:,}"
    return Kind("N", lambda text: whole_number(text, least, most), expected)


_TIMES = "such as 0.5, 500ms, 10s, 2m or 8h"


def duration(least: float = 0.0, most: float = 10.0**9) -> Kind:
    """A time in seconds."""

    def read(text: str) -> float | None:
        return found if (found := seconds(text)) is not None and least <= found <= most else None

    bounds = f", from {least:g} to {most:,.0f} seconds" if least or most < 10.0**9 else ""
    return Kind("TIME", read, f"a time {_TIMES}{bounds}")


def _age(text: str) -> float | None:
    return None if text[-1:].isdigit() or (found := seconds(text)) is None else found / 86400


AGE = Kind("AGE", _age, "a time with its unit, such as 12h or 30d")
"""A time in days. It needs its unit, since a number alone is of seconds elsewhere."""


class Word(click.ParamType[str]):
    """One of some words."""

    name = "word"

    def __init__(self, known: tuple[str, ...]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word.

        Raises:
            NotationError: it is none of them.
        """
        return chosen(self.name if param is None else name_of(param), str(value), self._known)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self._known if word.startswith(incomplete)]


Chosen = TypeVar("Chosen", bound=str)


def chosen(what: str, name: str, known: tuple[Chosen, ...]) -> Chosen:
    """The one that is called so.

    Raises:
        NotationError: there is none.
    """
    for one in known:
        if one == name:
            return one
    raise NotationError(f"{what} {name[:40]!r}", [suggest(name[:40], known)])


class GameName(click.ParamType[str]):
    """A game by its name, or by its variant file, which is registered: the name of the game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name.

        Raises:
            KomadaiError: the file cannot be read, or is no sound variant file.
        """
        if str(value).endswith(".toml"):
            return _registered(File(Use.READS).convert(value, param, ctx))
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        files = [CompletionItem(incomplete, type="file")] if "." in incomplete or "/" in incomplete else []
        return [*(CompletionItem(name) for name in names() if name.startswith(incomplete)), *files]


def _registered(path: Path) -> str:
    """The name of the game of a variant file."""
    from ...workshop import register  # which most commands do without

    name = register(path).id
    files_of_games[name] = path
    return name


_LIKE = 0.75  # how like a known option another is that is taken for it
_NAMING = {"--game", "--variant", "-g", "-v", "--position"}
"""Options that people try for what stands in every command in the same place."""


def usage(ctx: click.Context) -> str:
    """The words of a command line with the arguments of its command."""
    arguments = [one.make_metavar(ctx) for one in ctx.command.params if isinstance(one, click.Argument)]
    return " ".join([ctx.command_path, *arguments])


def _at(ctx: click.Context, words: str) -> NotationError:
    """The error of a command line, which begins with the words of its command."""
    return NotationError(" ".join(ctx.command_path.split()[1:]), [words]) if ctx.parent else NotationError(words, [])


def told(error: click.UsageError) -> NotationError:
    """What is wrong with a command line, and what would be right."""
    ctx = error.ctx
    if ctx is None:
        return NotationError(error.message, [])
    options = {word: one for one in ctx.command.params for word in (*one.opts, *one.secondary_opts)}
    if isinstance(error, click.NoSuchOption):
        name = error.option_name
        if name == "-o" and "--rule" in options:
            return _at(ctx, f"there is no -o; {RULE}")
        if name[1:2].isdigit():
            return _at(ctx, f"{name} is no option, and no number can be below 0; expected {usage(ctx)}")
        known = [word for word in options if word.startswith("--")]
        if name in _NAMING:
            right = f"expected {usage(ctx)}{' --game GAME' if '--game' in options else ''}"
        elif close := next((word for word in known if word.startswith(name)), None) or nearest(name, known, _LIKE):
            right = f"did you mean {close}?"
        else:
            right = f"{ctx.command_path} -h lists them"
        return _at(ctx, f"there is no option {name}; {right}")
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if isinstance(error.param, click.Argument):
            return _at(ctx, f"{name_of(error.param)} is missing; expected {usage(ctx)}")
        word = f"{error.param.opts[0]} {error.param.make_metavar(ctx)}"
        return _at(ctx, f"needs {word}; expected {usage(ctx)} {word}")
    if isinstance(error, click.BadOptionUsage) and error.option_name in options:
        option = options[error.option_name]
        if isinstance(option, click.Option) and option.is_flag:
            return _at(ctx, f"{error.option_name} takes no value")
        return _at(ctx, f"{error.option_name} needs a value: {error.option_name} {option.make_metavar(ctx)}")
    return _at(ctx, error.message)


class Command(click.Command):
    """A command whose files are checked before it runs.

    It has ``--force`` if it writes any, and ``--variant-file`` unless told otherwise.
    """

    allow_extra_args = True  # which are refused in our own words

    def __init__(self, *args: Any, variant_files: bool = True, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if variant_files:
            self.params.append(_variant_file_option())
        if writes(self.params) and all(one.name != "force" for one in self.params):
            self.params.append(click.Option(["--force"], is_flag=True, help=FORCE, expose_value=False, callback=_keep))

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        options, *arguments = super().collect_usage_pieces(ctx)
        return [*arguments, options]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words.

        Raises:
            NotationError: they are not those of the command.
        """
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise told(error) from None
        if rest and not ctx.resilient_parsing:
            positions = [one for one in self.params if one.name == "position"]
            if positions and not rest[0].startswith("-"):
                whole = " ".join([str(ctx.params["position"]), *rest])
                raise _at(ctx, f"a position is one argument; put it in quotes: {shlex.quote(whole[:200])}")
            words = " ".join(map(repr, rest))
            names = [] if all(one.name != "output" for one in self.params) else ["-o names the output"]
            raise _at(ctx, "; ".join([f"{words} is too much", f"expected {usage(ctx)}", *names]))
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        check_all(self.params, ctx.params, force=ctx.params.get("force", ctx.meta.get("force", False)))
        return super().invoke(ctx)


FORCE = "Overwrite files."

COMPLETE = "_KOMADAI_COMPLETE"
"""The environment variable by which a shell asks for completions."""


def _keep(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta["force"] = value


def _variant_file_option() -> click.Option:
    def registered(ctx: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> None:
        for path in paths:
            _registered(path)

    return click.Option(
        ["--variant-file"],
        type=File(Use.READS),
        multiple=True,
        is_eager=True,  # a name that GAME says may be that of such a file
        expose_value=False,
        callback=registered,
        metavar="FILE",
        help="Register the game of a variant file under its id; repeatable.",
    )


class Group(click.Group):
    """Commands below one word."""

    command_class = Command

    def __init__(self, *args: Any, variant_files: bool = True, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._variant_files = variant_files

    def command(self, *args: Any, **settings: Any) -> Callable[[Callable[..., object]], click.Command]:  # type: ignore[override]
        """As click's, with a command that takes variant files if its group does."""
        made: Callable[[Callable[..., object]], click.Command] = super().command(
            *args, **({"variant_files": self._variant_files} | settings)
        )
        return made

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; those of the whole program may be none.

        Raises:
            NotationError: no command is named.
        """
        if not args and ctx.parent is not None:
            names = ", ".join(self.list_commands(ctx))
            raise _at(ctx, f"a command is missing; expected {ctx.command_path} COMMAND, one of {names}")
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names.

        Raises:
            NotationError: there is none.
        """
        known = tuple(self.list_commands(ctx))
        if args[0] not in known and not ctx.resilient_parsing:
            close = nearest(args[0], known)
            right = f"did you mean {close}?" if close else f"{ctx.command_path} -h lists them"
            raise _at(ctx, f"there is no command {args[0][:40]!r}; {right}")
        return super().resolve_command(ctx, args)
