"""``komadai match``: the words of its command line, and the match they ask for."""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ...engine import MAX_DEPTH, STRONGEST
from ...engine.clock import Clock
from ...engine.levels import ladder as levels_of
from ...errors import NotationError
from ...json_text import parsed
from ...lab.arena import ladder as ladders
from ...lab.arena.crosstable import Standings
from ...lab.arena.openings import (
    RANDOM,
    Balanced,
    Opening,
    balanced_openings,
    parse_balanced,
    parse_opening,
    read_openings,
)
from ...lab.arena.pair_jobs import portable
from ...lab.arena.players import Spec, files_of, parse_player
from ...lab.arena.referee import Balance, Played, Resignation, Terms
from ...lab.arena.results import SCHEMA, Results
from ...lab.arena.spread import SpreadTournament
from ...lab.arena.state_file import Games, State, as_text, header, now
from ...lab.arena.statistics import Sprt
from ...lab.arena.tournament import Fixture, Settings, Tournament
from ...lab.external_engine.requests import SearchLimits
from ...spec.variant import Variant
from ...storage import is_stream, unfinished
from ...variants import build, standard
from .files import Force, Use, check, refused, write
from .solve import solve_first
from .spread import Spread, Workers, log, spreading

_GAMES = 100  # of each pairing, unless said otherwise
_TEST_GAMES = 50_000  # the same with a sequential test, which ends the match
_OPENINGS = 500  # most made by default
_WIDE = 250  # columns
_MOVETIME = 0.1  # seconds, if no limit is given at all
_PLIES = 500  # after which a game is drawn


class Holder(Protocol):
    """Plays the games of a match: here, or by workers."""

    names: list[str]

    def halt(self) -> None:
        """End the match soon; games that are not over are not counted."""

    def close(self) -> None:
        """Give back what the match holds."""

    def run(
        self,
        settings: Settings,
        games: int,
        report: Callable[[Fixture, Played], object],
        *,
        played: Container[int] = (),
    ) -> None:
        """Play all games of the schedule except the numbers in ``played``."""


class _Bar:
    """Shows on a terminal how far something has come."""

    def __init__(self, console: Console, total: int) -> None:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self.bars.add_task("", total=total)

    def __call__(self, done: int, said: str) -> None:
        self.bars.update(self._task, completed=done, description=said)


def numbers(about: str, text: str, words: Sequence[str], *, least: int, separator: str = ",") -> list[float]:
    """The numbers of an option that has several; the first ``least`` must be there.

    Raises:
        NotationError: too few, too many, or not numbers.
    """
    expected = f"expected {separator.join(words[:least])}" + "".join(f"[{separator}{word}]" for word in words[least:])
    try:
        found = [float(part) for part in text.split(separator)]
    except ValueError:
        raise NotationError(f"{about} {text!r}", [expected]) from None
    if not least <= len(found) <= len(words) or any(number != number or abs(number) > 1e9 for number in found):
        raise NotationError(f"{about} {text!r}", [expected])
    return found


def parse_clock(text: str) -> SearchLimits:
    """The clocks of ``MAIN+INCREMENT+BYOYOMI``, in seconds.

    Raises:
        NotationError: no such numbers, or no time at all.
    """
    main, increment, byoyomi, *_ = (
        *numbers("--clock", text, ("MAIN", "INCREMENT", "BYOYOMI"), least=1, separator="+"),
        0.0,
        0.0,
    )
    if min(main, increment, byoyomi) < 0 or main + byoyomi <= 0:
        raise NotationError(f"--clock {text!r}", ["leaves no time; expected seconds, some above 0 and none below"])
    clock = Clock(main, increment, byoyomi)
    return SearchLimits(clocks=(clock, clock))


