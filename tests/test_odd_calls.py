"""The public interface called with odd values: a wrong type is a TypeError, an unknown name or value a KomadaiError,
and no message is long, whatever it was given."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import komadai
from helpers.odd_calls import LONG, MOST_LETTERS, Target, calls, targets
from helpers.volume import FULL
from komadai.errors import KomadaiError, NotationError
from komadai.spec.setup import Setup
from komadai.typed import typed

CALLS = 60 if FULL else 4
"""Of each target."""
SEQUENCE = {"__getitem__": IndexError, "pop": IndexError, "index": ValueError}
"""What sequences raise as Python's do, by the name of the method."""


def _fault(target: Target, lots: random.Random) -> str | None:
    """What is wrong with the answer to an odd call."""
    values = next(calls(target, lots, 1))
    function = target.get()
    try:
        found = function(**values) if target.named else function(*values.values())
        if hasattr(found, "__next__"):
            next(found, None)
    except (TypeError, KomadaiError) as error:
        said = str(error)
        if len(said) > MOST_LETTERS or LONG[:201] in said or "9" * 201 in said:
            return f"says {len(said)} letters: {said[:300]}"
    except OSError:
        pass
    except SEQUENCE.get(target.name.rpartition(".")[2], TypeError):
        pass
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.200}"
    return None


def test_odd_values_are_refused_by_errors_of_one_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = list(targets())
    assert len(found) > 350
    faults = []
    for target in found:
        lots = random.Random(f"54 {target.name}")
        for number in range(CALLS):
            if (fault := _fault(target, lots)) is not None:
                faults.append(f"{target.name}, call {number}: {fault}")
    assert not faults


def test_an_unknown_name_is_named_with_those_there_are() -> None:
    shogi = komadai.variant("shogi")
    with pytest.raises(NotationError, match=r"shogi: there is no piece 'X'; there are K R B"):
        shogi.kind("X")
    with pytest.raises(NotationError, match=r"shogi: there is no option 'colour' in force; there are "):
        shogi.option("colour")


def test_a_setup_of_another_size_is_refused() -> None:
    for odd in (Setup((), ((), ()), "b"), Setup((None,) * 81, ((0,), (0,)), "b")):
        with pytest.raises(NotationError, match=r"setup: has \(.*\) squares and kinds in hand; expected \(81, 7, 7\)"):
            komadai.Position("shogi", odd)


def test_a_fault_of_our_own_is_no_wrong_type() -> None:
    @typed
    def size(of: object) -> int:
        return of.size  # type: ignore[attr-defined, no-any-return]

    @typed
    def faulty(of: object) -> object:
        return komadai.Position("nana").no_such_thing  # type: ignore[attr-defined]

    with pytest.raises(TypeError, match="size: 'abc' is of the type str, which has no size"):
        size("abc")
    with pytest.raises(TypeError, match="is of the type Position, which has no size"):
        size(komadai.Position("nana"))
    with pytest.raises(AttributeError, match="no_such_thing"):
        faulty(1)
