"""A game of two people with all that is written: an invitation, takebacks, offers, clocks, a match and a rematch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .ledger import Ledger
from .person import PATIENCE, Person

_OPENING = ("5i4i", "5a4a")


async def play(
    ledger: Ledger, port: Callable[[], int], trouble: Callable[[str], Awaitable[None]], accepting: float = PATIENCE
) -> tuple[str, ...]:
    """Play it; the games. What is wrong is added to the ledger's faults."""
    one, two = (Person(name, ledger, port, trouble, accepting) for name in ("one", "two"))
    try:
        return await _play(one, two)
    finally:
        await one.leave()
        await two.leave()


async def _play(one: Person, two: Person) -> tuple[str, ...]:
    for person in (one, two):
        await person.ask("GET", "/")  # the browser's cookie
    terms = {"variant": "hand", "seats": {"b": "human", "w": "open"}, "name": "one", "time": "60m+60s"}
    made = await one.ask("POST", "/api/games", terms)
    first = str(made["game"])
    one.seated(first, made["tokens"]["b"])
    joined = await two.ask("POST", "/api/join", {"invite": made["invite"], "name": "two"})
    two.seated(first, joined["token"])
    await _meet(first, one, two)
    for _time in range(2):
        await _move(one, two, 1)
        await _move(two, one, 2)
        await _agree(one, two, "undo", ply=3)  # both moves
    await _move(one, two, 1)
    await _move(two, one, 2)
    await _agree(one, two, "pause")
    await _agree(two, one, "resume")
    await _do(two, one, "draw", may_be_refused=True)
    await _do(two, one, "resign")
    second = await one.next_game(first)
    await two.next_game(first)
    await _meet(second, one, two)
    await _move(two, one, 1)
    await _do(two, one, "undo", ply=2)
    await _do(one, two, "decline", what="undo")
    await _do(two, one, "resign")
    third = await _rematch(one, two)
    await _meet(third, one, two)
    await _move(one, two, 1)
    for game in (first, second, third):
        for person in (one, two):
            await person.follow(game)
        if one.position != two.position:
            one.ledger.faults.append(f"false: {game} is {one.position} for one, {two.position} for the other")
    return first, second, third


async def _meet(game: str, *people: Person) -> None:
    for person in people:
        person.seated(game, person.token)
        await person.follow(game)


async def _do(person: Person, other: Person, t: str, may_be_refused: bool = False, **fields: Any) -> None:
    """Let the person do it, after a failure by a new command; the other sees it."""
    while (refused := await person.command(t, **fields)) is not None:
        if not refused.startswith("Nothing was changed"):
            if not may_be_refused:
                person.ledger.faults.append(f"refused: {t} of {person.name}: {refused}")
            return
        await person._trouble(refused)
    await person.see(max(seq for game, seq in person.ledger.acknowledged.values() if game == person.game))
    await other.see(person.seq or 0)


async def _move(person: Person, other: Person, ply: int) -> None:
    await _do(person, other, "move", ply=ply, text=_OPENING[ply - 1])


async def _agree(person: Person, other: Person, t: str, **fields: Any) -> None:
    """One offers, the other accepts."""
    await _do(person, other, t, **fields)
    await _do(other, person, t, **fields)


async def _rematch(one: Person, two: Person) -> str:
    await _agree(one, two, "rematch")
    return str(one.position["rematch"])
