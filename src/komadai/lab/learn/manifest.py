"""The numbers of one run of ``komadai learn``, chosen and written down before anything else is done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import file_digest
from pathlib import Path
from typing import Any

from ...errors import LearnError
from ...i18n import _
from ...json_text import fits, parsed
from ...spec.variant import Variant
from ...storage import write_whole
from ...variants import own_options
from .data import read, written
from .self_play import Settings

SCHEMA = "komadai-learn/2"

TRACE = 0.7
"""The weight of what follows in :func:`.targets.targets`, unless said otherwise: half of a target is what the search
says in this ply and the next, an eighth what it says six plies later or more, and the result."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that the games, the net and the match of a run depend on.

    Attributes:
        hours: for how long it was to last, from which ``positions`` and ``epochs`` were chosen; ``None`` if they were
            given.
        positions: quiet positions to play for. ``nodes``, ``plies``, ``evaluation``, ``noise``: as
            :class:`.self_play.Settings`.
        data: other files of games to learn from, each with its SHA-256.
        trace: as :func:`.targets.targets`.
        epochs, hidden, batch, rate, threads: as :class:`.training.Plan`; ``seed`` is that of everything.
        match_nodes: positions a move in the match against the evaluation that is here; with the net as many fewer as it
            makes the search slower.
        match_games: of the match, at most. ``elo0``, ``elo1``: of its sequential test.
    """

    variant: str
    version: str
    options: dict[str, str]
    rules: str
    evaluation: str
    hours: float | None
    positions: int
    epochs: int
    seed: int
    nodes: int
    plies: int
    data: dict[str, str]
    hidden: int
    batch: int
    rate: float
    trace: float
    threads: int
    match_nodes: int
    match_games: int
    elo0: float
    elo1: float
    noise: float = 0.0

    @classmethod
    def of(cls, variant: Variant, settings: Settings, data: dict[str, str], **numbers: Any) -> Manifest:
        """The manifest of a game with the evaluation that is here."""
        return cls(
            variant=variant.id,
            version=variant.version,
            options=dict(own_options(variant)),
            rules=variant.play_hash,
            data=data,
            **settings.data(),
            **numbers,
        )

    @classmethod
    def read(cls, path: Path, variant: Variant) -> Manifest:
        """The manifest in a file.

        Raises:
            LearnError: it cannot be read, is none, or is of other rules.
        """
        with read(path):
            text = path.read_bytes()
        try:
            data = parsed(text)
            schema = data.pop("schema")
            if schema != SCHEMA:
                raise LearnError(
                    _("{path} is of the schema {found}, not {known}", path=path, found=schema, known=SCHEMA)
                )
            found = cls(**data)
            if not fits(asdict(found), _SHAPE):
                raise ValueError
        except LearnError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError):
            raise LearnError(_("{path} is no manifest of `komadai learn`", path=path)) from None
        if found.rules not in variant.play_hashes:
            words = _(
                "{path} is of {found} under the rules {theirs}; those of {game} are {ours}",
                path=path,
                found=found.variant,
                theirs=str(found.rules)[:12],
                game=variant.id,
                ours=variant.play_hash[:12],
            )
            raise LearnError(words)
        return found

    def write(self, path: Path) -> None:
        """Write the manifest.

        Raises:
            LearnError: it cannot be written.
        """
        with written(path):
            write_whole(path, (json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1) + "\n").encode())

    def require(self, path: Path, asked: Mapping[str, Any]) -> None:
        """Check that what is asked for is what the manifest says.

        Raises:
            LearnError: it is not; everything that differs is named.
        """
        differing = [
            _(
                "{name} was {theirs}, now {ours}",
                name=name,
                theirs=json.dumps(getattr(self, name)),
                ours=json.dumps(value),
            )
            for name, value in asked.items()
            if getattr(self, name) != value
        ]
        if differing:
            words = _("{path} says otherwise; give the same options, or another folder", path=path)
            raise LearnError(f"{words}: {'; '.join(differing)}")

    @property
    def settings(self) -> Settings:
        """The settings with which the games are played."""
        return Settings.read(asdict(self))


_SHAPES = {
    "str": str,
    "int": int,
    "float": float,
    "float | None": (float, None),
    "dict[str, str]": {...: str},
}
_SHAPE = {one.name: _SHAPES[str(one.type)] for one in fields(Manifest)}


def digest(path: Path) -> str:
    """The SHA-256 of a file.

    Raises:
        LearnError: it cannot be read.
    """
    with read(path), path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
