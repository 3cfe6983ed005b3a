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

import click
from click.exceptions import Exit

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
from ...spec.numbers import seconds as seconds_of
from ...spec.variant import Variant
from ...storage import is_stream, unfinished
from ...variants import build, standard
from .base import Command, duration, number
from .files import File, Use, begun, check, refused
from .options import as_json, force, game_option, output, print_json, rules, seed, warn
from .solve import Stages, solve_first
from .spread import spread, spreading

_GAMES = 100  # of each pairing, unless said otherwise
_TEST_GAMES = 50_000  # the same with a sequential test, which ends the match
_OPENINGS = 500  # most made by default
_WIDE = 250  # columns
_MOVETIME = 0.1  # seconds, if no limit is given at all


def numbers(about: str, text: str, words: Sequence[str], *, least: int, more: str = "") -> list[float]:
    """The numbers of an option that has several; the first ``least`` must be there.

    Raises:
        NotationError: too few, too many, or not numbers.
    """
    optional = "".join(f"[,{word}" for word in words[least:]) + "]" * (len(words) - least)
    expected = f"expected {','.join(words[:least])}{optional}{more}"
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        raise NotationError(f"{about} {text!r}", [expected]) from None
    if not least <= len(found) <= len(words) or any(number != number or abs(number) > 1e9 for number in found):
        raise NotationError(f"{about} {text!r}", [expected])
    return found


def parse_clock(text: str) -> SearchLimits:
    """The clocks of ``MAIN+INCREMENT+BYOYOMI``, each a time.

    Raises:
        NotationError: no such times, or no time at all.
    """
    found = [seconds_of(part) for part in text.split("+")]
    if len(found) > 3 or None in found:
        words = "expected MAIN[+INCREMENT[+BYOYOMI]], each a time such as 5m, 2.5 or 500ms"
        raise NotationError(f"--clock {text!r}", [words])
    main, increment, byoyomi = (time or 0.0 for time in (*found, 0.0, 0.0)[:3])
    if main + byoyomi <= 0:
        raise NotationError(f"--clock {text!r}", ["leaves no time; expected a main time or byoyomi above 0"])
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
    score, moves = numbers("--resign", text.removesuffix(",both"), ("SCORE", "MOVES"), least=2, more="[,both]")
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


def _limits(movetime: float | None, nodes: int | None, clock: str | None) -> SearchLimits:
    if clock is not None and movetime is not None:
        raise NotationError("limits", ["--movetime and --clock exclude each other"])
    if movetime is None and nodes is None and clock is None:
        return SearchLimits(_MOVETIME)
    clocks = None if clock is None else parse_clock(clock).clocks
    return SearchLimits(movetime, nodes=nodes, clocks=clocks)


@click.command(cls=Command)
@click.argument(
    "players",
    nargs=-1,
    metavar="PLAYER...",
    help="Two or more of: komadai, komadai:level=5,book=FILE, komadai:nodes=2000,weights=FILE, random, "
    "'usi:COMMAND option.NAME=VALUE', 'uci:COMMAND …', 'xboard:COMMAND …'. A player's own movetime, nodes or depth "
    "stand in place of the match's limits.",
)
@game_option("The game; standard shogi by default.")
@rules
@click.option("--games", type=number(2), help="Games of each pairing; they come in pairs.")
@click.option(
    "--movetime",
    type=duration(0.001),
    help="The time for a move; 100ms if there is no other limit.",
)
@click.option("--nodes", type=number(1), help="Positions a move.")
@click.option(
    "--clock",
    metavar="MAIN+INC+BYO",
    help="Main time, increment and byoyomi, such as 5m+2+10.",
)
@click.option(
    "--openings",
    type=File(Use.READS, text=True),
    metavar="FILE",
    help="A file with one opening a line, or random:plies=6,count=50,seed=1,limit=100,nodes=2000.",
)
@spread
@seed()
@click.option("--sprt", metavar="ELO0,ELO1[,ALPHA[,BETA]]", help="Stop when this sequential test is decided.")
@click.option(
    "--resign",
    metavar="SCORE,MOVES[,both]",
    help="Adjudicate a loss after MOVES moves at -SCORE; with both, where both players agree.",
)
@click.option(
    "--state",
    type=File(Use.GOES_ON),
    metavar="FILE",
    help="The state file: every game as a line of JSON. An interrupted match resumes from it.",
)
@output("Write the games as text like PGN; FILE.unfinished until the match is over.", Use.RESUMES)
@force
@as_json
def match(
    players: tuple[str, ...],
    game: str | None,
    rules: dict[str, str],
    games: int | None,
    movetime: float | None,
    nodes: int | None,
    clock: str | None,
    openings: str | None,
    jobs: int | None,
    cluster: str | None,
    seed: int,
    sprt: str | None,
    resign: str | None,
    state: Path | None,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Match players against each other: every opening twice with colours swapped, by our own rules."""
    if len(players) < 2:
        raise NotationError("match", ["needs two players or more, for example: komadai match komadai random"])
    specs = tuple(map(parse_player, players))
    variant = build(game or standard(), **rules)
    resignation = None if resign is None else parse_resign(resign)
    terms = Terms(_limits(movetime, nodes, clock), plies=ladder(variant).plies, resignation=resignation)
    test = None if sprt is None else parse_sprt(sprt)
    wanted = games or (_GAMES if test is None else _TEST_GAMES)
    _check(wanted, specs, test)
    if output is not None:
        _check_games(output, specs, force or (state is not None and begun(state)))
    if any(spec.kind == "komadai" and dict(spec.settings).get("tables") != "off" for spec in specs):
        solve_first(variant)
    settings = Settings(variant, specs, (), terms, seed)
    if jobs is not None or cluster is not None:
        require_repeatable(settings)  # before a state file is begun anew
    with contextlib.ExitStack() as stack:
        kept = None if state is None else stack.enter_context(contextlib.closing(State(state, settings, force=force)))
        pool = stack.enter_context(spreading(jobs, cluster))
        tournament = stack.enter_context(contextlib.closing(holder(variant, specs, pool)))
        source, lines = find_openings(variant, openings, wanted // 2, kept)
        settings = replace(settings, openings=tuple(lines))
        standings, seconds, interrupted = run_match(
            tournament, settings, source, wanted, sprt=test, state=kept, text=output, force=force
        )
    if as_json:
        print_json(standings.record(seconds))
    else:  # files have no line width
        from rich.console import Console

        console = Console(width=None if sys.stdout.isatty() else _WIDE, soft_wrap=True)
        with console.capture() as shown:  # so that no reader that has gone is rich's affair
            standings.show(console, seconds)
        print(shown.get(), end="")
    if interrupted:
        hint = f"; the same command goes on with --state {state}" if state is not None else ""
        if output is not None and unfinished(output).exists():
            hint += f"; those that are over are in {unfinished(output)}"
        warn(f"interrupted after {standings.games} games{hint}")
        raise Exit(130)


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
    check([("--output", path)], read=[("a player", Path(path)) for path in files_of(specs)], force=True)
    if not is_stream(path):
        check([("--output", unfinished(path))], force=force)


def _check_own(path: Path, ours: str) -> None:
    """Check that the games as text that are there are the first of this match.

    Raises:
        NotationError: they are not.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if not path.is_file() or is_stream(path) or ours.startswith(path.read_text(encoding="utf-8")):
            return
    raise refused("--output", path, "is there already, and not from this match; --force overwrites it")
