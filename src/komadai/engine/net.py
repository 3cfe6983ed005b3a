"""Files of nets, which add to the hand-made evaluation (docs/reference/nets.md); ``native/net.hpp`` says how."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from .. import _core
from ..compiler import compile_variant
from ..compiler.symmetries import keeps_rules
from ..errors import WeightsError
from ..json_text import fits, parsed
from ..spec.symmetry import MIRROR
from ..spec.variant import Variant
from ..storage import write_whole

SUFFIX = ".net"
MAGIC = b"KMDANET 1\n"  # with the number of the format
_DIGEST = hashlib.sha256().digest_size
_TYPES = {"int8": "b", "int16": "h"}
"""The types that feature weights may have, by their names in a file."""
_COUNTS = ("features", "hidden", "phases", "handmade")
_HEAD = {"game": str, "rules": str, "weights": str, **dict.fromkeys(_COUNTS, int)}
_MOST = 1 << 24  # of a count


def shape_of(variant: Variant) -> _core.NetShape:
    """The features that nets of a variant see."""
    return _core.NetShape(compile_variant(variant).rules, keeps_rules(variant, MIRROR))


@dataclass(frozen=True, slots=True)
class Net:
    """A net with the hand-made weights that it adds to, in whole numbers.

    Attributes:
        game: the id of the variant. ``rules``: its :attr:`~komadai.spec.variant.Variant.play_hash`.
        hidden: units of the hidden layer for each side's view, a multiple of 16 up to 128.
        phases: outputs, by the phase of the game.
        feature_weights: array of type ``b`` or ``h``, by feature and unit. ``feature_bias``: of ``h``, by unit.
        output_weights: array of type ``h``, by phase and unit, those of the side to move first; -127 to 127.
        output_bias: array of type ``i``, by phase.
        handmade: array of type ``i``, the hand-made weights that it was trained over, in the order of
            :func:`~komadai.engine.evaluation.blocks`.
    """

    game: str
    rules: str
    hidden: int
    phases: int
    feature_weights: array[int]
    feature_bias: array[int]
    output_weights: array[int]
    output_bias: array[int]
    handmade: array[int]

    @classmethod
    def of(cls, variant: Variant, arrays: Sequence[array[int]], handmade: Sequence[int]) -> Self:
        """The net of a variant with its four arrays, in the order of the attributes, over these hand-made weights.

        Raises:
            WeightsError: their sizes or types do not fit the variant.
        """
        hidden, phases = len(arrays[1]), len(arrays[3])
        numbers = (*arrays, array("i", handmade))
        net = cls(variant.id, variant.play_hash, hidden, phases, *numbers)
        net.evaluation(variant)
        return net

    @property
    def arrays(self) -> tuple[array[int], ...]:
        """The four arrays of the net itself, in the order in which the core and files have them."""
        return self.feature_weights, self.feature_bias, self.output_weights, self.output_bias

    def evaluation(self, variant: Variant) -> _core.Evaluation:
        """The native evaluation of the variant: the hand-made weights and what this net adds.

        Raises:
            WeightsError: the arrays do not fit the variant.
        """
        try:
            mirrored = keeps_rules(variant, MIRROR)
            return _core.Evaluation(compile_variant(variant).rules, self.handmade.tolist(), self.arrays, mirrored)
        except ValueError as error:
            raise WeightsError(f"this is no net of {variant.id}: {error}") from None

    def save(self, path: Path | str) -> None:
        """Write the net; the same net gives the same bytes.

        Raises:
            OSError: the file cannot be written.
        """
        head = {
            "game": self.game,
            "rules": self.rules,
            "features": len(self.feature_weights) // self.hidden,
            "hidden": self.hidden,
            "phases": self.phases,
            "handmade": len(self.handmade),
            "weights": next(name for name, code in _TYPES.items() if code == self.feature_weights.typecode),
        }
        text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        body = b"".join((MAGIC, text, *(_little(one).tobytes() for one in (*self.arrays, self.handmade))))
        write_whole(Path(path), body, hashlib.sha256(body).digest())

    @classmethod
    def load(cls, path: Path | str, variant: Variant) -> Self:
        """Read a net of the variant.

        Raises:
            WeightsError: the file cannot be read, is no net, is damaged, or is of another game or other rules.
        """
        try:
            return cls.read(Path(path).read_bytes(), variant, str(path))
        except OSError as error:
            raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from None

    @classmethod
    def read(cls, data: bytes, variant: Variant, path: str) -> Self:
        """The net that the bytes of a file are; ``path`` is the file's name in messages.

        Raises:
            WeightsError: they are none, are damaged, or are of another game or other rules.
        """
        if not data.startswith(MAGIC):
            raise WeightsError(f"{path} is no net; expected a file that begins with {MAGIC.decode().strip()!r}")
        body = data[:-_DIGEST]
        if hashlib.sha256(body).digest() != data[-_DIGEST:]:
            raise WeightsError(f"{path} is damaged or cut off, its check sum is wrong; take it anew")
        text, _newline, rest = body[len(MAGIC) :].partition(b"\n")
        head = _head(text, path)
        if head["rules"] not in variant.play_hashes:
            words = f"a net of {head['game'][:40]}, not of {variant.id} with these rules"
            raise WeightsError(f"{path} is {words}; choose one of this game")
        hidden, phases = head["hidden"], head["phases"]
        codes = (_TYPES[head["weights"]], "h", "h", "i", "i")
        counts = (head["features"] * hidden, hidden, 2 * phases * hidden, phases, head["handmade"])
        sizes = [array(code).itemsize * count for code, count in zip(codes, counts, strict=True)]
        if len(rest) != sum(sizes):
            raise WeightsError(f"{path} has {len(rest)} bytes of weights; expected {sum(sizes)} by its own description")
        arrays, at = [], 0
        for code, size in zip(codes, sizes, strict=True):
            arrays.append(_little(array(code, rest[at : at + size])))
            at += size
        try:
            return cls.of(variant, arrays[:-1], arrays[-1])
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None


def _little(numbers: array[int]) -> array[int]:
    """The same array in the order of bytes that files have, or back from it."""
    if sys.byteorder == "little":
        return numbers
    swapped = numbers[:]
    swapped.byteswap()
    return swapped


def _head(text: bytes, path: str) -> dict[str, Any]:
    """The description of a net, sound by itself.

    Raises:
        WeightsError: it is not.
    """
    try:
        head = parsed(text)
    except ValueError:
        head = None
    if fits(head, _HEAD) and head["weights"] in _TYPES and all(0 < head[name] <= _MOST for name in _COUNTS):
        return dict(head)
    raise WeightsError(f"{path} does not describe a net; expected game, rules and sizes in its second line")
