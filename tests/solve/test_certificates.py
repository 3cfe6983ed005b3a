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
from komadai import solve
from komadai.errors import TableError
from komadai.game.position import Position
from komadai.solve import Table, certificate, check
from komadai.solve.certificate import Entry, Strategy
from komadai.solve.verify import verify as verify_natively
from komadai.spec.variant import Variant

SHORT = solve.open("nana-1998", drop_faces="front")  # Black wins in 25 plies
Found = tuple[Strategy, ...]
About = dict[str, Any]


@pytest.fixture(scope="module")
def found() -> Found:
    return certificate.strategies(SHORT)


@pytest.fixture(scope="module")
def drawn(folder: Path) -> Table:
    """Ki Shogi with two cubes, numbered by relative places: a draw, which takes a strategy for either side."""
    return solved(folder, ONE)


@pytest.fixture(scope="module")
def both(drawn: Table) -> Found:
    return certificate.strategies(drawn)


def write(path: Path, found: Found, table: Table = SHORT, **changes: object) -> Path:
    """A certificate whose hashes are right, whatever it says."""
    path.write_bytes(b"".join(certificate.packed(certificate.describe(table) | changes, found)))
    return path


def verify(path: Path, variant: Variant | None = None) -> tuple[About, int]:
    """The description of a certificate that holds, and the number of its entries."""
    about, strategies = check.read(path, variant)
    for strategy in strategies:
        for number in range(len(strategy.entries)):
            strategy.check(number)
    return about, sum(len(strategy.entries) for strategy in strategies)


def verify_slowly(path: Path, variant: Variant) -> None:
    """By the reference; a game of the catalogue is found by what the certificate says."""
    verify(path, None if variant is SHORT.variant else variant)


CHECKS = pytest.mark.parametrize("verifies", [verify_slowly, verify_natively], ids=["by the reference", "natively"])
Verifies = Callable[[Path, Variant], object]


def test_a_win_is_proved(tmp_path: Path) -> None:
    path = tmp_path / "win"
    (strategy,) = certificate.write(SHORT, path)
    about, entries = verify(path)
    assert (about["outcome"], about["plies"], strategy.side, strategy.first) == ("win", 25, "b", "K*2a")
    assert entries == len(strategy.entries) > 500


@pytest.mark.parametrize("which", [pytest.param(one, id=one.id) for one in (TINY, HELD, HUNT, RACE, ONE)])
def test_the_value_of_made_up_games_is_proved(folder: Path, which: Variant) -> None:
    table = solved(folder, which)
    value = table.probe(Position(which))
    certificate.write(table, path := folder / f"{which.id}.certificate")
    about, _ = verify(path, which)
    assert value is not None
    assert (about["outcome"], about["plies"]) == (value.outcome, value.distance)
    reports: list[tuple[str, int, int]] = []
    assert verify_natively(path, which, progress=lambda *report: reports.append(report)) == about
    assert [(done, total) for stage, done, total in reports if stage == f"entries of {about['strategies'][0]['side']}"][
        -1
    ] == (about["strategies"][0]["entries"],) * 2


def test_parts_and_samples_are_checked_on_the_command_line(tmp_path: Path, found: Found) -> None:
    path = write(tmp_path / "win", found)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "komadai.solve.check", str(path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    total = len(found[0].entries)
    assert f"{total // 3} of {total} entries hold" in run("--part", "1/3").stdout
    assert "no more than" in (by_chance := run("--minutes", "0.001")).stdout
    assert by_chance.returncode == 0
    assert "is not I/N" in run("--part", "4/3").stderr
    path.write_bytes(path.read_bytes()[:-1])
    assert "refused: " in (cut := run()).stderr
    assert cut.returncode == 1


def test_the_command_line_checks_a_certificate_natively(tmp_path: Path, found: Found) -> None:
    path = write(tmp_path / "win", found)
    setting = ("solve", "nana-1998", "-o", "drop_faces=front", "--check-certificate", str(path))
    assert f"Black: all {len(found[0].entries)} entries hold" in (said := komadai_says(*setting)).out
    assert "win in 25 plies for Black at the start" in said.out
    assert parsed(*setting, "--json")["entries"] == {"b": len(found[0].entries)}
    assert komadai_says("solve", "nana-1998", "--check-certificate", str(path)).status == 2  # other rules
    path.write_bytes(path.read_bytes()[:-1])
    assert "the hash of block" in komadai_says(*setting).err


def test_the_command_line_takes_a_table_and_writes_a_certificate(tmp_path: Path) -> None:
    setting, path = ("solve", "nana-1998", "-o", "drop_faces=front"), tmp_path / "win"
    said = parsed(*setting, "--table", str(SHORT.path), "--certificate", str(path), "--json")
    assert said["file"] == str(SHORT.path)
    assert said["certificate"]["entries"] == {"b": verify(path)[1]}
    assert "for Black; check it by" in komadai_says(*setting, "--certificate", str(path)).out
    assert komadai_says("solve", "nana", "--table", str(SHORT.path)).status == 2  # of another game


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


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"[" * 100_000, b'{"format": 1, "variant": 3, "options": {}}'])
def test_a_description_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    head = struct.pack("<I", len(text)) + text
    (path := tmp_path / "strange").write_bytes(b"KMDPROOF" + hashlib.sha256(head).digest() + head)
    with pytest.raises(TableError):
        check.read(path)