def parse_sprt(text: str) -> Sprt:
    """The test of ``ELO0,ELO1[,ALPHA[,BETA]]``.

    Raises:
        NotationError: no such numbers, ``ELO0`` not below ``ELO1``, or chances of error that make no test.
    """
    test = Sprt(*numbers("--sprt", text, ("ELO0", "ELO1", "ALPHA", "BETA"), least=2))
    if not -1000 <= test.elo0 < test.elo1 <= 1000:
        raise NotationError(f"--sprt {text!r}", ["expected ELO0 below ELO1, from -1000 to 1000"])
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise NotationError(f"--sprt {text!r}", ["expected ALPHA and BETA between 0 and 0.5"])
    return test


def parse_resign(text: str) -> Resignation:
    """The rule of ``SCORE,MOVES[,both]``.

    Raises:
        NotationError: no such numbers.
    """
    both = text.endswith(",both")
    score, moves = numbers("--resign", text.removesuffix(",both"), ("SCORE", "MOVES"), least=2)
    if score < 1 or moves < 1:
        raise NotationError(f"--resign {text!r}", ["expected numbers above 0"])
    return Resignation(int(score), int(moves), both)


def parse_draw(text: str) -> Balance:
    """The rule of ``SCORE,MOVES[,PLY]``.

    Raises:
        NotationError: no such numbers.
    """
    score, moves, *ply = numbers("--draw", text, ("SCORE", "MOVES", "PLY"), least=2)
    if score < 0 or moves < 1:
        raise NotationError(f"--draw {text!r}", ["expected SCORE 0 or more and MOVES 1 or more"])
    return Balance(int(score), int(moves), int(ply[0]) if ply else 0)


def find_openings(
    variant: Variant, chosen: str | None, rounds: int, state: State | None, console: Console
) -> tuple[str, list[Opening]]:
    """The openings with their source; random ones are taken from the state if it has them.

    Raises:
        NotationError: the openings cannot be read or made.
    """
    how = parse_balanced(chosen) if chosen is not None else Balanced(count=min(rounds, _OPENINGS))
    if how is None:
        assert chosen is not None
        path = Path(chosen)
        found = read_openings(variant, path)
        digest = hashlib.sha256("".join(f"{line}\n" for line in found).encode()).hexdigest()
        return f"{path.name} sha256:{digest[:16]}", found
    source = str(how) if chosen is not None else RANDOM
    if state is not None and state.header is not None and state.header.get("openings") == source:
        return source, [parse_opening(variant, line) for line in state.header["lines"]]
    found = []
    with (bar := _Bar(console, how.count)).bars:
        try:
            for opening in balanced_openings(variant, how):
                found.append(opening)
                bar(len(found), "openings")
        except NotationError:
            if chosen is not None or not found:  # the number is a default that need not be met
                raise
    return source, found


def run_match(
    tournament: Holder,
    settings: Settings,
    source: str,
    games: int,
    *,
    sprt: Sprt | None = None,
    state: State | None = None,
    text: Path | None = None,
    result: Path | None = None,
    force: bool = True,
    console: Console,
) -> tuple[Standings, float, bool]:
    """Play the match with players that have been started; finished games are taken from the state, and all are
    counted in the order of their numbers. The result is written when the match is over; ``force`` lets it and the games
    as text overwrite files that are of no part of this match.

    Returns:
        The score, the seconds it took, and whether it was interrupted.
    """
    schedule = settings.schedule(games)
    if state is not None:
        state.begin(header(settings, source), settings.variant)
    standings = Standings(schedule, tournament.names, sprt)
    results = Results(standings)
    known = {} if state is None else state.known(settings, schedule)
    started = time.perf_counter()
    about = header(settings, source) | {"players": portable(settings.players), "schema": SCHEMA}
    if result is not None:
        _check_own("--result", result, lambda said: _same_header(said, about), force=force)
    kept = None
    try:
        for number, game in known.items():
            results.add(schedule.fixture(number), game)
        if text is not None:
            dates = {} if state is None else state.dates
            texts = [
                as_text(settings, schedule.fixture(number), game, tournament.names, dates[number])
                for number, game in known.items()
            ]
            _check_own("--pgn", text, "".join(texts).startswith, force=force)
            kept = Games(text, settings, tournament.names)
            for one in texts:
                kept.add_text(one)
        with (bar := _Bar(console, len(schedule))).bars:

            def over(fixture: Fixture, game: Played) -> None:
                date = now()
                if state is not None:
                    state.add(fixture, game, date)
                if kept is not None:
                    kept.add(fixture, game, date)
                results.add(fixture, game)
                bar(results.finished, standings.line())
                if results.decided:
                    tournament.halt()

            bar(results.finished, standings.line())
            with _hearing(tournament) as interrupted:
                if not results.decided:
                    tournament.run(settings, games, over, played=known)
        if kept is not None and not interrupted.is_set():
            kept.finish()
    finally:
        if kept is not None:
            kept.close()
    if interrupted.is_set():
        results.count_all()
    elif result is not None:
        results.write(result, about)
    return standings, time.perf_counter() - started, interrupted.is_set()


