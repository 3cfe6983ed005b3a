"""``komadai report``: the report card of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...lab.arena.report import GAMES, NODES, SMALL, Report
from ...lab.arena.report_jobs import play_all
from ...picture.page import page as page_of
from ...variants import build
from .base import Command, number
from .files import Use, write
from .options import as_json, game, output, print_json, rules, seed
from .solve import Stages
from .spread import spread, spreading


@click.command(cls=Command)
@game
@rules
@click.option("--games", type=number(1, 100_000), default=GAMES, show_default=True, help="Games to play.")
@click.option("--nodes", type=number(1, 10**9), default=NODES, show_default=True, help="Positions a move.")
@seed()
@spread
@output("Write the card as a page with plots, FILE.html.", Use.WRITES)
@as_json
def report(
    game: str,
    rules: dict[str, str],
    games: int,
    nodes: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Report on a game: fast games of the engine with itself, and what they say of the rules."""
    made = Report(build(game, **rules), games=games, nodes=nodes, seed=seed)
    with spreading(jobs, cluster) as pool, (stages := Stages()).bars:

        def progress() -> None:
            stages("games", made.played, games)

        if pool is not None:
            play_all(made, pool, progress)
        while made.played < games:
            made.play()
            progress()
    card = made.card(solve=SMALL)
    if output is not None:
        write(output, page(card))
    if as_json:
        print_json(card)
        return
    for name, value in lines(card):
        print(f"{name + ':':<14}{value}")


def lines(card: dict[str, Any]) -> list[tuple[str, str]]:
    """The card in words: names and values."""
    first, length, branching, solved = (card[name] for name in ("first", "length", "branching", "solved"))
    return [
        ("game", f"{card['game']['name']} ({card['game']['id']}), rules {card['game']['hash'][:12]}"),
        (
            "games",
            f"{card['games']} of {card['nodes']} positions a move behind {card['opening']} random moves,"
            f" seed {card['seed']}",
        ),
        (
            "first player",
            f"{first['share']:.1%} ± {first['error']:.1%}, +{first['wins']} ={first['draws']} -{first['losses']}",
        ),
        (
            "length",
            f"{length['mean']:g} plies, median {length['median']:g}, {length['shortest']} to {length['longest']}",
        ),
        ("branching", f"{branching['mean']:g} moves, {branching['most']} at most"),
        ("ends", ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in card["ends"].items())),
        ("repetition", f"a position occurred {card['recurrence']} times in one game at most"),
        ("forced wins", f"seen in {card['mates']['announced']} games, won in {card['mates']['won']} of them"),
        ("never there", _named(card["unseen"])),
        ("never moved", _named(card["unmoved"])),
        ("idle rules", "; ".join(f"{rule['words']} [{rule['source']}]" for rule in card["idle"]) or "none"),
        ("solved", _solution(solved)),
    ]


def _named(kinds: list[dict[str, str]]) -> str:
    return ", ".join(f"{kind['name']} ({kind['code']})" for kind in kinds) or "none"


def _solution(solved: dict[str, Any]) -> str:
    if solved["value"] is not None:
        return f"{solved['value']} for the first player, of {solved['positions']:,} positions"
    if solved["positions"] is not None:
        return f"not yet; `komadai solve` works out its {solved['positions']:,} positions"
    return str(solved["why"])


def page(card: dict[str, Any]) -> str:
    """The card as a page by itself: HTML with plots in SVG, which needs nothing from elsewhere."""
    game, first, length, branching = (card[name] for name in ("game", "first", "length", "branching"))
    rows = [
        (
            "Games",
            f"{card['games']}, {card['nodes']} positions a move, {card['opening']} random moves, seed {card['seed']}",
        ),
        ("Rules", game["hash"]),
        ("First player", f"{first['share']:.1%} ± {first['error']:.1%} of the points"),
        ("Plies", f"{length['mean']:g} in the mean, {length['shortest']} to {length['longest']}"),
        ("Legal moves", f"{branching['mean']:g} in the mean, {branching['most']} at most"),
        ("Repetition", f"a position occurred {card['recurrence']} times in one game at most"),
        ("Forced wins", f"seen in {card['mates']['announced']} games, won in {card['mates']['won']}"),
        ("Kinds never on the board", _names(card["unseen"])),
        ("Kinds that never moved", _names(card["unmoved"])),
        ("Rules that made no difference", "; ".join(rule["words"] for rule in card["idle"]) or "none"),
        ("Solved", _whole_solution(card["solved"])),
    ]
    results = [("won", first["wins"]), ("drawn", first["draws"]), ("lost", first["losses"])]
    plots = [
        ("Results of the first player", results),
        ("Ends", [(reason.replace("_", " "), count) for reason, count in card["ends"].items()]),
        ("Games by their length in plies", length["bars"]),
        ("Legal moves by ply", branching["bars"]),
    ]
    return page_of(f"{game['name']}: report card", rows, plots)


def _names(kinds: list[dict[str, str]]) -> str:
    return ", ".join(kind["name"] for kind in kinds) or "none"


def _whole_solution(solved: dict[str, Any]) -> str:
    if solved["value"] is not None:
        return f"{solved['value']} for the first player"
    return str(solved["why"]) if solved["why"] else f"not yet, of {solved['positions']:,} positions"
