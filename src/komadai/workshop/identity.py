"""Identity of a variant in what is kept: its id and options, the hash of its rules, and its file where it has one.

A variant *is* its rules: what was kept under other rules of the same id is another game, and says so. The games of this
program are found by id and options; of any other the file goes with what is kept, so that it is read for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache

from ..errors import KomadaiError, NotationError
from ..i18n import _
from ..spec.variant import CACHED_VARIANTS, Variant
from ..variants import ILLEGAL_MOVE, build, is_own, known
from .checking import Checked, refusal_of
from .writing import variant_text

_MOST_OPTIONS = 32
_LONGEST = 64

_strange: ContextVar[bool] = ContextVar("strange", default=False)


@contextmanager
def files_of_strangers() -> Iterator[None]:
    """Refuse files within, except those of games that are known anyway: what is read comes from strangers."""
    before = _strange.set(True)
    try:
        yield
    finally:
        _strange.reset(before)


@lru_cache(maxsize=CACHED_VARIANTS)
def embedded(variant: Variant) -> str | None:
    """The file to be kept with a variant, without its options; ``None`` for a game of this program itself."""
    return None if is_own(variant) else variant_text(replace(variant, options=()))


def identified(name: str, options: Mapping[str, str], rules: str | None = None, file: str | None = None) -> Variant:
    """The variant that was kept so.

    Args:
        name: its id. ``options``: those in force.
        rules: the hash of its rules; ``None``: whatever they are here.
        file: the file that :func:`embedded` gave.

    Raises:
        NotationError: there is no such variant or option, or it has other rules now.
        SpecError: the file has defects.
    """
    here: Variant | None = None
    if file is None or name in known():
        try:
            here = build(name, **options)
        except KomadaiError:
            if file is None:
                raise
        if here is not None and (rules is None or rules in here.rules_hashes):
            return here
    if file is None:
        ours = here.rules_hash[:12] if here is not None else ""
        words = _(
            "follows other rules than {game} has here: {found}, not {ours}",
            game=name,
            found=(rules or "")[:12],
            ours=ours,
        )
        raise NotationError(_("rules"), [words])
    if _strange.get():
        words = _("are in a file, which this server takes from nobody; read it with Komadai on a computer")
        raise NotationError(_("rules"), [words])
    return _from_file(name, options, rules, file)


def _from_file(name: str, options: Mapping[str, str], rules: str | None, file: str) -> Variant:
    checked = Checked(file)
    if checked.variant is None:
        raise refusal_of(_("rules"), checked.defects)
    defects = [
        _("option {name} is too long", name=repr(key[:40]))
        for key, value in options.items()
        if len(key) > _LONGEST or len(value) > _LONGEST
    ]
    if len(options) > _MOST_OPTIONS:
        defects.append(_("there are {count} options; expected {most} at most", count=len(options), most=_MOST_OPTIONS))
    if not ILLEGAL_MOVE.accepts(options.get(ILLEGAL_MOVE.name, ILLEGAL_MOVE.default)):
        defects.append(_("option {name} has no such value", name=ILLEGAL_MOVE.name))
    variant = replace(checked.variant, options=tuple(options.items()))
    if variant.id != name:
        defects.append(_("are those of {found} in the file; expected {game}", found=variant.id, game=name))
    elif rules is not None and variant.rules_hash != rules:
        defects.append(
            _("have the hash {found} in the file; expected {wanted}", found=variant.rules_hash[:12], wanted=rules[:12])
        )
    if defects:
        raise NotationError(_("rules"), defects)
    return variant
