"""Variant files: a game in TOML, which is exactly the dataclasses of ``komadai.spec`` and nothing that is executed.

:func:`load` reads one, :func:`register` makes its game known to everything that takes a game's name,
:func:`check` lists what is wrong in one, :func:`examine` what is doubtful, too, :func:`game_text` and
:func:`variant_text` write one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from ..errors import NotationError
from ..i18n import _
from ..spec.variant import Variant
from ..typed import typed
from ..variants import Entry, built
from ..variants import register as register_entry
from .checking import Checked, Defect, refusal_of
from .limits import MOST_BYTES
from .writing import game_text, variant_text

__all__ = [
    "Defect",
    "check",
    "entry_of",
    "examine",
    "game_text",
    "load",
    "loads",
    "read_file",
    "register",
    "variant_text",
]


@typed
def check(text: str) -> list[Defect]:
    """Every defect of a variant file's text, in the order of the file; none for a file that is a game."""
    return examine(text)[0]


@typed
def examine(text: str) -> tuple[list[Defect], list[Defect]]:
    """The defects of a variant file's text, and the warnings about one that can be played; as they stand in the file.

    Warnings are of what nothing leads to, as a piece or a zone, and of what its author can hardly mean.

    Example:
        >>> from komadai.workshop.starting import start_text
        >>> text = start_text("my-shogi").replace('zone = ["P", "+P"], ', "")
        >>> [warning.place for warning in examine(text)[1]]
        ['kinds[9]']
    """
    checked = Checked(text)
    defects, warnings = checked.clashes()
    return sorted([*checked.defects, *defects]), sorted([*checked.warnings(), *warnings])


@typed
def entry_of(text: str, name: str = "variant file") -> tuple[str, Entry]:
    """The id of the game in a variant file's text and its entry for the registry; ``name`` is for messages.

    Raises:
        SpecError: the file has defects; each is listed with its line.
    """
    checked = Checked(text)
    variant = checked.variant
    if variant is None:
        raise refusal_of(name, checked.defects)

    return variant.id, Entry(partial(_under, checked), tuple(one.option for one in checked.options))


def _under(checked: Checked, **options: str) -> Variant:
    return checked.under(options)


@typed
def loads(text: str, /, name: str = "variant file", **options: str) -> Variant:
    """The variant in the text of a variant file, with these rule options; as :func:`load`."""
    return built(*entry_of(text, name), options)


def load(path: str | Path, /, **options: str) -> Variant:
    """The variant in a variant file, with these rule options.

    Everything that takes a variant takes it: ``komadai.Position(komadai.load("my.toml"))``.

    Raises:
        SpecError: the file has defects; each is listed with its line and what would be right.
        NotationError: the file cannot be read, or it has no such option or value.

    Example:
        >>> import tempfile, komadai
        >>> with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        ...     _ = file.write(komadai.workshop.game_text("nana"))
        ...     file.flush()
        ...     nana = komadai.load(file.name, drop_faces="front")
        >>> nana == komadai.variant("nana", drop_faces="front")
        True
    """
    return loads(read_file(path), Path(path).name, **options)


def register(source: str | Path | Variant, /) -> Variant:
    """Make the game of a variant file, or a variant, known by its id to all that takes a game's name.

    A file of the same id that was registered before gives way, as when it has been edited.

    Returns:
        The variant, with the defaults of its options.

    Raises:
        SpecError: the file has defects, or its id or an option's name is one of another game.
        NotationError: the file cannot be read.
    """
    if isinstance(source, Variant):
        variant = source
        name, entry = variant.id, Entry(partial(replace, variant))
    else:
        name, entry = entry_of(read_file(source), Path(source).name)
    register_entry(name, entry)
    return built(name, entry, {})


def read_file(path: str | Path) -> str:
    """The text of a variant file.

    Raises:
        NotationError: it cannot be read, or is no text in UTF-8, or too large.
    """
    where = _("file {name}", name=repr(str(path)))
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise NotationError(where, [_("has more than {most} bytes", most=f"{MOST_BYTES:,}")])
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise NotationError(where, [str(error.strerror)]) from None
    except UnicodeDecodeError:
        raise NotationError(where, [_("is not text in UTF-8")]) from None
    except UnicodeEncodeError:
        raise NotationError(where, [_("is no name that a file can have")]) from None
