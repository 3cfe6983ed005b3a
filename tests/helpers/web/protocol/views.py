"""What clients are to be shown of a game: messages of a server, compared with the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .course import Course
from .rules import Board, State

Fields = Mapping[str, Any]


def leaves(steps: Sequence[Fields], shared: Sequence[Sequence[Fields]]) -> Iterator[str]:
    """The move strings of a tree of steps."""
    for step in steps:
        if "usi" in step:
            yield step["usi"]
        yield from leaves(shared[step["ref"]] if "ref" in step else step.get("next", ()), shared)


def difference(expected: Fields, found: Fields) -> str | None:
    """The first difference, in words."""
    for name, value in expected.items():
        if found.get(name) != value:
            return f"{name} is {found.get(name)!r}, not {value!r}"
    return None


def wrong_position(shown: Fields, course: Course, state: State) -> str | None:
    """What is wrong with a position that clients see, if it is to be that of this state."""
    outcome = shown["outcome"] and (shown["outcome"]["winner"], shown["outcome"]["reason"])
    found = {**shown, "outcome": outcome, "last": shown["last"] and shown["last"]["usi"]}
    found["offers"] = {offer["what"]: offer["side"] for offer in shown["offers"]}
    found["tree"] = frozenset(leaves(shown["tree"], shown["shared"]))
    if shown["match"] is not None:
        found["match"] = {**shown["match"], "next": shown["match"]["next"] is not None}
        del found["match"]["players"]
    expected = {
        "sfen": state.sfen,
        "ply": state.ply,
        "turn": state.turn,
        "outcome": state.outcome,
        "tree": frozenset() if state.thinking else state.legal,
        "thinking": state.thinking,
        "last": state.moves[-1] if state.moves else None,
        "match": _match(course, state),
        "canUndo": state.can_undo,
        "canDraw": len(state.people) == 2 and state.drawable,
        "canDeclare": False,  # none of these games has the rule
        "offers": state.offers,
        "rematch": state.rematch,
    }
    return difference(expected, found)


def _match(course: Course, state: State) -> Fields | None:
    if state.match_over is None:
        return None
    leader, length = course.run(state)
    return {
        "number": course.terms.number,
        "leader": leader,
        "needs": course.needed - length,
        "winner": leader if length >= course.needed else None,
        "next": state.outcome is not None and not state.match_over,
        "begun": state.following is not None,
    }


def wrong_state(shown: Fields, course: Course, state: State, token: str | None) -> str | None:
    """The same for the whole state, as seen with that token."""
    expected = {
        "game": course.id,
        "start": course.terms.position,
        "seats": state.seats,
        "names": state.names,
        "you": sorted(state.sides(token)),
        "moves": list(state.moves),
    }
    found = {**shown, "moves": [move["usi"] for move in shown["moves"]]}
    return difference(expected, found) or wrong_position(shown["position"], course, state)


def find_version(course: Course, low: int, shown: Fields, token: str | None, now: float) -> tuple[int | None, str]:
    """The version, from that one on, which a ``state`` or ``events`` shows; or ``None`` and what is wrong."""
    wrong = f"there is no event {shown['seq']} after version {low} of {course.latest}"
    for number in range(low, course.latest + 1):
        state = course.versions[number]
        if state.seq != shown["seq"]:
            continue
        found = (
            wrong_state(shown, course, state, token)
            if shown["t"] == "state"
            else wrong_position(shown["position"], course, state)
        ) or state.clock.wrong(shown["clocks"], state.turn, state.paused, now)
        if found is None:
            return number, ""
        wrong = found
    return None, wrong


def wrong_events(shown: Sequence[Fields], course: Course, after: int, last: int) -> str | None:
    """What is wrong with these events, if they are to be those after one number up to another."""
    numbers = [event["seq"] for event in shown]
    if numbers != list(range(after + 1, last + 1)):
        return f"events {numbers} come after {after}, up to {last}"
    for event in shown:
        if event["seq"] > len(course.events):
            return f"event {event['seq']} was never stored"
        expected = course.events[event["seq"] - 1]
        found = difference(expected, event)
        if found or (expected["kind"] != "move" and set(event) != set(expected)):
            return f"event {event}, which is {expected}"
    return None


def seen_sfens(course: Course, low: int, moves: int) -> set[str]:
    """The positions after so many moves in the versions from one on."""
    lines = {state.moves[:moves] for state in course.versions[low:] if len(state.moves) >= moves}
    return {Board(course.terms).shown(line)["sfen"] for line in lines}
