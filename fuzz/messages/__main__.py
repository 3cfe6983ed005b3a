"""Strangers at a server: nonsense over WebSockets and HTTP, beside games that must not notice.

    PYTHONPATH=tests python -m fuzz.messages --messages 80000 --requests 20000 --seed 1

prints what was answered and what was not as it should be. Half of the requests are made by schemathesis from the
description of the interface, half are real ones with something wrong in them.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import httpx
import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

import komadai
from fuzz.messages.askers import Asker, Browser
from fuzz.messages.strangers import WAIT, Player, Report, Toy, World, play, real_messages
from helpers.web.served import Server
from komadai import record as records
from komadai.app.web.store import Store
from komadai.app.web.store.sqlite import SqliteStore

MOST_MEMORY = 1024.0  # MB of the server, engines included
SERVER = ("--limits", "1000000")  # what clients may usually ask must not hide what they ask for
_NEGATIVE = checks.negative_data_rejection
_CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    _NEGATIVE,
    checks.unsupported_method,
    checks.allow_header_conformance,
]
# Of the HTTP server's log, and of asyncio's, where somebody has left who is still being written to.
_HARMLESS = ("Invalid HTTP request received.", "Unsupported upgrade request.", "socket.send() raised exception.")


def random_game(variant: str, chance: Random, plies: int) -> list[str]:
    """The move strings of a game of at most that many plies."""
    position = komadai.Position(variant)
    moves: list[str] = []
    while len(moves) < plies and position.outcome() is None:
        moves.append(str(chance.choice(sorted(position.legal_moves(), key=str))))
        position.push(moves[-1])
    if position.outcome() is not None:
        return moves[:-1]
    return moves


def files(moves: dict[str, list[str]]) -> list[bytes]:
    """A record of every game, in every format that can hold it."""
    found = []
    for variant, line in moves.items():
        game = komadai.Game(variant)
        for text in line:
            game.push(text)
        for form in records.FORMATS:
            try:
                found.append(records.write([records.Record.of(game)], form).encode())
            except komadai.NotationError:
                continue  # not every format is for every game
    return found


async def witness(world: World, variant: str) -> Toy:
    """Play a game move by move; every move must be acknowledged and broadcast."""
    toy = await play(world.client, variant)
    async with world.line("socket") as socket:
        await socket.send(json.dumps({"t": "hello", "game": toy.id, "token": toy.tokens[0]}))
        for ply, text in enumerate(world.moves[variant], 1):
            began = time.perf_counter()
            await socket.send(json.dumps({"t": "move", "id": f"move-{ply}", "ply": ply, "text": text}))
            heard: set[str] = set()
            async with asyncio.timeout(WAIT):
                while not heard >= {"ack", "events"}:
                    said = json.loads(await socket.recv())
                    heard.add(said["t"])
                    if said["t"] == "refused":
                        world.report.fault("the witness was refused", said)
                        return toy
            world.report.slowest = max(world.report.slowest, time.perf_counter() - began)
            await asyncio.sleep(0.02)  # others shall have most of the time
    return toy


def described(url: str, requests: int, seed: int, report: Report) -> None:
    """Requests that schemathesis makes from the description, right and wrong ones, and its checks of the answers."""
    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    each = max(requests // (2 * len(operations)), 1)
    quiet = hypothesis.settings(
        max_examples=each,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    def ask(case: schemathesis.Case[Any]) -> None:
        answer = case.call(timeout=WAIT)
        report.answers[f"HTTP {answer.status_code}"] += 1
        try:
            long = answer.status_code == 413  # a refusal, too, whatever else is wrong
            case.validate_response(answer, checks=[one for one in _CHECKS if not long or one is not _NEGATIVE])
        except FailureGroup as failures:
            for failure in failures.exceptions:
                report.fault(f"{case.method} {case.path}: {failure!s:.600}", case.as_curl_command())

    for operation in operations:
        modes = [GenerationMode.POSITIVE]
        if operation.query or any(body.media_type == "application/json" for body in operation.body):
            modes.append(GenerationMode.NEGATIVE)  # elsewhere, as in a file of whatever format, all can be read
        for mode in modes:
            cases = operation.as_strategy(generation_mode=mode)
            run: Callable[[], None] = hypothesis.seed(seed)(quiet(hypothesis.given(cases)(ask)))
            run()


def course(store: Store, game: str) -> list[tuple[Any, ...]]:
    """A game's events as they would be at any time."""
    loaded = store.load(game)
    assert loaded is not None
    return [(event.seq, event.kind, event.payload, event.command) for event in loaded[1]]


