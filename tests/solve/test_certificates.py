"""Certificates of solved games: they prove the value by the rules alone, and what is false in them is refused."""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.command import komadai_says, parsed
from helpers.solved import HELD, HUNT, ONE, RACE, TINY, solved
from helpers.volume import FULL
from komadai import solve
from komadai.compiler import compile_variant
from komadai.errors import TableError
from komadai.game.position import Position
from komadai.solve import Table, certificate, check
from komadai.solve.certificate import Entry
from komadai.solve.shape import index_of, shape_of
from komadai.solve.verify import verify as verify_natively
from komadai.spec.symmetry import IDENTITY, TURN
from komadai.spec.variant import Variant

SHORT = solve.open("nana-1998", drop_faces="front")  # Black wins in 25 plies
SOME = 1 if FULL else 5  # of so many entries one is checked by the reference, which is slow
Found = tuple[Entry, ...]
About = dict[str, Any]


@pytest.fixture(scope="module")
def found() -> Found:
    return certificate.strategy(SHORT)


@pytest.fixture(scope="module")
def drawn(folder: Path) -> Table:
    """Ki Shogi with two cubes, numbered by relative places: a draw, so that either side holds the value."""
    return solved(folder, ONE)


@pytest.fixture(scope="module")
def both(drawn: Table) -> Found:
    return certificate.strategy(drawn)


def write(path: Path, found: Found, table: Table = SHORT, **changes: object) -> Path:
    """A certificate whose hashes are right, whatever it says."""
    path.write_bytes(b"".join(certificate.packed(certificate.describe(table) | changes, found)))
    return path


def verify(path: Path, variant: Variant | None = None, *, every: int = 1) -> tuple[About, int]:
    """The description of a certificate that holds, and the number of its entries, of which some are checked."""
    about, strategy = check.read(path, variant)
    for number in range(0, len(strategy.entries), every):
        strategy.check(number)
    return about, len(strategy.entries)


def verify_slowly(path: Path, variant: Variant) -> None:
    """By the reference; a game of the catalogue is found by what the certificate says."""
    verify(path, None if variant is SHORT.variant else variant)


CHECKS = pytest.mark.parametrize("verifies", [verify_slowly, verify_natively], ids=["by the reference", "natively"])
Verifies = Callable[[Path, Variant], object]


def test_a_win_is_proved(tmp_path: Path) -> None:
    path = tmp_path / "win"
    found = certificate.write(SHORT, path)
    about, entries = verify(path, every=SOME)
    assert (about["outcome"], about["plies"], len(about["images"])) == ("win", 25, 4)
    assert entries == len(found) > 500
    assert Entry("3/3/3 b KRBkrb", 25, "K*2a") in found


@pytest.mark.parametrize("which", [pytest.param(one, id=one.id) for one in (TINY, HELD, HUNT, RACE, ONE)])
def test_the_value_of_made_up_games_is_proved(folder: Path, which: Variant) -> None:
    table = solved(folder, which)
    value = table.probe(Position(which))
    certificate.write(table, path := folder / f"{which.id}.certificate")
    about, _ = verify(path, which, every=SOME)
    assert value is not None
    assert (about["outcome"], about["plies"]) == (value.outcome, value.distance)
    reports: list[tuple[str, int, int]] = []
    assert verify_natively(path, which, progress=lambda *report: reports.append(report)) == about
    assert reports[-1] == ("entries", about["entries"], about["entries"])


