"""Check a variant file: every defect, each with its line and what would be right."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any

from ..errors import KomadaiError, SpecError, visible
from ..game.position import Position
from ..i18n import _, located
from ..spec.logic import conjunctions
from ..spec.material import count_pieces
from ..spec.sfen import start_of
from ..spec.validate import defects_of
from ..spec.variant import Variant
from ..variants import Entry, clashes, owner, settings, taken
from .doubts import idle, odd
from .excess import crowd, excess
from .limits import DEEPEST, MOST_BYTES, MOST_DEFECTS
from .options import Changed, FileOption, read_options
from .places import Path, Places, TooDeepError, position, written
from .reading import Reader, Refuse
from .syntax import meaning

# Fields on which what else is checked does not depend, so that a defect in one keeps no other from being found.
_APART = frozenset(
    (
        *("id", "name", "version", "summary", "sources", "about", "evaluation", "extinction", "handicaps", "look"),
        *("numbering", "notation", "match_wins", "repetition", "agreement", "declaration", "rules", "zone"),
    )
)
_SYNTAX = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_MOST_SYNTAX = 20
_READ_AGAIN = 1 << 20  # characters that are read once more because a line before was no TOML
_STEP = re.compile(r"(\w+)|\[([^\]]*)\]")


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """A defect of a variant file.

    Attributes:
        line: from 1. ``column``: from 1.
        place: the path of the field, as ``kinds[3].becomes.zone``; empty: the file as a whole, or its syntax.
        what: what is wrong, and what would be right.
    """

    line: int
    column: int
    place: str
    what: str

    def __str__(self) -> str:
        where = _("line {line}, column {column}", line=self.line, column=self.column)
        return located(where, located(self.place, self.what) if self.place else self.what)


class Checked:
    """A variant file that has been read.

    Attributes:
        defects: all that were found, in the order of the file.
        variant: the variant under the defaults of its options; only for a file without defects.
        options: its rule options.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[Defect, None] = {}
        self.variant: Variant | None = None
        self.options: tuple[FileOption, ...] = ()
        self._data: dict[str, Any] = {}
        self._places = Places("")
        self._settings: list[tuple[Variant, Mapping[Path, Path]]] = []  # with where what an option changes stands
        try:
            self._read(text)
        except TooDeepError as error:
            where = position(text, error.offset)
            self._add(where, "", _("the file is nested too deeply here; expected {most} levels at most", most=DEEPEST))

    @property
    def defects(self) -> list[Defect]:
        return sorted(self._found)

    def clashes(self) -> tuple[list[Defect], list[Defect]]:
        """The defects by which a file that is a game cannot be known beside the games that are there, and warnings.

        A file of one of these games, as it was exported, is only warned of its id.
        """
        if self.variant is None:
            return [], []
        v, found = self.variant, []
        for option, what in clashes(Entry(lambda: v, tuple(one.option for one in self.options))):
            number = next(number for number, one in enumerate(self.options) if one.option.name == option)
            found.append(self._defect(("options", number, "values"), f"{option}: {what}"))
        if (other := owner(v.id)) is None:
            return found, []
        known = self._defect(("id",), taken(v.id))
        if any(one.rules_hash == v.rules_hash for one in settings(other)):
            return found, [known]
        return [known, *found], []

    def warnings(self) -> list[Defect]:
        """The doubts about a file that is a game."""
        if self.variant is None:
            return []
        unused = [{(path, what) for path, what, _at in idle(v)} for v, _origins in self._settings]
        found = {self._defect(path, what) for path, what in set.intersection(*unused)}
        for v, origins in self._settings:
            found |= {self._defect(path, what, at, origins) for path, what, at in odd(v)}
        return sorted(found)

    def _defect(
        self, path: Path, what: str, at: int | None = None, origins: Mapping[Path, Path] = MappingProxyType({})
    ) -> Defect:
        return Defect(*_place(self._places, origins, path, at), visible(written(path)), visible(what))

    def under(self, chosen: Mapping[str, str]) -> Variant:
        """The variant under values of its options.

        Raises:
            SpecError: they make no game together.
        """
        defects: list[str] = []

        def refuse(path: Path, what: str) -> None:
            defects.append(f"{written(path)}: {what}")

        changed = self._changed(refuse, chosen)
        variant = Reader(refuse).variant(changed.finish())
        if variant is None or defects:
            raise SpecError(_("variant under these options"), defects)
        defects += (f"{written(path)}: {what}" for path, what, _at in _meaning(variant))
        if defects:
            raise SpecError(_("variant {id} under these options", id=repr(variant.id)), defects)
        return variant

    def _changed(self, refuse: Refuse, chosen: Mapping[str, str]) -> Changed:
        """The file's data under values of its options, and the defaults of the others."""
        changed = Changed(self._data, refuse)
        for one in self.options:
            changed.change(one, chosen.get(one.option.name, one.option.default))
        return changed

    # --- The stages ---

    def _read(self, text: str) -> None:
        if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
            self._add(
                (1, 1), "", _("the file has more than {most} bytes; expected a smaller one", most=f"{MOST_BYTES:,}")
            )
            return
        data, places, broken = self._syntax(text)
        if data is None:
            return
        options = data.pop("options", [])
        refuse = partial(self._refuse, places, {})
        self.options = read_options(options, refuse)
        self._data, self._places = data, places
        variant = self._judge(places, self._changed(refuse, {}), broken=broken)
        if self._found or variant is None:
            return
        for one in self.options:
            for value in one.option.values[1:]:
                self._value(places, one, value)
        if not self._found:
            self.variant = variant

    def _value(self, places: Places, option: FileOption, value: str) -> None:
        """Judge the file under one value of an option and the defaults of the others."""
        changed = self._changed(partial(self._refuse, places, {}), {option.option.name: value})
        before = len(self._found)
        self._judge(places, changed, sample=False)
        if len(self._found) > before:
            where = places.at((*option.path, "changes", value))
            self._add(
                where, written(option.path), _("so it is under {name} = {value}", name=option.option.name, value=value)
            )

    def _judge(self, places: Places, changed: Changed, *, broken: bool = False, sample: bool = True) -> Variant | None:
        """The variant of the data; its defects are noted.

        Args:
            broken: lines of the file were passed over. ``sample``: judge the sample moves, which are for the defaults.
        """
        affected: set[Path] = set()

        def refuse(path: Path, what: str) -> None:
            affected.add(path)
            self._refuse(places, changed.origins, path, what)

        variant = Reader(refuse, partial=broken).variant(changed.finish())
        if variant is None or broken or any(map(_blocks, affected)):
            return None
        self._settings.append((variant, changed.origins))
        for path, what, at in _meaning(variant, start=not affected, sample=sample):
            if not _follows(path, affected):
                self._refuse(places, changed.origins, path, what, at)
        return variant

    def _syntax(self, text: str) -> tuple[dict[str, Any] | None, Places, bool]:
        """The data of a TOML text, where its values stand, and whether lines were passed over as no TOML."""
        for tried in range(min(_MOST_SYNTAX, 1 + _READ_AGAIN // max(len(text), 1))):
            places = Places(text)
            try:
                return tomllib.loads(text), places, tried > 0
            except tomllib.TOMLDecodeError as error:
                found = _SYNTAX.fullmatch(str(error))
                line = int(found[2]) if found and found[2] else 0
                end = position(text, max(len(text.rstrip()) - 1, 0))
                where = (line, int(found[3])) if found and found[2] else end
                self._add(where, "", _("no TOML: {why}", why=meaning(found[1] if found else str(error))))
                lines = text.split("\n")
                if not line or lines[line - 1].lstrip().startswith("[") or not lines[line - 1].strip():
                    break
                lines[line - 1] = ""
                text = "\n".join(lines)
            except (ValueError, RecursionError) as error:  # a number with more digits than Python reads
                self._add((1, 1), "", _("no TOML that can be read: {error}", error=str(error)[:200]))
                break
        return None, places, True

    # --- Noting ---

    def _refuse(
        self, places: Places, origins: Mapping[Path, Path], path: Path, what: str, at: int | None = None
    ) -> None:
        self._add(_place(places, origins, path, at), written(path), what)

    def _add(self, where: tuple[int, int], place: str, what: str) -> None:
        if len(self._found) < MOST_DEFECTS:
            self._found[Defect(*where, visible(place), visible(what))] = None


def _place(places: Places, origins: Mapping[Path, Path], path: Path, at: int | None = None) -> tuple[int, int]:
    """The line and column of a value, or of the change of an option that has made it."""
    for length in range(len(path), 0, -1):
        if path[:length] in origins:
            return places.at(origins[path[:length]], at if length == len(path) else None)
    return places.at(path, at)


def _follows(path: Path, affected: set[Path]) -> bool:
    """True if a defect is there only since the value of another field is not known."""
    return (
        any(path[: len(one)] == one or one[: len(path)] == path for one in affected)
        or (path[-1:] == ("zone",) and any(one[0] == "zone" for one in affected if one))
        or (_asks_for_royals(path) and any(one[-1] == "royal" for one in affected if one))
    )


def _asks_for_royals(path: Path) -> bool:
    """True if what is wrong there may be that a piece is royal, or that none is."""
    return path[:1] in (("start",), ("declaration",), ("wins_if",), ("board",)) or path[-1:] == ("becomes",)


def _blocks(path: Path) -> bool:
    """True if a defect there keeps others from being judged."""
    if path[:1] == ("kinds",):
        return len(path) < 3 or path[2] == "code"
    return path[:1] not in {(name,) for name in _APART} | {()}


def _meaning(variant: Variant, *, start: bool = True, sample: bool = False) -> Iterator[tuple[Path, str, int | None]]:
    """The defects of a variant that could be made: those of its size, of its spec, and at last of its start.

    Each with its place in the text that the path leads to, if it has one.
    """
    large = list(islice(excess(variant), MOST_DEFECTS))
    yield from ((path, what, None) for path, what in large)
    if large:
        return
    if found := defects_of(variant):
        yield from ((_path(variant, one.path), one.what, one.at) for one in found)
        return
    for number, rule in enumerate(variant.rules):
        if start and not conjunctions(rule.when):
            yield ("rules", number, "when"), _("this can never hold; expected a condition that can"), None
    setup = start_of(variant)
    if crowded := crowd(variant, sum(count_pieces(variant, setup).values())):
        yield ("start",), crowded, None
        return
    if not start:
        return
    try:
        board = Position(variant)
    except SpecError as error:
        for defect in error.defects:
            place, _colon, what = defect.partition(": ")
            yield _path(variant, place), what, None
        return
    except (KomadaiError, ValueError) as error:
        yield (), _("the core cannot play it: {error}", error=error), None
        return
    if (outcome := board.outcome()) is not None:
        what = _(
            "the game is over before the first move: {outcome}; expected a start with a legal move",
            outcome=outcome.message.words(),
        )
        yield ("start",), what, None
        return
    for number, handicap in enumerate(variant.handicaps):
        try:
            Position(variant, handicap.start)
        except KomadaiError as error:
            yield ("handicaps", number, "start"), str(error), None
    for number, move in enumerate(re.finditer(r"\S+", variant.about.sample) if sample else (), 1):
        try:
            board.push(move[0])
        except (KomadaiError, ValueError) as error:
            yield (
                ("about", "sample"),
                _("move {number} cannot be made: {error}", number=number, error=error),
                move.start(),
            )
            return


def _path(variant: Variant, text: str) -> Path:
    """The path that a defect of a spec begins with, where kinds may go by their codes."""
    path: Path = ()
    codes = [kind.code for kind in variant.kinds]
    for name, inside in _STEP.findall(text):
        if name:
            path = (*path, name)
        elif path == ("kinds",):
            number = codes.index(inside) if inside in codes else int(inside) if inside.isdigit() else 0
            path = (*path, number)
        else:
            path = (*path, int(inside) if inside.isdigit() else inside)
    return path


def refusal_of(name: str, defects: list[Defect]) -> SpecError:
    """The error for a file with defects."""
    return SpecError(name, [str(defect) for defect in defects])
