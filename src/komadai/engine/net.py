"""Nets that add to the hand-made evaluation, and their files. docs/reference/nets.md describes the format.

NumPy is not needed: the core takes whatever has a buffer.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
import zlib
from array import array
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..errors import NetError
from ..i18n import _
from ..spec.variant import Variant
from ..storage import data_folder, write_whole
from ..variants import own_options

MAGIC = b"KMDA-NET"
FORMAT = 1
WEIGHTS = files(__package__) / "weights"

_HEAD = struct.Struct("<8sII")  # magic, length and CRC-32 of the description
_MOST_DESCRIPTION = 1 << 16
_HIDDEN = range(16, 129, 16)
_HEAVIEST = 127  # of the output weights, without sign
_TYPES = {"int8": "b", "int16": "h"}


@dataclass(frozen=True)
class Net:
    """A net of one game.

    Attributes:
        about: the description in its file: the game, its rules hash, and whatever else is known of it.
        hidden: units of the hidden layer. ``phases``: outputs, of which the phase of the game chooses one.
        feature_weights: by feature and unit, in 255ths; ``array("h")``, or ``array("b")`` if all fit in bytes.
        feature_bias: by unit, likewise; ``array("h")``.
        output_weights: by phase and unit, those of the side to move first, in 64ths, from -127 to 127; ``array("h")``.
        output_bias: by phase, in 16320ths; ``array("i")``.
    """

    about: dict[str, Any]
    hidden: int
    phases: int
    feature_weights: array[int]
    feature_bias: array[int]
    output_weights: array[int]
    output_bias: array[int]

    @property
    def arrays(self) -> tuple[array[int], ...]:
        """The arrays as :class:`komadai._core.Evaluation` takes them."""
        return self.feature_weights, self.feature_bias, self.output_weights, self.output_bias

    @staticmethod
    def description(variant: Variant) -> dict[str, Any]:
        """The description of a net of a game."""
        return {
            "variant": variant.id,
            "version": variant.version,
            "options": dict(own_options(variant)),
            "rules": variant.play_hash,
        }

    def save(self, path: Path) -> None:
        """Write the file; the same net gives the same bytes.

        Raises:
            NetError: it cannot be written.
        """
        body = b"".join(map(_little, self.arrays))
        about = {
            **self.about,
            "format": FORMAT,
            "hidden": self.hidden,
            "phases": self.phases,
            "features": len(self.feature_weights) // self.hidden,
            "type": next(name for name, code in _TYPES.items() if code == self.feature_weights.typecode),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        text = json.dumps(about, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        try:
            write_whole(path, _HEAD.pack(MAGIC, len(text), zlib.crc32(text)), text, body)
        except OSError as error:
            raise NetError(_("{path} cannot be written: {why}", path=path, why=error.strerror)) from None

    @classmethod
    def load(cls, path: Path, variant: Variant) -> Net:
        """Read a file.

        Raises:
            NetError: it cannot be read, is no net, is damaged or cut off, or has other rules, other sizes or another
                format.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise NetError(_("{path} cannot be read: {why}", path=path, why=error.strerror)) from None
        about, body = _parts(data, path)
        if about["rules"] != variant.play_hash:
            words = _(
                "{path} is a net of {found} under the rules {theirs}; those of {game} are {ours}",
                path=path,
                found=str(about.get("variant"))[:40],
                theirs=str(about["rules"])[:12],
                game=variant.id,
                ours=variant.play_hash[:12],
            )
            raise NetError(words)
        return cls._of(about, body, variant, path)

    @classmethod
    def _of(cls, about: dict[str, Any], body: bytes, variant: Variant, path: Path) -> Net:
        shape = _core.NetShape(compile_variant(variant).rules)
        hidden: Any = about.get("hidden")
        phases: Any = about.get("phases")
        if about.get("features") != shape.features or hidden not in _HIDDEN or phases not in range(1, shape.phases + 1):
            words = _(
                "{path} has {features} features, {hidden} hidden units and {phases} phases; expected {known} features, "
                "a multiple of 16 up to 128, and at most {most} phases",
                path=path,
                **{name: str(about.get(name))[:12] for name in ("features", "hidden", "phases")},
                known=shape.features,
                most=shape.phases,
            )
            raise NetError(words)
        kinds = (_TYPES.get(str(about.get("type")), "h"), "h", "h", "i")
        lengths = (shape.features * hidden, hidden, 2 * hidden * phases, phases)
        sizes = [array(kind).itemsize * length for kind, length in zip(kinds, lengths, strict=True)]
        ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
        if ends[-1] != len(body) or hashlib.sha256(body).hexdigest() != about.get("sha256"):
            raise _damaged(path)
        parts = [
            _little_array(kind, body[end - size : end]) for kind, size, end in zip(kinds, sizes, ends, strict=True)
        ]
        if max(map(abs, parts[2])) > _HEAVIEST:
            raise _damaged(path)
        known = {name: about[name] for name in about.keys() - {"format", "sha256", "type", "features"}}
        return cls({name: known[name] for name in sorted(known.keys() - {"hidden", "phases"})}, hidden, phases, *parts)


def user_net(variant: Variant) -> Path:
    """The file of the user's own net of a game, whether it is there or not."""
    return data_folder() / "nets" / f"{variant.id}.net"


def default_net(variant: Variant) -> Net | None:
    """The net that the engine plays a game with: the user's own, or that of the package; one of other rules is passed
    over.

    Raises:
        NetError: the file is damaged.
    """
    for path in (user_net(variant), WEIGHTS / f"{variant.id}.net"):
        if isinstance(path, Path) and path.is_file():
            about, _body = _parts(path.read_bytes(), path)
            if about["rules"] == variant.play_hash:
                return Net.load(path, variant)
    return None


def _parts(data: bytes, path: Path) -> tuple[dict[str, Any], bytes]:
    """The description and the rest of a file.

    Raises:
        NetError: it is no net, damaged, or of another format.
    """
    if len(data) < _HEAD.size or not data.startswith(MAGIC):
        raise NetError(_("{path} is no net of Komadai", path=path))
    _magic, length, checksum = _HEAD.unpack_from(data)
    text = data[_HEAD.size : _HEAD.size + min(length, _MOST_DESCRIPTION)]
    if len(text) != length or zlib.crc32(text) != checksum:
        raise _damaged(path)
    try:
        about = json.loads(text)
        form, _rules = about["format"], about["rules"]
    except (ValueError, KeyError, TypeError):
        raise _damaged(path) from None
    if form != FORMAT:
        words = _(
            "{path} has format {found}; this version of Komadai reads format {known}",
            path=path,
            found=repr(form)[:20],
            known=FORMAT,
        )
        raise NetError(words)
    return about, data[_HEAD.size + length :]


def _damaged(path: Path) -> NetError:
    return NetError(_("{path} is damaged or cut off; make it again, or remove it", path=path))


def _little(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers.tobytes()


def _little_array(kind: str, data: bytes) -> array[int]:
    numbers: array[int] = array(kind, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
