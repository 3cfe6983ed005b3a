"""A commented start of a variant file."""

from __future__ import annotations

from importlib.resources import files

from ..errors import NotationError
from ..variants import owner, taken
from .excess import ID, LONGEST_ID


def start_text(id: str) -> str:
    """A variant file with comments, to be changed: a small game that can be played as it is.

    Raises:
        NotationError: that is no id, or that of another game.
    """
    if not (ID.fullmatch(id) and len(id) <= LONGEST_ID):
        expected = f"expected small letters and digits with single hyphens, such as my-shogi, {LONGEST_ID} at most"
        raise NotationError(f"name {id[:40]!r}", [f"is no id of a variant; {expected}"])
    if owner(id) is not None:
        raise NotationError(f"name {id!r}", [taken(id)])
    text = files(__package__).joinpath("start.toml").read_text(encoding="utf-8")
    return text.replace("@id@", id).replace("@name@", id.replace("-", " ").title())
