"""``komadai mate``: mate problems checked, one or whole folders of them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from ...engine import Engine, Tsume
from ...errors import KomadaiError, NotationError
from ...game.position import Position
from ...record.files import detect, read
from ...record.tree import Record
from ...spec.variant import Variant
from ...variants import build
from .base import Command, duration, number
from .files import STANDARD, File, Use, refused
from .options import (
    as_json,
    game,
    given_position,
    notation,
    placed,
    print_json,
    rules,
    shown,
    warn,
    written,
    written_line,
)
from .record import contents, files_in

_SECONDS = 10.0  # for each problem, if no limit is given at all
_WARNINGS = 20  # problems named that cannot be read; the others are counted
_LENGTH = re.compile(
    r"(\d+)\s*(?:手詰|te\b)|(\d+)[-_ ]?pl(?:y|ies)\b|\bmate[-_ ]?(?:in[-_ ]?)?(\d+)|^\s*(\d+)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as text, of which many fit into memory, where it comes from, and the plies that its source says."""

    where: str
    variant: Variant
    start: str | None
    expected: int | None = None

    @property
    def position(self) -> Position:
        """Its position."""
        return Position.problem(self.variant, self.start)


@dataclass(frozen=True, slots=True)
class Checked:
    """A problem with what was found."""

    problem: Problem
    found: Tsume

    @property
    def solved(self) -> bool:
        """True if there is a mate, and it is as long as expected: by the conventions or against every defence."""
        expected = self.problem.expected
        lengths = (self.found.plies, self.found.plies_every_defence)
        return self.found.outcome == "mate" and (expected in lengths if expected else any(lengths))

    def data(self, style: str | None) -> dict[str, Any]:
        found = self.found
        return {
            "where": self.problem.where,
            "position": self.problem.position.sfen(),
            "expected": self.problem.expected,
            **{name: getattr(found, name) for name in ("outcome", "plies", "plies_every_defence")},
            "moves": [str(move) for move in found.moves],
            "written": written_line(self.problem.position, found.moves, style),
            "left_in_hand": dict(found.left_in_hand),
            "unique": found.unique,
            "other_first_moves": [str(move) for move in found.other_first_moves],
            "unique_later": found.unique_later,
            "other_later_moves": [[ply, str(move)] for ply, move in found.other_later_moves],
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
            "why": found.why,
            "solved": self.solved,
        }


def _judge(engine: Engine, problem: Problem, conventions: bool, seconds: float | None, nodes: int | None) -> Checked:
    if conventions:
        return Checked(problem, engine.tsume(problem.position, time=seconds, nodes=nodes))
    mate = engine.mate(problem.position, time=seconds, nodes=nodes)
    every = len(mate.pv) if mate.shortest else None
    found = Tsume(mate.outcome, mate.pv, None, every, nodes=mate.nodes, seconds=mate.seconds, why=mate.why)
    return Checked(problem, found)


