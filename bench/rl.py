"""Environments for agents: steps a second, whether every action leads to its move, and whether memory grows."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click
import numpy as np

import komadai
from komadai.lab.rl import RESULTS, Encoding, VecEnv
from komadai.spec.logic import is_compound

games_argument = click.argument("games", nargs=-1, metavar="[GAME]...")
batch_option = click.option("--batch", type=click.IntRange(min=1), default=1024, help="Games at once.")
threads_option = click.option("--threads", type=click.IntRange(min=1), default=2, help="Threads that share the work.")


@click.group(help=__doc__, context_settings={"show_default": True})
def main() -> None:
    pass


def kind_of(game: str) -> str:
    return "steps" if is_compound(komadai.variant(game)) else "flat"


def environments(game: str, batch: int, threads: int, kind: str = "") -> VecEnv:
    """Games in the middle of random play, at plies that differ."""
    env = VecEnv(game, batch, threads=threads, encoding=kind or kind_of(game), seed=1)
    env.reset()
    for _ in range(200):
        env.step(env.random_actions())
    return env


def peak() -> int:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@main.command()
@games_argument
@batch_option
@threads_option
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=5.0, help="For each game, after a start of 200 steps."
)
def speed(games: tuple[str, ...], batch: int, threads: int, seconds: float) -> None:
    """Print steps a second with planes and masks, random actions included: by the clock, and by processor time.

    Without a GAME, of all games of the house.
    """
    print(f"{'game':12} {'actions':7} {'planes':>13} {'steps/s':>10} {'per CPU s':>10} {'turns/s':>10} {'MiB':>6}")
    for game in games or komadai.variants(shelf=False):
        for kind in [kind_of(game), *(["steps"] if kind_of(game) == "flat" else [])]:
            env = environments(game, batch, threads, kind)
            steps = turns = 0
            cpu, began = time.process_time(), time.perf_counter()
            while (passed := time.perf_counter() - began) < seconds:
                info = env.step(env.random_actions())[4]
                steps += batch
                turns += int((info["discount"] != 1).sum())
            used = time.process_time() - cpu
            shape = "×".join(map(str, env.encoding.shape))
            print(
                f"{game:12} {kind:7} {shape:>13} {steps / passed:10,.0f} {steps / used:10,.0f} {turns / passed:10,.0f} "
                f"{peak():6}"
            )


@main.command()
@games_argument
@click.option("--plies", type=click.IntRange(min=1), default=1_000_000, help="Of each game.")
@click.option("--seed", default=1, help="Of the random play.")
def round_trips(games: tuple[str, ...], plies: int, seed: int) -> None:
    """Play random moves, and check action → move → action and that the mask has as many actions as there are moves.

    Without a GAME, in all games.
    """
    for game in games or komadai.variants(shelf=True):
        encoding, chance = Encoding(game, kind_of(game)), random.Random(seed)  # type: ignore[arg-type]
        position, actions, began = komadai.Position(game), 0, time.perf_counter()
        for _ in range(plies):
            if position.is_game_over() or len(position.move_stack) > 400:
                position = komadai.Position(game)
            moves = position.legal_moves()
            move = chance.choice(moves)
            action = encoding.action(position, move)
            found = encoding.move(position, action)
            assert found == move, f"{game}: {position.sfen(ply=True)}: {move} is {action}, which is {found}"
            if encoding.kind == "flat":
                mask = encoding.mask(position)
                assert mask.sum() == len(moves), f"{game}: {position.sfen(ply=True)}: {mask.sum()} of {len(moves)}"
                actions += len(moves)
            position.push(move)
        print(f"{game}: {plies:,} plies, {actions:,} legal actions, {time.perf_counter() - began:.0f} s", flush=True)


@main.command()
@click.argument("game", default="shogi")
@click.option("--steps", type=click.IntRange(min=1), default=100_000_000, help="Of all games together.")
@batch_option
@threads_option
def soak(game: str, steps: int, batch: int, threads: int) -> None:
    """Play on and print, ten times, the most memory so far: after the first tenth it does not grow."""
    env = environments(game, batch, threads)
    ends = dict.fromkeys(RESULTS[1:], 0)
    rounds = -(-steps // batch)
    for number in range(rounds):
        _obs, _reward, terminated, truncated, info = env.step(env.random_actions())
        for code in info["result"][terminated | truncated]:
            ends[RESULTS[code]] += 1
        if (number + 1) % max(rounds // 10, 1) == 0:
            print(f"{(number + 1) * batch:,} steps, {peak()} MiB, ends {ends}", flush=True)


def rate(label: str, step: Callable[[], object], seconds: float, plies: int = 1) -> float:
    """Plies a second of processor time, all threads together, of something that plays so many by lot at once; those by
    the clock are printed, too."""
    steps, began, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        step()
        steps += 1
    passed, used = time.perf_counter() - began, time.process_time() - cpu
    print(
        f"{label:34} {steps * plies / used:12,.0f} plies per CPU s, {steps * plies / passed:12,.0f} per s", flush=True
    )
    return steps * plies / used


def agents(env: Any) -> Callable[[], None]:
    """A random ply of an environment of PettingZoo."""
    env.reset()

    def step() -> None:
        seen, _reward, terminated, truncated, _info = env.last()
        if terminated or truncated:
            env.reset()
        else:
            env.step(int(np.random.choice(np.flatnonzero(seen["action_mask"]))))

    return step


def states(game: Any) -> Callable[[], None]:
    """A random ply of a game of OpenSpiel, with its observation."""
    state = game.new_initial_state()

    def step() -> None:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        state.observation_tensor()
        state.apply_action(random.choice(state.legal_actions()))

    return step


@main.command()
@batch_option
@threads_option
@click.option("--seconds", type=click.FloatRange(min=0.1), default=5.0, help="For each.")
def peers(batch: int, threads: int, seconds: float) -> None:
    """Print plies a second, beside OpenSpiel, PettingZoo and Pgx where they are installed; ratios are by processor
    time, steps those of the batch's actions."""
    stones, env = environments("ko", batch, threads), environments("shogi", batch, threads)
    rate("komadai Kō, steps of a batch", lambda: stones.step(stones.random_actions()), seconds, batch)
    ours = rate("komadai shogi, a batch", lambda: env.step(env.random_actions()), seconds, batch)
    with suppress(ImportError):
        from pettingzoo.classic import chess_v6

        from komadai.lab.rl import aec

        alone = rate("komadai shogi in PettingZoo", agents(aec("shogi")), seconds)
        chess = rate("PettingZoo chess", agents(chess_v6.env()), seconds)
        print(f"{'':34} {alone / chess:12.1f} times as fast")
    with suppress(ImportError):
        import pyspiel

        theirs = rate("OpenSpiel shogi", states(pyspiel.load_game("shogi")), seconds)
        print(f"{'':34} {ours / theirs:12.1f} times as fast in a batch")
    with suppress(ImportError):
        import jax
        import pgx

        game, keys = pgx.make("shogi"), jax.random.split(jax.random.PRNGKey(0), batch)
        state, advance = jax.jit(jax.vmap(game.init))(keys), jax.jit(jax.vmap(game.step))

        def step() -> None:
            nonlocal state
            keys = jax.random.split(jax.random.PRNGKey(random.getrandbits(31)), batch)
            lots = jax.random.uniform(keys[0], state.legal_action_mask.shape)
            state = advance(state, (lots * state.legal_action_mask).argmax(axis=1), keys)
            state.observation.block_until_ready()

        step()  # compiled
        theirs = rate("Pgx shogi on this processor", step, seconds, batch)
        print(f"{'':34} {ours / theirs:12.1f} times as fast")


if __name__ == "__main__":
    main()