# --- What somebody may have meant: all hashes are right ---


def entries(change: Callable[[list[Entry]], object]) -> Callable[[Found], Found]:
    """A change of the entries of the one strategy."""

    def changed(found: Found) -> Found:
        some = list(found[0].entries)
        change(some)
        return (replace(found[0], entries=tuple(some)),)

    return changed


def at_fork(some: list[Entry]) -> int:
    """The number of an entry with several replies, one of whose answers leads to an entry with replies."""
    return next(n for n, entry in enumerate(some) if len(entry.answers) > 3 and (entry.plies or 0) > 6)


def answer(some: list[Entry], *answers: str) -> None:
    """Give other answers to the first replies of an entry."""
    number = at_fork(some)
    some[number] = replace(some[number], answers=(*answers, *some[number].answers[len(answers) :]))


def leading_out(some: list[Entry], variant: Variant = SHORT.variant) -> None:
    """Answer by a legal move that leads to no entry."""
    known = {entry.position for entry in some}
    for number, entry in enumerate(some):
        position = Position(variant, entry.position)
        for place, reply in enumerate(sorted(move.text for move in position.legal_moves())):
            (after := position.copy()).push(reply)
            for move in after.legal_moves():
                (then := after.copy()).push(move)
                if then.sfen().rsplit(" ", 1)[0] not in known and then.sfen() not in known:
                    answers = (*entry.answers[:place], move.text, *entry.answers[place + 1 :])
                    some[number] = replace(entry, answers=answers)
                    return


def not_falling(some: list[Entry]) -> None:
    """Let an entry promise an end as late as that before it, as in a circle."""
    number = min(range(len(some)), key=lambda n: some[n].plies or 0)
    some[number] = replace(some[number], plies=25)