@click.command(cls=Command)
@game
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    type=File(Use.READS, text=True),
    metavar="POSITION|FILES...",
    help="A position string in quotes, or - for one from standard input; or files and folders of problems: lists with "
    "one position a line, or records, of which the starting positions are taken.",
)
@rules
@click.option(
    "--tsume/--no-tsume",
    default=True,
    show_default=True,
    help="By the conventions of problems, or only the shortest mate.",
)
@click.option("--time", type=duration(), help="The time for each problem; 10s if there is no limit.")
@click.option("--nodes", type=number(1), help="Positions to look at for each problem.")
@notation
@as_json
def mate(
    game: str,
    sources: tuple[str, ...],
    rules: dict[str, str],
    tsume: bool,
    time: float | None,
    nodes: int | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Check mate problems: how long the shortest mate by checks is, and whether others mate too.

    The exit status is 0 if every problem is solved and as long as its source says, 1 if one is not, and 2 if something
    could not be read; after Ctrl-C 130.
    """
    variant = build(game, **rules)
    if time is None and nodes is None:
        time = _SECONDS
    if sources == (STANDARD,):
        sources = (given_position(STANDARD),)
    files = [Path(source) for source in sources]
    found = any(map(os.path.exists, sources))  # which a long position is not, either
    if not found and _is_position(sources):
        if len(sources) > 1:
            words = f"a position is one argument; put it in quotes: {shlex.quote(' '.join(sources)[:200])}"
            raise NotationError("mate", [words])
        position = placed(variant, given_position(sources[0]))
        checked = _judge(Engine(variant), Problem("", variant, position.sfen(ply=True)), tsume, time, nodes)
        print_json(checked.data(notation)) if as_json else _tell(checked, notation)
        raise Exit(0 if checked.solved else 1)
    if not found and len(files) == 1 and not files[0].suffix:
        words = "is neither a file nor a position string; expected a file, a folder, or BOARD SIDE HANDS in quotes"
        raise refused("POSITION|FILES", sources[0], f"{words}, as in '4k4/9/4P4/9/9/9/9/9/9 b G'")
    problems = _Problems(files_in(files), variant)
    results = list(_all(problems, tsume, time, nodes))
    if as_json:
        print_json([checked.data(notation) for checked in results])
    else:
        _table(results)
    if problems.interrupted:
        raise Exit(130)
    raise Exit(2 if problems.unread else 0 if all(checked.solved for checked in results) else 1)


def _is_position(words: Sequence[str]) -> bool:
    """True for the words of a position string: ranks, a side and hands, in one word or several."""
    parts = " ".join(words).removeprefix("sfen ").split()
    return len(parts) >= 2 and "/" in parts[0] and parts[1] in ("b", "w")


class _Problems:
    """The problems of files, read when they are asked for; those that cannot be read are named and counted."""

    def __init__(self, files: Sequence[Path], variant: Variant) -> None:
        self._files, self._variant = files, variant
        self.unread, self.interrupted = 0, False

    def __iter__(self) -> Iterator[Problem]:
        for path in self._files:
            try:
                content = contents(str(path))
            except KomadaiError as error:
                self._pass_over(str(error))
                continue
            named = _length(path.name) or _length(path.parent.name)
            if detect(content) == "usi":
                for at, line in enumerate(content.splitlines(), 1):
                    if line.partition("#")[0].strip():
                        yield from self._read(f"{path}:{at}", line, _length(line.partition("#")[2]) or named)
            else:
                yield from self._read(str(path), content, named)
        if self.unread > _WARNINGS:
            warn(f"{self.unread:,} passed over in all")

    def _read(self, where: str, text: str, expected: int | None) -> Iterator[Problem]:
        try:
            records = read(text, self._variant)
            for record in records:
                Position.problem(record.variant, record.start)
        except KomadaiError as error:
            self._pass_over(f"{where}: {str(error).removeprefix('USI: line 1: ')}")
            return
        for count, record in enumerate(records, 1):
            place = f"{where} #{count}" if len(records) > 1 else where
            yield Problem(place, record.variant, record.start, _stated_length(record) or expected)

    def _pass_over(self, words: str) -> None:
        self.unread += 1
        if self.unread <= _WARNINGS:
            warn(f"{words[:500]}; passed over")


def _stated_length(record: Record) -> int | None:
    """The length that a record's headers or its first comment say."""
    texts = [*(value for _, value in record.headers), record.nodes[0].comment]
    return next((length for text in texts if "手詰" in text and (length := _length(text))), None)


def _length(text: str) -> int | None:
    """The plies that a text says a problem has; they are odd."""
    found = _LENGTH.search(text)
    length = int(next(filter(None, found.groups()))[:4]) if found else 0
    return length if length % 2 else None


def _all(problems: _Problems, tsume: bool, time: float | None, nodes: int | None) -> Iterator[Checked]:
    """Check all problems, with a progress bar on a terminal; Ctrl-C ends with those that are checked."""
    engine: Engine | None = None
    every = list(problems)
    try:
        with shown(every, "checking") as checking:
            for problem in checking:
                if engine is None or engine.variant != problem.variant:
                    engine = Engine(problem.variant)
                yield _judge(engine, problem, tsume, time, nodes)
    except KeyboardInterrupt:
        problems.interrupted = True
        warn("interrupted")


def _tell(checked: Checked, style: str | None) -> None:
    """Print what was found about one problem."""
    found, position = checked.found, checked.problem.position
    if found.outcome != "mate":
        print("no mate by checks alone" if found.outcome == "no mate" else f"not known: {found.why}")
        return
    print(f"{_lengths(found)}: {' '.join(written_line(position, found.moves, style))}")
    if found.left_in_hand:
        print(f"left in hand: {' '.join(f'{n} {kind}' if n > 1 else kind for kind, n in found.left_in_hand)}")
    if found.unique:
        print("no other first move mates")
    elif found.other_first_moves:
        print(f"other first moves: {' '.join(written(position, move, style) for move in found.other_first_moves)}")
    at = position.copy()
    for ply, move in enumerate(found.moves, 1):
        others = [written(at, other, style) for known, other in found.other_later_moves if known == ply]
        if others:
            print(f"other moves at ply {ply}: {' '.join(others)}")
        at.push(move)
    if found.why:
        print(found.why)


def _lengths(found: Tsume) -> str:
    plies, every = found.plies, found.plies_every_defence
    if plies is None and every is None:
        return f"mate in {len(found.moves)} or less"
    text = f"mate in {plies or every}"
    return f"{text} ({every} against every defence)" if plies and every and plies != every else text


def _table(results: Sequence[Checked]) -> None:
    """Print a line for each problem, and the totals."""
    rows: list[tuple[str, ...]] = [("problem", "given", "plies", "every", "unique", "left", "seconds", "")]
    for checked in results:
        found, expected = checked.found, checked.problem.expected
        word = "ok" if checked.solved else "other length" if any((found.plies, found.plies_every_defence)) else None
        rows.append(
            (
                checked.problem.where,
                "" if expected is None else str(expected),
                *("" if plies is None else str(plies) for plies in (found.plies, found.plies_every_defence)),
                {True: "yes", False: "no", None: ""}[found.unique],
                "".join(f"{kind}{n if n > 1 else ''}" for kind, n in found.left_in_hand),
                f"{found.seconds:.2f}",
                word or (found.outcome if found.outcome != "mate" else "length unknown"),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        aligned = zip(row, widths, "<>>><<><", strict=True)
        print("  ".join(f"{cell:{side}{width}}" for cell, width, side in aligned).rstrip())
    solved, unique = sum(one.solved for one in results), sum(one.found.unique is True for one in results)
    seconds = sum(one.found.seconds for one in results)
    print(f"{solved} of {len(results)} solved, {unique} with one first move alone, {seconds:.1f} s")
