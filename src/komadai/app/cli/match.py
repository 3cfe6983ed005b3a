"""``komadai match``: the words of its command line, and the match they ask for."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ...engine.clock import Clock
from ...engine.levels import ladder
from ...errors import NotationError
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
from ...lab.arena.pair_jobs import SpreadTournament, require_repeatable
from ...lab.arena.players import Spec, files_of, parse_player
from ...lab.arena.referee import Resignation, Terms
from ...lab.arena.state_file import Games, State, as_text, now
from ...lab.arena.statistics import Sprt
from ...lab.arena.tournament import Settings, Tournament
from ...lab.external_engine.requests import SearchLimits
from ...lab.jobs import Pool
from ...spec.variant import Variant
from ...storage import is_stream, unfinished
from ...variants import build, standard
from .files import Force, Use, begun, check, refused
from .options import Json, Rules, err, number, options_of, print_json
from .solve import Stages, solve_first
from .spread import Workers, spreading

_GAMES = 100  # of each pairing, unless said otherwise
_TEST_GAMES = 50_000  # the same with a sequential test, which ends the match
_OPENINGS = 500  # most made by default
_WIDE = 250  # columns
_MOVETIME = 0.1  # seconds, if no limit is given at all


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
    found = numbers("--clock", text, ("MAIN", "INCREMENT", "BYOYOMI"), least=1, separator="+")
    main, increment, byoyomi = (*found, 0.0, 0.0)[:3]
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


def find_openings(variant: Variant, chosen: str | None, rounds: int, state: State | None) -> tuple[str, list[Opening]]:
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
    with (stages := Stages()).bars:
        try:
            for opening in balanced_openings(variant, how):
                found.append(opening)
                stages("openings", len(found), how.count)
        except NotationError:
            if chosen is not None or not found:  # the number is a default that need not be met
                raise
    return source, found


def holder(game: Variant, specs: Sequence[Spec], pool: Pool | None) -> Tournament | SpreadTournament:
    """What plays the games: this process, or the workers.

    Raises:
        KomadaiError: a player cannot be started, or cannot play the variant.
    """
    return Tournament(game, specs) if pool is None else SpreadTournament(game, specs, pool)


def run_match(
    tournament: Tournament | SpreadTournament,
    settings: Settings,
    source: str,
    games: int,
    *,
    sprt: Sprt | None = None,
    state: State | None = None,
    text: Path | None = None,
    force: bool = True,
) -> tuple[Standings, float, bool]:
    """Play the match with players that have been started; finished games are taken from the state. ``force`` lets the
    games as text overwrite a file that is of no part of this match.

    Returns:
        The score, the seconds it took, and whether it was interrupted.
    """
    schedule = settings.schedule(games)
    if state is not None:
        state.begin(settings, source)
    standings = Standings(schedule, tournament.names, sprt)
    known = {} if state is None else state.known(settings, schedule)
    started = time.perf_counter()
    with contextlib.ExitStack() as stack:
        for number, game in known.items():
            standings.add(schedule.fixture(number), game)
        kept = None
        if text is not None:
            dates = {} if state is None else state.dates
            texts = [
                as_text(settings, schedule.fixture(number), game, tournament.names, dates[number])
                for number, game in known.items()
            ]
            if not force:
                _check_own(text, "".join(texts))
            kept = stack.enter_context(contextlib.closing(Games(text)))
            for one in texts:
                kept.add(one)
        with (stages := Stages(one=True)).bars, _hearing(tournament) as interrupted:
            stages(standings.line(), standings.finished, len(schedule))
            if not standings.decided:
                found = stack.enter_context(contextlib.closing(tournament.run(settings, games, known)))
                for fixture, game in found:
                    date = now()
                    if state is not None:
                        state.add(fixture, game, date)
                    if kept is not None:
                        kept.add(as_text(settings, fixture, game, tournament.names, date))
                    standings.add(fixture, game)
                    stages(standings.line(), standings.finished, len(schedule))
                    if standings.decided:
                        tournament.halt()
        if interrupted.is_set():
            standings.count_all()
        elif kept is not None:
            kept.finish()
    return standings, time.perf_counter() - started, interrupted.is_set()


@contextlib.contextmanager
def _hearing(tournament: Tournament | SpreadTournament) -> Iterator[threading.Event]:
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


def _limits(movetime: int | None, nodes: int | None, clock: str | None) -> SearchLimits:
    if clock is not None and movetime is not None:
        raise NotationError("limits", ["--movetime and --clock exclude each other"])
    if movetime is None and nodes is None and clock is None:
        return SearchLimits(_MOVETIME)
    clocks = None if clock is None else parse_clock(clock).clocks
    return SearchLimits(None if movetime is None else movetime / 1000, nodes=nodes, clocks=clocks)


Players = Annotated[
    list[str] | None,
    typer.Argument(
        help="Two or more of: komadai, komadai:level=5,book=FILE, komadai:nodes=2000,weights=FILE, random, "
        "'usi:COMMAND option.NAME=VALUE', 'uci:COMMAND …', 'xboard:COMMAND …'. A player's own movetime, nodes or depth "
        "stand in place of the match's limits.",
        metavar="[PLAYER...]",
    ),
]
Name = Annotated[str | None, typer.Option("--variant", "-v", help="The game.", metavar="GAME")]
Count = Annotated[int | None, number("Games of each pairing; they come in pairs.", 2)]
Movetime = Annotated[
    int | None, typer.Option(help="Milliseconds a move; 100 if there is no other limit.", min=1, metavar="MS")
]
Nodes = Annotated[int | None, number("Positions a move.", 1)]
Clocks = Annotated[
    str | None,
    typer.Option(help="Seconds for the game, more with each move, and for each move besides.", metavar="MAIN+INC+BYO"),
]
Openings = Annotated[
    str | None,
    typer.Option(
        help="A file with one opening a line, or random:plies=6,count=50,seed=1,limit=100,nodes=2000.", metavar="FILE"
    ),
    Use.READS,
]
Seed = Annotated[int, number("Makes chance repeatable.", 0)]
Test = Annotated[str | None, typer.Option(help="End once this test is decided.", metavar="ELO0,ELO1[,ALPHA,BETA]")]
Resign = Annotated[str | None, typer.Option(help="Lost after MOVES moves at -SCORE.", metavar="SCORE,MOVES[,both]")]
Kept = Annotated[
    Path | None,
    typer.Option(
        help="Keep every game in this file, as JSON lines; a match that was interrupted goes on from it.",
        dir_okay=False,
    ),
    Use.GOES_ON,
]
Text = Annotated[
    Path | None,
    typer.Option(help="Write the games as text like PGN; FILE.unfinished until the match is over.", dir_okay=False),
    Use.RESUMES,
]


def match(
    players: Players = None,
    variant: Name = None,
    option: Rules = None,
    games: Count = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    clock: Clocks = None,
    openings: Openings = None,
    workers: Workers = None,
    seed: Seed = 1,
    sprt: Test = None,
    resign: Resign = None,
    state: Kept = None,
    pgn: Text = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Match players against each other: every opening twice with colours swapped, by our own rules."""
    if len(players or []) < 2:
        raise NotationError("match", ["needs two players or more, for example: komadai match komadai random"])
    specs = tuple(map(parse_player, players or []))
    game = build(variant or standard(), **options_of(option))
    resignation = None if resign is None else parse_resign(resign)
    terms = Terms(_limits(movetime, nodes, clock), plies=ladder(game).plies, resignation=resignation)
    test = None if sprt is None else parse_sprt(sprt)
    wanted = games or (_GAMES if test is None else _TEST_GAMES)
    _check(wanted, specs, test)
    if pgn is not None:
        _check_games(pgn, specs, force or (state is not None and begun(state)))
    if any(spec.kind == "komadai" and dict(spec.settings).get("tables") != "off" for spec in specs):
        solve_first(game)
    settings = Settings(game, specs, (), terms, seed)
    if workers is not None:
        require_repeatable(settings)  # before a state file is begun anew
    with contextlib.ExitStack() as stack:
        kept = None if state is None else stack.enter_context(contextlib.closing(State(state, settings, force=force)))
        pool = stack.enter_context(spreading(workers))
        tournament = stack.enter_context(contextlib.closing(holder(game, specs, pool)))
        source, lines = find_openings(game, openings, wanted // 2, kept)
        settings = replace(settings, openings=tuple(lines))
        standings, seconds, interrupted = run_match(
            tournament, settings, source, wanted, sprt=test, state=kept, text=pgn, force=force
        )
    if as_json:
        print_json(standings.record(seconds))
    else:  # files have no line width
        standings.show(Console(width=None if sys.stdout.isatty() else _WIDE, soft_wrap=True), seconds)
    if interrupted:
        hint = f"; the same command goes on with --state {state}" if state is not None else ""
        if pgn is not None and unfinished(pgn).exists():
            hint += f"; those that are over are in {unfinished(pgn)}"
        err.print(f"interrupted after {standings.games} games{hint}", style="yellow", markup=False, highlight=False)
        raise typer.Exit(130)


def _check(games: int, specs: Sequence[Spec], test: Sprt | None) -> None:
    """Check that the options are compatible.

    Raises:
        NotationError: they are not.
    """
    if games % 2:
        raise NotationError(f"--games {games}", [f"games come in pairs; expected an even number such as {games + 1}"])
    if test is not None and len(specs) != 2:
        raise NotationError("--sprt", [f"tests two players; there are {len(specs)}"])


def _check_games(path: Path, specs: Sequence[Spec], force: bool) -> None:
    """Check that the games as text overwrite no file that a player reads, and no games of a match that did not end.

    Raises:
        NotationError: they would.
    """
    check([("--pgn", path)], read=[("a player", Path(path)) for path in files_of(specs)], force=True)
    if not is_stream(path):
        check([("--pgn", unfinished(path))], force=force)


def _check_own(path: Path, ours: str) -> None:
    """Check that the games as text that are there are the first of this match.

    Raises:
        NotationError: they are not.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if not path.is_file() or is_stream(path) or ours.startswith(path.read_text(encoding="utf-8")):
            return
    raise refused("--pgn", path, "is there already, and not from this match; --force overwrites it")
