"""Files of nets, which add to the hand-made evaluation (docs/reference/nets.md); ``native/net.hpp`` says how."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from .. import _core
from ..compiler import compile_variant
from ..compiler.symmetries import keeps_rules
from ..errors import WeightsError
from ..json_text import fits, parsed
from ..spec.symmetry import MIRROR
from ..spec.variant import Variant
from ..storage import write_whole

SUFFIX = ".net"
MAGIC = b"KMDANET 2\n"  # with the number of the format
_DIGEST = hashlib.sha256().digest_size
_TYPES = {"int8": "b", "int16": "h"}
"""The types that feature weights may have, by their names in a file."""
_COUNTS = {"features": 1, "hidden": 1, "phases": 1, "first": 0, "second": 0, "handmade": 1}
"""The counts in a file, each with the least that it may be."""
_HEAD = {"game": str, "rules": str, "weights": str, **dict.fromkeys(_COUNTS, int)}
_MOST = 1 << 24  # of a count


def shape_of(variant: Variant) -> _core.NetShape:
    """The features that nets of a variant see."""
    return _core.NetShape(compile_variant(variant).rules, keeps_rules(variant, MIRROR))


class Arrays(NamedTuple):
    """The numbers of a net in the order of a file, in whole numbers (``native/net.hpp``).

    Attributes:
        feature_weights: of type ``b`` or ``h``, by feature and hidden unit. ``feature_bias``: of ``h``, by unit.
        output_weights: of ``h``, by phase and unit, those of the side to move first; -127 to 127.
        output_bias: of ``i``, by phase.
        first_weights: of the first small layer, of ``h``, by phase, unit and pair of hidden units. ``first_bias``: of
            ``i``, by phase and unit. ``second_weights``, ``second_bias``: likewise, by phase, unit and input.
        last_weights: of ``h``, by phase and unit of the second layer. Without small layers these five are empty.
    """

    feature_weights: array[int]
    feature_bias: array[int]
    output_weights: array[int]
    output_bias: array[int]
    first_weights: array[int]
    first_bias: array[int]
    second_weights: array[int]
    second_bias: array[int]
    last_weights: array[int]


_CODES = "hhhihihih"
"""The types of the arrays; feature weights may have another."""


@dataclass(frozen=True, slots=True)
class Net:
    """A net with the hand-made weights that it adds to.

    Attributes:
        game: the id of the variant. ``rules``: its :attr:`~komadai.spec.variant.Variant.play_hash`.
        arrays: its numbers.
        handmade: array of type ``i``, the hand-made weights that it was trained over, in the order of
            :func:`~komadai.engine.evaluation.blocks`.
    """

    game: str
    rules: str
    arrays: Arrays
    handmade: array[int]

    @classmethod
    def of(cls, variant: Variant, arrays: Arrays, handmade: Sequence[int]) -> Self:
        """The net of a variant with these numbers, over these hand-made weights.

        Raises:
            WeightsError: their sizes, types or ranges do not fit the variant.
        """
        net = cls(variant.id, variant.play_hash, arrays, array("i", handmade))
        net.evaluation(variant)
        return net

    @property
    def hidden(self) -> int:
        """The hidden units of each side's view, a multiple of 16 up to 256."""
        return len(self.arrays.feature_bias)

    @property
    def phases(self) -> int:
        """The outputs, by the phase of the game."""
        return len(self.arrays.output_bias)

    @property
    def first(self) -> int:
        """The units of the first small layer; 0 without it."""
        return len(self.arrays.first_bias) // self.phases

    @property
    def second(self) -> int:
        """The units of the second small layer; 0 without it."""
        return len(self.arrays.second_bias) // self.phases

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
        weights = self.arrays.feature_weights
        head = {
            "game": self.game,
            "rules": self.rules,
            "features": len(weights) // self.hidden,
            "hidden": self.hidden,
            "phases": self.phases,
            "first": self.first,
            "second": self.second,
            "handmade": len(self.handmade),
            "weights": next(name for name, code in _TYPES.items() if code == weights.typecode),
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
        hidden, phases, first, second = (head[name] for name in ("hidden", "phases", "first", "second"))
        codes = (_TYPES[head["weights"]], *_CODES[1:], "i")
        counts = (
            head["features"] * hidden,
            hidden,
            2 * phases * hidden,
            phases,
            phases * first * hidden,
            phases * first,
            phases * second * 2 * first,
            phases * second,
            phases * second,
            head["handmade"],
        )
        sizes = [array(code).itemsize * count for code, count in zip(codes, counts, strict=True)]
        if len(rest) != sum(sizes):
            raise WeightsError(f"{path} has {len(rest)} bytes of weights; expected {sum(sizes)} by its own description")
        arrays, at = [], 0
        for code, size in zip(codes, sizes, strict=True):
            arrays.append(_little(array(code, rest[at : at + size])))
            at += size
        try:
            return cls.of(variant, Arrays(*arrays[:-1]), arrays[-1])
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
    if (
        fits(head, _HEAD)
        and head["weights"] in _TYPES
        and all(least <= head[name] <= _MOST for name, least in _COUNTS.items())
    ):
        return dict(head)
    raise WeightsError(f"{path} does not describe a net; expected game, rules and sizes in its second line")
