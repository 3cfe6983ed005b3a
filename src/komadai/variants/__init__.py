"""The games, one module each: those of the house here, others on the :mod:`shelf <komadai.variants.shelf>`.

A variant module defines ``VARIANTS``, a mapping from public name to :class:`Entry`. No other module names a
game: this registry finds the modules by listing the packages.

``komadai.variants()`` is public, and importing a subpackage binds its name in the parent; so the package is callable.
"""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from ..errors import NotationError
from ..i18n import _
from ..spec.variant import CACHED_VARIANTS, Option, Variant

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


@cache
def registry(*, shelf: bool = False) -> Mapping[str, Entry]:
    """The house's variants by their public names, in alphabetical order; with ``shelf`` also those of the shelf."""
    import importlib
    import pkgutil

    packages = [importlib.import_module(f"{__name__}.shelf")] if shelf else []
    found: dict[str, Entry] = {}
    for package in (sys.modules[__name__], *packages):
        for module in pkgutil.iter_modules(package.__path__):
            if not module.ispkg:
                found.update(importlib.import_module(f"{package.__name__}.{module.name}").VARIANTS)
    return dict(sorted(found.items()))


def names(*, shelf: bool = False) -> tuple[str, ...]:
    """The public names of the house's variants, in alphabetical order; with ``shelf`` also those of the shelf."""
    return tuple(registry(shelf=shelf))


def standard() -> str:
    """The name of the game that protocols assume where none is named."""
    return next(name for name, made in registry().items() if made.standard)


def suggest(word: str, words: tuple[str, ...], choices: str | None = None) -> str:
    """Suggest the right word instead of ``word``, for the end of an error message.

    ``choices`` describes the choice where there is more than ``words``.
    """
    import difflib

    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    choices = choices or ", ".join(words)
    if close:
        return _("did you mean {word}? choose from {choices}", word=repr(close[0]), choices=choices)
    return _("choose from {choices}", choices=choices)


def refusal(option: Option, value: object) -> str:
    """Refuse a value of an option and suggest one; the text follows the option's name."""
    shown = f"{value[:37]}..." if isinstance(value, str) and len(value) > 40 else value
    # No size is a better suggestion than another, so only names are suggested.
    words = tuple(word for word in option.values if option.sizes is None or word.isalpha())
    right = suggest(str(shown), words, option.choices)
    return _("cannot be {value}; {suggestion}", value=repr(shown), suggestion=right)


def entry(name: str) -> Entry:
    """The registry's entry of that name.

    Raises:
        NotationError: if there is no such variant; the message names those there are.
    """
    if name in registry():
        return registry()[name]
    if name not in registry(shelf=True):
        raise NotationError(_("unknown variant {name}", name=repr(name)), [suggest(name, names())])
    return registry(shelf=True)[name]


def build(name: str, /, **options: str) -> Variant:
    """The variant of that name with those rule options.

    Raises:
        NotationError: for an unknown variant, and for every unknown option or value at once.
    """
    made = entry(name)
    known = {option.name: option for option in made.all_options}
    defects = []
    for given, value in options.items():
        if given not in known:
            right = suggest(given, tuple(known))
            defects.append(_("unknown option {name}; {suggestion}", name=repr(given), suggestion=right))
        elif not (isinstance(value, str) and known[given].accepts(value)):
            defects.append(_("option {name} {refusal}", name=given, refusal=refusal(known[given], value)))
    if defects:
        raise NotationError(_("options of {game}", game=name), defects)
    return _build(name, tuple(options.get(option.name, option.default) for option in made.all_options))


def own_options(variant: Variant) -> tuple[tuple[str, str], ...]:
    """The options in force that differ from the default and belong to this variant alone, so may change its rules."""
    made = registry(shelf=True).get(variant.id)
    defaults = {option.name: option.default for option in made.options} if made else {}
    return tuple((name, value) for name, value in variant.options if defaults.get(name, value) != value)


_in_use: WeakValueDictionary[tuple[str, tuple[str, ...]], Variant] = WeakValueDictionary()


@lru_cache(maxsize=CACHED_VARIANTS)
def _build(name: str, values: tuple[str, ...]) -> Variant:
    """The variant with these values of its options; the latest are kept, and those in use are shared."""
    built = _in_use.get((name, values))
    if built is None:
        built = _in_use[name, values] = _built(name, values)
    return built


def _built(name: str, values: tuple[str, ...]) -> Variant:
    made = entry(name)
    own = {option.name: value for option, value in zip(made.options, values, strict=False)}
    in_force = tuple((option.name, value) for option, value in zip(made.all_options, values, strict=True))
    return replace(made.build(**own), options=in_force)


def _named(name: str, options: tuple[tuple[str, str], ...]) -> Variant:
    """A pickled variant of the registry."""
    return build(name, **dict(options))


def _reduced(variant: Variant) -> tuple[Any, ...]:
    """Pickle and copy a variant by name where the registry has it, so that it stays one object."""
    if variant.id in registry(shelf=True):
        with suppress(NotationError):
            if build(variant.id, **dict(variant.options)) == variant:
                return _named, (variant.id, variant.options)
    return tuple(variant.__reduce_ex__(2))


copyreg.pickle(Variant, _reduced)


class _CallablePackage(ModuleType):
    def __call__(self, *, shelf: bool = False) -> tuple[str, ...]:
        return names(shelf=shelf)


sys.modules[__name__].__class__ = _CallablePackage