@contextlib.contextmanager
def _hearing(tournament: Holder) -> Iterator[threading.Event]:
    """Ctrl-C ends the match between two games that are over, and sets the event; a second one interrupts as usual."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # signals reach the main thread alone
        yield interrupted
        return
    before = signal.getsignal(signal.SIGINT)

    def halt(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        interrupted.set()
        tournament.halt()

    signal.signal(signal.SIGINT, halt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _limits(movetime: int | None, nodes: int | None, depth: int | None, clock: str | None) -> SearchLimits | None:
    if clock is not None and movetime is not None:
        raise NotationError("limits", ["--movetime and --clock exclude each other"])
    clocks = None if clock is None else parse_clock(clock).clocks
    if movetime is None and nodes is None and depth is None and clocks is None:
        return None
    return SearchLimits(None if movetime is None else movetime / 1000, depth, nodes, clocks)


def _usual(game: Variant, ladder: str | None) -> tuple[SearchLimits, int, int]:
    """The limits, the moves after which a game is drawn, and the games of a pairing, unless said otherwise."""
    if ladder is None:
        return SearchLimits(_MOVETIME), _PLIES, _GAMES
    measured = levels_of(game)
    return SearchLimits(nodes=measured.nodes), measured.plies, ladders.GAMES


def _specs(
    players: list[str], ladder: str | None, levels: str | None, variant: str | None, reach: int | None
) -> tuple[tuple[Spec, ...], int | None]:
    """The players, and how many places apart they may be to meet."""
    if ladder is not None:
        if players or variant is not None or reach is not None:
            raise NotationError(
                "--ladder", ["names the game and brings its players; leave out players, -v, --neighbours"]
            )
        return ladders.rungs(levels or f"1-{STRONGEST}"), ladders.REACH
    if levels is not None:
        raise NotationError("--levels", ["needs --ladder GAME"])
    if len(players) < 2:
        raise NotationError("match", ["needs two players or more, for example: komadai match komadai random"])
    return tuple(map(parse_player, players)), reach


Players = Annotated[
    list[str] | None,
    typer.Argument(
        help="Two or more of: komadai, komadai:level=5,book=FILE, komadai:nodes=2000,weights=FILE, random, "
        "'usi:COMMAND option.NAME=VALUE', 'uci:COMMAND …', 'xboard:COMMAND …'. A player's own movetime, nodes or depth "
        "stand in place of the match's limits.",
        metavar="[PLAYER...]",
    ),
]
Rungs = Annotated[
    str | None,
    typer.Option(
        help="Instead of players: the levels of this game, each against the one below it, the first against random.",
        metavar="GAME",
    ),
]
Levels = Annotated[
    str | None, typer.Option(help="Of --ladder, the steps up to these levels alone.", metavar="FIRST-LAST")
]
Name = Annotated[str | None, typer.Option("--variant", "-v", help="The game.", metavar="GAME")]
Rules = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A rule option, as NAME=VALUE.", metavar="NAME=VALUE")
]
Count = Annotated[int | None, typer.Option(help="Games of each pairing; they come in pairs.", min=2, metavar="N")]
Reach = Annotated[
    int | None, typer.Option(help="Of many, only those this many places apart meet.", min=1, metavar="PLACES")
]
Movetime = Annotated[
    int | None, typer.Option(help="Milliseconds a move; 100 if there is no other limit.", min=1, metavar="MS")
]
Nodes = Annotated[int | None, typer.Option(help="Positions a move.", min=1, metavar="N")]
Depth = Annotated[int | None, typer.Option(help="Plies a move.", min=1, max=MAX_DEPTH, metavar="N")]
Clocks = Annotated[
    str | None,
    typer.Option(help="Seconds for the game, more with each move, and for each move besides.", metavar="MAIN+INC+BYO"),
]
Margin = Annotated[int, typer.Option(help="Milliseconds over time before a player loses by it.", min=0, metavar="MS")]
Openings = Annotated[
    str | None,
    typer.Option(
        help="A file with one opening a line, or random:plies=6,count=50,seed=1,limit=100,nodes=2000.", metavar="FILE"
    ),
    Use.READS,
]
Jobs = Annotated[
    int | None, typer.Option(help="Games at a time in this process; 1 by default.", min=1, max=256, metavar="N")
]
Seed = Annotated[int, typer.Option(help="Makes chance repeatable.", min=0, metavar="N")]
Test = Annotated[str | None, typer.Option(help="End once this test is decided.", metavar="ELO0,ELO1[,ALPHA,BETA]")]
Plies = Annotated[
    int | None, typer.Option(help="Moves after which a game is drawn; 500 by default.", min=1, metavar="N")
]
Resign = Annotated[str | None, typer.Option(help="Lost after MOVES moves at -SCORE.", metavar="SCORE,MOVES[,both]")]
Draw = Annotated[
    str | None, typer.Option(help="Drawn after MOVES moves each within SCORE.", metavar="SCORE,MOVES[,PLY]")
]
Kept = Annotated[
    Path | None, typer.Option(help="Keep every game in this file, as JSON lines.", dir_okay=False), Use.GOES_ON
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the match in the state file.")]
Text = Annotated[
    Path | None,
    typer.Option(help="Write the games as text like PGN; FILE.unfinished until the match is over.", dir_okay=False),
    Use.RESUMES,
]
Result = Annotated[
    Path | None,
    typer.Option(
        help="Write the games in their order, without dates and seconds, when the match is over: the same for the "
        "same seed, whoever plays it.",
        dir_okay=False,
    ),
    Use.RESUMES,
]
Save = Annotated[
    Path | None,
    typer.Option(help="Write the openings to a file that --openings reads.", dir_okay=False),
    Use.RESUMES,
]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as JSON for programs.")]


def match(
    players: Players = None,
    ladder: Rungs = None,
    levels: Levels = None,
    variant: Name = None,
    option: Rules = None,
    games: Count = None,
    neighbours: Reach = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    depth: Depth = None,
    clock: Clocks = None,
    margin: Margin = 500,
    openings: Openings = None,
    jobs: Jobs = None,
    workers: Workers = None,
    seed: Seed = 1,
    sprt: Test = None,
    max_plies: Plies = None,
    resign: Resign = None,
    draw: Draw = None,
    state: Kept = None,
    resume: Resume = False,
    pgn: Text = None,
    result: Result = None,
    save_openings: Save = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Match players against each other: every opening twice with colours swapped, by our own rules."""
    from .options import err, options_of

    specs, reach = _specs(players or [], ladder, levels, variant, neighbours)
    game = build(ladder or variant or standard(), **options_of(option))
    limits, plies, count = _usual(game, ladder)
    terms = Terms(
        _limits(movetime, nodes, depth, clock) or limits,
        margin / 1000,
        max_plies or plies,
        None if resign is None else parse_resign(resign),
        None if draw is None else parse_draw(draw),
    )
    test = None if sprt is None else parse_sprt(sprt)
    wanted = games or (count if test is None else _TEST_GAMES)
    _check(wanted, specs, test)
    if resume and state is None:
        raise NotationError("--resume", ["needs --state FILE, the match to go on with"])
    _check_files(specs, {"--pgn": pgn, "--result": result, "--save-openings": save_openings}, force or resume)
    if any(spec.kind == "komadai" and dict(spec.settings).get("tables") != "off" for spec in specs):
        solve_first(game)
    with contextlib.ExitStack() as stack:
        kept = None if state is None else stack.enter_context(contextlib.closing(State(state, resume=resume)))
        spread = stack.enter_context(spreading(workers))
        if spread is not None and jobs is not None:
            raise NotationError("--jobs", ["counts games in this process; leave it out with workers"])
        tournament: Holder = stack.enter_context(contextlib.closing(_holder(game, specs, jobs or 1, spread)))
        source, lines = find_openings(game, openings, wanted // 2, kept, err)
        if save_openings is not None:
            text = f"# {source}\n" + "".join(f"{line}\n" for line in lines)
            _check_own("--save-openings", save_openings, text.__eq__, force=force)
            write(save_openings, text)
        settings = Settings(game, specs, tuple(lines), terms, seed, reach)
        standings, seconds, interrupted = run_match(
            tournament,
            settings,
            source,
            wanted,
            sprt=test,
            state=kept,
            text=pgn,
            result=result,
            force=force,
            console=err,
        )
    _tell(standings, seconds, as_json, steps=ladder is not None)
    if interrupted:
        hint = f"; go on with --state {state} --resume" if state is not None else ""
        if pgn is not None and unfinished(pgn).exists():
            hint += f"; those that are over are in {unfinished(pgn)}"
        err.print(f"interrupted after {standings.games} games{hint}", style="yellow", markup=False, highlight=False)
        raise typer.Exit(130)


def _check_files(specs: Sequence[Spec], written: dict[str, Path | None], force: bool) -> None:
    """Check that no file is written that a player reads, and that no games of a match that did not end are lost.

    Raises:
        NotationError: one is, or they would be.
    """
    named = [(name, path) for name, path in written.items() if path is not None]
    check(named, read=[("a player", Path(path)) for path in files_of(specs)], force=True)
    if (games := written["--pgn"]) is not None and not is_stream(games):
        check([("--pgn", unfinished(games))], force=force)


def _holder(game: Variant, specs: Sequence[Spec], jobs: int, spread: Spread | None) -> Tournament | SpreadTournament:
    if spread is None:
        return Tournament(game, specs, jobs)
    return SpreadTournament(game, specs, spread.pool, log, spread.watch("pairs"))


def _tell(standings: Standings, seconds: float, as_json: bool, *, steps: bool) -> None:
    """Print the summary."""
    console = Console(width=None if sys.stdout.isatty() else _WIDE, soft_wrap=True)  # files have no line width
    if as_json:
        print(json.dumps(standings.record(seconds), ensure_ascii=False, indent=2))
    elif steps:
        standings.show_steps(console)
    else:
        standings.show(console, seconds)


def _check(games: int, specs: Sequence[Spec], test: Sprt | None) -> None:
    """Check that the options are compatible.

    Raises:
        NotationError: they are not.
    """
    if games % 2:
        raise NotationError(f"--games {games}", [f"games come in pairs; expected an even number such as {games + 1}"])
    if test is not None and len(specs) != 2:
        raise NotationError("--sprt", [f"tests two players; there are {len(specs)}"])


def _check_own(name: str, path: Path, own: Callable[[str], bool], *, force: bool) -> None:
    """Check that a file that is there is one that this match has written.

    Raises:
        NotationError: it is not, and ``force`` does not allow to overwrite it.
    """
    try:
        if not force and path.is_file() and not is_stream(path) and not own(path.read_text(encoding="utf-8")):
            raise refused(name, path, "is there already, and not from this match; --force overwrites it")
    except (OSError, UnicodeDecodeError):
        raise refused(name, path, "is there already, and not from this match; --force overwrites it") from None


def _same_header(text: str, ours: dict[str, Any]) -> bool:
    """True if a result is of a match with these settings."""
    try:
        theirs = parsed(text.partition("\n")[0])
        return {name: theirs.get(name) for name in ours} == ours
    except (ValueError, AttributeError):
        return False