def test_parts_and_samples_are_checked_on_the_command_line(tmp_path: Path, found: Found) -> None:
    path = write(tmp_path / "win", found)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "komadai.solve.check", str(path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    total = len(found)
    assert f"{total // 20} of {total} entries hold" in run("--part", "1/20").stdout
    assert "no more than" in (by_chance := run("--minutes", "0.001")).stdout
    assert by_chance.returncode == 0
    assert "is not I/N" in run("--part", "4/3").stderr
    path.write_bytes(path.read_bytes()[:-1])
    assert "refused: " in (cut := run()).stderr
    assert cut.returncode == 1


def test_the_command_line_checks_a_certificate_natively(tmp_path: Path, found: Found) -> None:
    path = write(tmp_path / "win", found)
    setting = ("solve", "nana-1998", "--rule", "drop_faces=front", "--check-certificate", str(path))
    assert f"all {len(found)} entries hold under 4 images" in (said := komadai_says(*setting)).out
    assert "win in 25 plies for Black at the start" in said.out
    assert parsed(*setting, "--json")["entries"] == len(found)
    ran = komadai_says("solve", "nana-1998", "--check-certificate", str(path))
    assert (ran.status, "is of nana-1998 --rule drop_faces=front and has rules" in ran.err) == (2, True)
    path.write_bytes(path.read_bytes()[:-1])
    assert "the hash of block" in komadai_says(*setting).err


def test_the_command_line_writes_a_certificate(tmp_path: Path, found: Found) -> None:
    setting, path = ("solve", "nana-1998", "--rule", "drop_faces=front"), tmp_path / "win"
    said = parsed(*setting, "--certificate", str(path), "--json")
    assert said["certificate"]["entries"] == len(found)
    assert path.read_bytes() == write(tmp_path / "expected", found).read_bytes()
    assert " positions; check it by" in komadai_says(*setting, "--certificate", str(path), "--force").out


def test_a_strategy_that_is_too_large_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST", 100)
    with pytest.raises(TableError, match="more than 100 entries"):
        certificate.write(SHORT, tmp_path / "large")
    assert not (tmp_path / "large").exists()


# --- What a file suffers ---


def test_a_flipped_byte_is_refused_wherever_it_is(tmp_path: Path, found: Found) -> None:
    data = write(tmp_path / "sound", found).read_bytes()
    for at in [*range(60), *range(60, len(data), 97), len(data) - 1]:
        damaged = bytearray(data)
        damaged[at] ^= 0x20
        (path := tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(TableError):
            check.read(path)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"[" * 100_000, b'{"format": 2, "variant": 3, "options": {}}'])
def test_a_description_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    head = struct.pack("<I", len(text)) + text
    (path := tmp_path / "strange").write_bytes(b"KMDPROOF" + hashlib.sha256(head).digest() + head)
    with pytest.raises(TableError):
        check.read(path)


# --- What somebody may have meant: all hashes are right ---


def entries(change: Callable[[list[Entry]], object]) -> Callable[[Found], Found]:
    """A change of the entries."""

    def changed(found: Found) -> Found:
        some = list(found)
        change(some)
        return tuple(some)

    return changed


def unchanged(found: Found) -> Found:
    return found


