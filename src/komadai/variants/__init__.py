"""The games, one module each: those of the house here, others on the :mod:`shelf <komadai.variants.shelf>`.

A variant module defines ``VARIANTS``, a mapping from public name to :class:`Entry`. No other module names a
game: this registry finds the modules by listing the packages.

Installed packages bring further games by entry points of the group ``komadai.variants``, and programs by
:func:`register`: each stands for an :class:`Entry` or a :class:`Variant` under its id.

``komadai.variants()`` is public, and importing a subpackage binds its name in the parent; so the package is callable.
"""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice, product
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from ..errors import NotationError, SpecError
from ..i18n import _
from ..spec.names import nearest
from ..spec.variant import CACHED_VARIANTS, Option, Variant
from ..typed import typed

ILLEGAL_MOVE = Option(
    "illegal_move", ("refused", "loses"), "whether an illegal move is refused with a reason or loses at once"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A variant's builder: ``build`` takes the options of ``options`` as keyword arguments.

    ``standard`` marks the game that protocols assume where none is named.
    """

    build: Callable[..., Variant]
    options: tuple[Option, ...] = ()
    standard: bool = False

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The variant's own options and those that all variants have."""
        return (*self.options, ILLEGAL_MOVE)


def registry(*, shelf: bool = False) -> Mapping[str, Entry]:
    """The house's variants by their public names, in alphabetical order; with ``shelf`` also those of the shelf."""
    own = _in_package(__name__)
    return dict(sorted({**own, **_in_package(f"{__name__}.shelf")}.items())) if shelf else own


@cache
def _in_package(package: str) -> Mapping[str, Entry]:
    """The variants of a package by their names, found once: its files may be away later, as during an update."""
    import importlib
    import pkgutil

    found: dict[str, Entry] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.ispkg:
            found.update(importlib.import_module(f"{package}.{module.name}").VARIANTS)
    return dict(sorted(found.items()))


def names(*, shelf: bool = True) -> tuple[str, ...]:
    """The public names of all variants: Komadai's own in alphabetical order, then those that others have brought.

    Without ``shelf`` the classic variants of the shelf are left out.
    """
    return tuple(known(shelf=shelf))


_registered: dict[str, Entry] = {}


def known(*, shelf: bool = True) -> Mapping[str, Entry]:
    """Every variant by its public name: those of :func:`registry`, of installed packages, and registered ones."""
    return {**registry(shelf=shelf), **_of_packages(), **_registered}


GROUP = "komadai.variants"
"""The group of entry points with which packages bring variants."""


@cache
def _of_packages() -> Mapping[str, Entry]:
    """The variants of installed packages. One that cannot be had is passed over with a warning."""
    import warnings
    from importlib.metadata import entry_points

    found: dict[str, Entry] = {}
    for point in entry_points(group=GROUP):
        try:
            found[point.name] = _as_entry(point.name, point.load())
            _require_free(point.name, found[point.name], registry(shelf=True))
        except Exception as error:  # of whatever code the package has
            found.pop(point.name, None)
            warnings.warn(f"the variant {point.name!r} of {point.value!r} is left out: {error}", stacklevel=2)
    return found


def _as_entry(name: str, what: object) -> Entry:
    if isinstance(what, Variant):
        if what.id != name:
            raise SpecError(f"variant {name!r}", [f"has the id {what.id!r}; expected the same name"])
        return Entry(partial(replace, what, options=()))
    if isinstance(what, Entry):
        return what
    raise SpecError(f"variant {name!r}", [f"is a {type(what).__name__}; expected a Variant or an Entry"])


def _require_free(name: str, made: Entry, others: Mapping[str, Entry]) -> None:
    """Check that neither the name nor an option with other values belongs to another game.

    Raises:
        SpecError: one does.
    """
    defects = ["is the id of another game; choose an id of its own"] if name in others else []
    defects += [f"option {option}: {what}" for option, what in _clashes(made, others)]
    if defects:
        raise SpecError(f"variant {name!r}", defects)


def _clashes(made: Entry, others: Mapping[str, Entry]) -> Iterator[tuple[str, str]]:
    """The options that another game has with other values."""
    taken = {option.name: option for other in others.values() for option in other.options}
    for option in made.options:
        if option.name in taken and taken[option.name].values != option.values:
            values = taken[option.name].choices
            yield option.name, _("another game has it with the values {values}; choose another name", values=values)


@typed
def clashes(made: Entry) -> Iterator[tuple[str, str]]:
    """The options that a game of Komadai's own or of a package has with other values, and what would be right."""
    return _clashes(made, {**registry(shelf=True), **_of_packages()})


_MOST_SETTINGS = 64


def owner(name: str) -> Entry | None:
    """The game of Komadai's own or of a package that has this id."""
    return {**registry(shelf=True), **_of_packages()}.get(name)


def taken(name: str) -> str:
    """Refuse an id that another game has, and suggest one."""
    return _(
        "{name} is the id of another game; expected one of its own, such as {right}",
        name=repr(name),
        right=repr(f"my-{name}"),
    )


@typed
def settings(made: Entry) -> Iterator[Variant]:
    """A game under the values of its options, so many as are soon built."""
    for values in islice(product(*(option.values for option in made.options)), _MOST_SETTINGS):
        yield made.build(**dict(zip((option.name for option in made.options), values, strict=True)))


def register(name: str, what: Entry | Variant) -> None:
    """Make a variant known by its id; one that was registered under it before gives way.

    Raises:
        SpecError: the id, or the name of an option with other values, is one of another game.
    """
    made = _as_entry(name, what)
    others = {other: there for other, there in known().items() if other not in _registered or other != name}
    _require_free(name, made, others)
    _registered[name] = made
    _build.cache_clear()
    for key in [key for key in _in_use if key[0] == name]:
        del _in_use[key]
    for tell in _watching:
        tell(name)


def registered() -> Mapping[str, Entry]:
    """The variants that :func:`register` has made known, which other processes lack; those of files can be pickled."""
    return dict(_registered)


_watching: list[Callable[[str], object]] = []


def watch(tell: Callable[[str], object]) -> None:
    """Call a function with the name of every variant there is, and of every one that is registered later."""
    _watching.append(tell)
    for name in names(shelf=True):
        tell(name)


def standard() -> str:
    """The name of the game that protocols assume where none is named."""
    return next(name for name, made in registry().items() if made.standard)


def suggest(word: str, words: tuple[str, ...], choices: str | None = None) -> str:
    """Suggest the right word instead of ``word``, for the end of an error message.

    ``choices`` describes the choice where there is more than ``words``.
    """
    choices = choices or ", ".join(words)
    if close := nearest(word, words):
        return _("did you mean {word}? choose from {choices}", word=repr(close), choices=choices)
    return _("choose from {choices}", choices=choices)


@typed
def refusal(option: Option, value: object) -> str:
    """Refuse a value of an option and suggest one; the text follows the option's name."""
    shown = f"{value[:37]}..." if isinstance(value, str) and len(value) > 40 else value
    # No size is a better suggestion than another, so only names are suggested.
    words = tuple(word for word in option.values if option.sizes is None or word.isalpha())
    right = suggest(str(shown), words, option.choices)
    return _("cannot be {value}; {suggestion}", value=repr(shown), suggestion=right)


@typed
def own_name(name: str) -> str:
    """Our name of a variant that other programs call otherwise, else the name itself.

    Lishogi and Fairy-Stockfish add the standard game's name to that of the variant (``kyotoshogi``) or leave it out
    (``mini``); lishogi calls the standard game by that word.
    """
    if name in known():
        return name
    if name == "standard":
        return standard()
    others = (name.removesuffix(standard()), name + standard())
    return next((one for one in others if one != standard() and one in known()), name)


def entry(name: str) -> Entry:
    """The registry's entry of that name.

    Raises:
        NotationError: if there is no such variant; the message names those there are.
    """
    if not isinstance(name, str) or name not in known():
        raise NotationError(_("unknown variant {name}", name=repr(name)), [suggest(str(name), names())])
    return known()[name]


def build(name: str, /, **options: str) -> Variant:
    """The variant of that name with those rule options.

    Raises:
        NotationError: for an unknown variant, and for every unknown option or value at once.
    """
    return _build(name, _values(name, entry(name), options))


def variant_of(game: str | Variant, options: Mapping[str, str]) -> Variant:
    """The variant that was given, or that of a name and rule options.

    Raises:
        NotationError: unknown game or option, or options with a finished variant, which has its own.
    """
    if not isinstance(game, Variant):
        return build(game, **options)
    if options:
        raise NotationError("options", [f"{', '.join(options)}: give options with a name, not with a finished variant"])
    return game


@typed
def built(name: str, made: Entry, options: Mapping[str, str]) -> Variant:
    """The variant of an entry, which need not be registered, with those rule options.

    Raises:
        NotationError: for every unknown option or value at once.
    """
    return _built(made, _values(name, made, options))


def _values(name: str, made: Entry, options: Mapping[str, str]) -> tuple[str, ...]:
    """The values of all options of an entry, in order."""
    has = {option.name: option for option in made.all_options}
    defects = []
    for given, value in options.items():
        if given not in has:
            right = suggest(given, tuple(has))
            defects.append(_("unknown option {name}; {suggestion}", name=repr(given), suggestion=right))
        elif not (isinstance(value, str) and has[given].accepts(value)):
            defects.append(_("option {name} {refusal}", name=given, refusal=refusal(has[given], value)))
    if defects:
        raise NotationError(_("options of {game}", game=name), defects)
    return tuple(options.get(option.name, option.default) for option in made.all_options)


@typed
def is_own(variant: Variant) -> bool:
    """True if the variant is one of :func:`registry` or of the shelf, with the same rules."""
    if variant.id not in registry(shelf=True):
        return False
    try:
        return variant.rules_hash in build(variant.id, **dict(variant.options)).rules_hashes
    except NotationError:
        return False


@typed
def own_options(variant: Variant) -> tuple[tuple[str, str], ...]:
    """The options in force that differ from the default and belong to this variant alone, so may change its rules."""
    made = known().get(variant.id)
    defaults = {option.name: option.default for option in made.options} if made else {}
    return tuple((name, value) for name, value in variant.options if defaults.get(name, value) != value)


_in_use: WeakValueDictionary[tuple[str, tuple[str, ...]], Variant] = WeakValueDictionary()


@lru_cache(maxsize=CACHED_VARIANTS)
def _build(name: str, values: tuple[str, ...]) -> Variant:
    """The variant with these values of its options; the latest are kept, and those in use are shared."""
    built = _in_use.get((name, values))
    if built is None:
        built = _in_use[name, values] = _built(entry(name), values)
    return built


def _built(made: Entry, values: tuple[str, ...]) -> Variant:
    own = {option.name: value for option, value in zip(made.options, values, strict=False)}
    in_force = tuple((option.name, value) for option, value in zip(made.all_options, values, strict=True))
    variant = made.build(**own)
    same_moves = tuple(replace(one, options=in_force) for one in variant.same_moves)
    return replace(variant, options=in_force, same_moves=same_moves)


def _named(name: str, options: tuple[tuple[str, str], ...]) -> Variant:
    """A pickled variant of the registry."""
    return build(name, **dict(options))


def _reduced(variant: Variant) -> tuple[Any, ...]:
    """Pickle and copy a variant of Komadai's own by name, so that it stays one object.

    What others have registered, another process may not know.
    """
    if variant.id in registry(shelf=True):
        with suppress(NotationError):
            if build(variant.id, **dict(variant.options)) == variant:
                return _named, (variant.id, variant.options)
    return tuple(variant.__reduce_ex__(2))


copyreg.pickle(Variant, _reduced)


class _CallablePackage(ModuleType):
    def __call__(self, *, shelf: bool = True) -> tuple[str, ...]:
        return names(shelf=shelf)


sys.modules[__name__].__class__ = _CallablePackage