LIES: dict[str, tuple[str, Callable[[Found], Found], dict[str, object]]] = {
    "a quicker win": ("the distance does not fall", lambda found: found, {"plies": 23}),
    "a draw instead of a win": ("draw", lambda found: found, {"outcome": "draw", "plies": None}),
    "a loss instead of a win": ("loss", lambda found: found, {"outcome": "loss"}),
    "a win in less than nothing": ("-1 plies", lambda found: found, {"plies": -1}),
    "another start": ("start", lambda found: found, {"start": "K2/3/2k b RBrb"}),
    "other rules": ("rules", lambda found: found, {"rules": "0" * 64}),
    "rules of another setting": ("rules|options", lambda found: found, {"options": {}}),
    "another format": ("format", lambda found: found, {"format": 2}),
    "an entry left out": ("has no entry", entries(lambda some: some.pop(len(some) // 2)), {}),
    "two entries for one position": ("two entries", entries(lambda some: some.insert(7, some[7])), {}),
    "entries out of order": ("out of order", entries(lambda some: some.reverse()), {}),
    "a reply without an answer": (
        "answers",
        entries(lambda some: some.__setitem__(n := at_fork(some), replace(some[n], answers=some[n].answers[1:]))),
        {},
    ),
    "an illegal answer": ("is illegal", entries(lambda some: answer(some, "K*2b")), {}),
    "an end where play goes on": ("does not fit how", entries(lambda some: answer(some, "-")), {}),
    "an answer that leads out of the set": ("has no entry", entries(leading_out), {}),
    "a distance that does not fall": ("does not fall", entries(not_falling), {}),
    "no distance": ("no distance", entries(lambda some: some.__setitem__(0, replace(some[0], plies=None))), {}),
    "an end at once where there are replies": (
        "do not fit",
        entries(lambda some: some.__setitem__(n := at_fork(some), replace(some[n], plies=0))),
        {},
    ),
    "another first move": ("start", lambda found: (replace(found[0], first="K*1a"),), {}),
    "the strategy of the other side": ("no win", lambda found: (replace(found[0], side="w"),), {}),
}


@pytest.mark.parametrize("lie", LIES)
@CHECKS
def test_what_is_meant_to_deceive_is_refused_with_the_place(
    tmp_path: Path, found: Found, lie: str, verifies: Verifies
) -> None:
    message, change, changes = LIES[lie]
    path = write(tmp_path / "lie", change(found), **changes)
    with pytest.raises(TableError, match=message):
        verifies(path, SHORT.variant)


def of_white(change: Callable[[list[Entry]], object]) -> Callable[[Found], Found]:
    """A change of the entries of White's strategy."""

    def changed(found: Found) -> Found:
        return (found[0], *entries(change)(found[1:]))

    return changed


def answers_of_many(some: list[Entry], *answers: str, drop: int = 0) -> None:
    """Put other answers before those of the entry with the most replies, of which the first ``drop`` are left out."""
    number = max(range(len(some)), key=lambda n: len(some[n].answers))
    some[number] = replace(some[number], answers=(*answers, *some[number].answers[drop:]))


def with_the_other_side_to_move(some: list[Entry]) -> None:
    """Add a position in which White moves."""
    some.append(replace(some[-1], position=some[-1].position.replace(" b ", " w ")))


LIES_OF_A_DRAW: dict[str, tuple[str, Callable[[Found], Found], dict[str, object]]] = {
    "a win instead of a draw": ("no win", lambda both: both, {"outcome": "win", "plies": 9}),
    "a loss instead of a draw": ("no loss", lambda both: both, {"outcome": "loss", "plies": 8}),
    "a draw in so many plies": ("no draw", lambda both: both, {"plies": 8}),
    "the strategy of one side alone": ("no draw", lambda both: both[:1], {}),
    "the sides exchanged": ("no draw", lambda both: both[::-1], {}),
    "another first move": ("start", lambda both: (replace(both[0], first="K*1a"), both[1]), {}),
    "an entry left out": ("has no entry", of_white(lambda some: some.pop(len(some) // 2)), {}),
    "two entries for one position": ("two entries", of_white(lambda some: some.insert(7, some[7])), {}),
    "entries out of order": ("out of order", of_white(lambda some: some.reverse()), {}),
    "a distance": ("no distance", of_white(lambda some: some.__setitem__(0, replace(some[0], plies=4))), {}),
    "a reply without an answer": ("do not fit", of_white(lambda some: answers_of_many(some, drop=1)), {}),
    "an answer too many": ("do not fit", of_white(lambda some: answers_of_many(some, "K*1a")), {}),
    "an illegal answer": ("is illegal", of_white(lambda some: answers_of_many(some, "K*1a", drop=1)), {}),
    "an end where play goes on": ("does not fit how", of_white(lambda some: answers_of_many(some, "-", drop=1)), {}),
    "an answer that leads out of the set": ("has no entry", of_white(lambda some: leading_out(some, ONE)), {}),
    "a position with the wrong side to move": ("to move|can come next", of_white(with_the_other_side_to_move), {}),
}


@pytest.mark.parametrize("lie", LIES_OF_A_DRAW)
@CHECKS
def test_what_is_meant_to_deceive_about_a_draw_is_refused(
    tmp_path: Path, drawn: Table, both: Found, lie: str, verifies: Verifies
) -> None:
    message, change, changes = LIES_OF_A_DRAW[lie]
    path = write(tmp_path / "lie", change(both), drawn, **changes)
    with pytest.raises(TableError, match=message):
        verifies(path, ONE)


@CHECKS
def test_a_flipped_byte_in_any_block_of_a_draw_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: Table, both: Found, verifies: Verifies
) -> None:
    monkeypatch.setattr(certificate, "_LINES", 32)
    path = write(tmp_path / "sound", both, drawn)
    about, data = check.read(path, ONE)[0], path.read_bytes()
    sizes = [size for strategy in about["strategies"] for size, _ in strategy["blocks"]]
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
    about["strategies"][0]["entries"] += more
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
