"""The match of ``komadai learn``: a net against the evaluation that is here, until a sequential test decides."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...engine import Engine
from ...engine.levels import ladder
from ...errors import LearnError
from ...game.position import Position
from ...i18n import _
from ...json_text import fits, parsed
from ...lab.arena.players import parse_player
from ...lab.arena.referee import Terms
from ...lab.arena.state_file import State
from ...lab.arena.statistics import Sprt
from ...lab.arena.tournament import Settings
from ...lab.external_engine.requests import SearchLimits
from ...lab.jobs import Pool
from ...lab.learn.cycle import Cycle
from ...spec.variant import Variant
from ...storage import write_whole
from .match import find_openings, holder, run_match

_MOVE_SECONDS = 0.01
_SECONDS = 1.0  # of one look at the speed
_LOOKS = 4
_MOST_OPENINGS = 500


def decide(variant: Variant, cycle: Cycle, pool: Pool | None) -> bool:
    """Play the match, or go on with it, and keep its result; false if it was interrupted before.

    Raises:
        KomadaiError: the engine has another evaluation than when the run began, or the match cannot be played.
    """
    m = cycle.manifest
    cycle.require_evaluation()
    fewer = max(1, round(m.match_nodes * _speed(variant, cycle)))
    players = tuple(
        map(parse_player, (f"komadai:weights={cycle.net.resolve()},nodes={fewer},name=net", "komadai:name=before"))
    )
    terms = Terms(SearchLimits(nodes=m.match_nodes), plies=ladder(variant).plies)
    settings = Settings(variant, players, (), terms, m.seed)
    test = Sprt(m.elo0, m.elo1)
    with contextlib.ExitStack() as stack:
        state = stack.enter_context(contextlib.closing(State(cycle.match, settings)))
        tournament = stack.enter_context(contextlib.closing(holder(variant, players, pool)))
        count = min(m.match_games // 2, _MOST_OPENINGS)
        source, openings = find_openings(variant, f"random:count={count},seed={m.seed}", count, state)
        settings = replace(settings, openings=tuple(openings))
        standings, seconds, interrupted = run_match(tournament, settings, source, m.match_games, sprt=test, state=state)
    if interrupted:
        return False
    cycle.count_time("match", standings.games, seconds)
    record = standings.record(seconds)
    cycle.decide(_result(record, fewer, m.match_nodes))
    return True


def _result(record: dict[str, Any], nodes: int, nodes_before: int) -> dict[str, Any]:
    """The result of the match in the numbers that matter."""
    (pairing,) = record["pairings"]
    return {
        "accepted": record["sprt"]["accepted"] == "H1",
        "nodes": nodes,
        "nodes_before": nodes_before,
        **{name: pairing[name] for name in ("wins", "draws", "losses", "pairs")},
        "elo": pairing["elo"],
        "low": pairing["elo_low"],
        "high": pairing["elo_high"],
        "sprt": record["sprt"],
    }


def match_nodes(variant: Variant) -> int:
    """The positions a move of the match: about so many as the engine searches here in 10 ms. With far fewer, speed
    would count for more than it does where people play."""
    return max(1, round(_MOVE_SECONDS * _speeds(variant, None)[0]))


def _speed(variant: Variant, cycle: Cycle) -> float:
    """The speed of the search with the net, as a share of that without. It is measured once, and kept."""
    kept = cycle.folder / "speed.json"
    if not kept.exists():
        after, before = _speeds(variant, cycle.net, None)
        write_whole(kept, json.dumps(round(min(after / before, 1.0), 3)).encode())
    try:
        speed = parsed(kept.read_bytes())
        if not fits(speed, float) or not 0 < speed <= 1:
            raise ValueError
    except (OSError, ValueError):
        raise LearnError(_("{path} is damaged; remove it", path=kept)) from None
    return float(speed)


def _speeds(variant: Variant, *nets: Path | None) -> list[float]:
    """Positions searched in a second of processor time, which depends less than the clock on other work, with each of
    some nets (``None``: the evaluation that is here): the best of some looks at each, in turn."""
    engines = [Engine(variant, tables=False, weights=net) for net in nets]
    best = [0.0] * len(engines)
    for _look in range(_LOOKS):
        for index, engine in enumerate(engines):
            engine.clear()
            began = time.process_time()
            nodes = engine.search(Position(variant), time=_SECONDS).nodes
            best[index] = max(best[index], nodes / (time.process_time() - began))
    return best