def resident(server: Server, what: str = "VmRSS") -> float:
    """The server's memory in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) / 1024


@dataclass(frozen=True)
class Siege:
    """The number of clients and of their messages; ``plies``: the length of the games that they know."""

    messages: int
    requests: int
    seed: int
    strangers: int
    plies: int


async def besiege(server: Server, store: Store, plan: Siege) -> Report:
    """Send all that is planned, and look whether the other games were left in peace."""
    chance, report = Random(plan.seed), Report()
    messages, requests, seed, strangers = plan.messages, plan.requests, plan.seed, plan.strangers
    moves = {variant: random_game(variant, chance, plan.plies) for variant in komadai.variants(shelf=False)}
    # The server ends what was idle for five seconds; a client that just then asks again would take that for a fault.
    brief = httpx.Limits(keepalive_expiry=1)
    async with httpx.AsyncClient(base_url=server.url, timeout=WAIT, limits=brief) as client:
        world = World(
            client, moves, [], [], [], files(moves), report, Counter(messages=messages, requests=requests // 2)
        )
        quiet = {variant: (await witness(world, variant)).id for variant in moves}
        waiting = [await play(client, variant) for variant in moves]  # nobody has moved in these
        calm, before = report.slowest, resident(server)
        report.slowest = 0.0
        world.ids = [*quiet.values(), *(toy.id for toy in waiting)]
        for variant in moves:
            for w, clock in (("human", "none"), ("open", "10m+5s"), ("level1", "none")):
                world.toys.append(await play(client, variant, "human", w, clock))
        world.real = list(real_messages(moves, world.ids))
        kept = list(map(store.load, world.ids))

        asked = max(messages // 40, 10)
        world.left["messages"] -= asked
        coming = [Player(world, f"{seed}-{number}").run() for number in range(strangers)]
        coming += [Browser(world, f"{seed}-http-{number}").run() for number in range(max(strangers // 4, 1))]
        coming += [Asker(world, f"{seed}-ask", asked).run()]
        coming += [asyncio.to_thread(described, server.url, requests // 2, seed, report)]
        siege = asyncio.ensure_future(asyncio.gather(*coming))
        seen: list[Toy] = []
        while not siege.done() or len(seen) < len(moves):
            seen.append(await witness(world, list(moves)[len(seen) % len(moves)]))
        await siege

        if list(map(store.load, world.ids)) != kept:
            report.fault("games of others were changed", world.ids)
        for toy in seen:
            if course(store, toy.id) != course(store, quiet[toy.variant]):
                report.fault("the witness's game went another way", toy)
        report.answers["games of the witness"] = len(seen)
        (await client.get("/api/variants")).raise_for_status()
    print(f"witness: slowest move {calm * 1000:.0f} ms before, {report.slowest * 1000:.0f} ms meanwhile")
    most = resident(server, "VmHWM")
    print(f"memory: {before:.0f} MB before, {resident(server):.0f} after, {most:.0f} at most")
    if most > MOST_MEMORY:
        report.fault("too much memory was taken", most)
    return report


async def fuzz(folder: Path, plan: Siege, url: str | None = None) -> Report:
    """Start a server, let strangers come, and look at its log, too."""
    log = folder / "log"
    with Server(folder, 0, *SERVER, *(("--data", url) if url else ()), log=log) as server:
        if url is None:
            store: Store = SqliteStore(folder / "games.sqlite3")
        else:
            from komadai.app.web.store.postgres import PostgresStore

            store = PostgresStore(url)
        report = await besiege(server, store, plan)
        store.close()
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if not line.endswith(_HARMLESS)]
    for line, count in Counter(line for line in lines if not line.startswith(" ")).items():
        report.fault(f"{count} times in the server's log", line)
    return report


@click.command(context_settings={"show_default": True})
@click.option("--messages", type=click.IntRange(min=1), default=80_000, help="WebSocket messages to send.")
@click.option("--requests", type=click.IntRange(min=2), default=20_000, help="HTTP requests to send.")
@click.option("--seed", default=1, help="What all chance hangs on.")
@click.option("--strangers", type=click.IntRange(min=1), default=24, help="WebSockets open at a time.")
@click.option("--data", metavar="URL", help="A PostgreSQL database for the games.")
def main(messages: int, requests: int, seed: int, strangers: int, data: str | None) -> None:
    """Print what was answered; the exit code is 1 if something was not as it should be."""
    warnings.filterwarnings("ignore", message="Do not use the `random` module")  # other threads do
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(fuzz(Path(folder), Siege(messages, requests, seed, strangers, plies=24), data))
    print(f"{messages} messages, {requests} requests, seed {seed}: {time.perf_counter() - began:.0f} s")
    for kind, count in sorted(report.answers.items()):
        print(f"{count:8} {kind}")
    print(f"{len(report.faults)} faults")
    for fault in report.faults[-60:]:
        print(f"- {fault}")
    raise SystemExit(bool(report.faults))


if __name__ == "__main__":
    main()