def other(**changes: Any) -> Callable[[Found], Found]:
    """Another move or distance in an entry behind the first."""
    return entries(lambda some: some.__setitem__(n := len(some) // 40, replace(some[n], **changes)))


def leading_out(variant: Variant) -> Callable[[Found], Found]:
    """Another legal move, after which a reply leads to a position that has no entry, not even under an image."""
    index = index_of(compile_variant(variant), shape_of(variant))

    def key(position: Position) -> int:
        return index.find(position._native)

    def change(some: list[Entry]) -> None:
        known = {key(Position(variant, entry.position)) for entry in some}
        for number, entry in enumerate(some):
            position = Position(variant, entry.position)
            for move in position.legal_moves():
                (after := position.copy()).push(move)
                for reply in after.legal_moves():
                    (then := after.copy()).push(reply)
                    if move.text != entry.move and then.outcome() is None and key(then) not in known:
                        some[number] = replace(entry, move=move.text)
                        return

    return entries(change)


def not_falling(some: list[Entry]) -> None:
    """Let an entry promise an end as late as that before it, as in a circle."""
    number = min(range(len(some)), key=lambda n: some[n].plies or 0)
    some[number] = replace(some[number], plies=25)


def images(*changes: dict[str, object]) -> dict[str, object]:
    """The images of the positions, those at the end changed."""
    some = certificate.describe(SHORT)["images"]
    first = len(some) - len(changes)
    return {"images": [*some[:first], *(one | change for one, change in zip(some[first:], changes, strict=True))]}


Lies = dict[str, tuple[str, Callable[[Found], Found], dict[str, object]]]
ANY_LIES: Lies = {
    "an entry left out": ("has no entry", entries(lambda some: some.pop(len(some) // 40)), {}),
    "two entries for one position": ("two entries", entries(lambda some: some.insert(7, some[7])), {}),
    "entries out of order": ("out of order", entries(lambda some: some.reverse()), {}),
    "no move": ("is illegal", other(move=""), {}),
}
LIES: Lies = ANY_LIES | {
    "a quicker win": ("the distance does not fall", unchanged, {"plies": 23}),
    "a draw instead of a win": ("no draw", unchanged, {"outcome": "draw"}),
    "a draw without plies instead of a win": ("no distance", unchanged, {"outcome": "draw", "plies": None}),
    "a loss instead of a win": ("has no entry", unchanged, {"outcome": "loss"}),
    "a win in less than nothing": ("does not fall", unchanged, {"plies": -1}),
    "another start": ("start", unchanged, {"start": "K2/3/2k b RBrb"}),
    "other rules": ("rules", unchanged, {"rules": "0" * 64}),
    "rules of another setting": ("rules|options", unchanged, {"options": {}}),
    "another format": ("format", unchanged, {"format": 1}),
    "an illegal move": ("is illegal", other(move="K*2b"), {}),
    "a move that leads out of the set": ("has no entry|not fall|wins later", leading_out(SHORT.variant), {}),
    "a distance that does not fall": ("does not fall", entries(not_falling), {}),
    "no distance": ("no distance", other(plies=None), {}),
    "an end at once where play goes on": ("wins later than is said", other(plies=0), {}),
    "an image that is no symmetry of the rules": ("has no image|has no entry", unchanged, images({"exchanges": False})),
    "an image under no map of the board": ("no permutation", unchanged, images({"map": (2, 0, 0, 1)})),
    "an image without the one that undoes it": (
        "no inverse",
        unchanged,
        images({"map": (0, -1, 1, 0), "exchanges": False}),
    ),
    "an image of fewer kinds": ("no permutation", unchanged, images({"kinds": (0, 0, 1)})),
    "an image with other kings": (
        "royal pieces of others",
        unchanged,
        images({"kinds": (1, 0, *range(2, 9))}),
    ),
    "no images, not even the position itself": ("identity", unchanged, {"images": []}),
}


LIES_OF_A_DRAW: Lies = ANY_LIES | {
    "a win instead of a draw": ("no distance", unchanged, {"outcome": "win", "plies": 9}),
    "a loss instead of a draw": ("no distance", unchanged, {"outcome": "loss", "plies": 8}),
    "a draw in so many plies": ("no draw", unchanged, {"plies": 8}),
    "one side alone": ("has no entry", entries(lambda some: some.pop()), {}),
    "a distance": ("no distance", other(plies=4), {}),
    "an illegal move": ("is illegal", other(move="K*1a"), {}),
    "a move that leads out of the set": ("has no entry", leading_out(ONE), {}),
    "an image that turns the board alone": (
        "has no image|has no entry",
        unchanged,
        {"images": [{"map": by, "exchanges": False, "kinds": [0, 1, 2, 3, 4, 5, 6]} for by in (IDENTITY, TURN)]},
    ),
}


@pytest.mark.parametrize(("draw", "lie"), [(False, lie) for lie in LIES] + [(True, lie) for lie in LIES_OF_A_DRAW])
@CHECKS
def test_what_is_meant_to_deceive_is_refused_with_the_place(
    tmp_path: Path, found: Found, drawn: Table, both: Found, *, draw: bool, lie: str, verifies: Verifies
) -> None:
    table, sound, lies = (drawn, both, LIES_OF_A_DRAW) if draw else (SHORT, found, LIES)
    message, change, changes = lies[lie]
    path = write(tmp_path / "lie", change(sound), table, **changes)
    with pytest.raises(TableError, match=message):
        verifies(path, table.variant)


@CHECKS
def test_a_flipped_byte_in_any_block_of_a_draw_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: Table, both: Found, verifies: Verifies
) -> None:
    monkeypatch.setattr(certificate, "_LINES", 16)
    path = write(tmp_path / "sound", both, drawn)
    about, data = check.read(path, ONE)[0], path.read_bytes()
    sizes = [size for size, _ in about["blocks"]]
    assert len(sizes) > 5
    first = len(data) - sum(sizes)
    for size in sizes:
        damaged = bytearray(data)
        damaged[first + size // 2] ^= 1
        first += size
        path.write_bytes(damaged)
        with pytest.raises(TableError, match="the hash of block"):
            verifies(path, ONE)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_wrong_number_of_entries_is_refused(tmp_path: Path, found: Found, more: int) -> None:
    data = write(tmp_path / "sound", found).read_bytes()
    length = struct.unpack_from("<I", data, 40)[0]
    about = json.loads(data[44 : 44 + length])
    about["entries"] += more
    text = json.dumps(about).encode()
    head = struct.pack("<I", len(text)) + text
    (path := tmp_path / "lie").write_bytes(data[:8] + hashlib.sha256(head).digest() + head + data[44 + length :])
    with pytest.raises(TableError, match="as announced"):
        check.read(path)


def test_bytes_after_the_last_block_are_refused(tmp_path: Path, found: Found) -> None:
    path = write(tmp_path / "lie", found)
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(TableError, match="too many"):
        check.read(path)
