"""Gumbel AlphaZero: an agent learns a game from nothing but play with itself, and is measured against the solved truth.

pip install 'komadai[lab]' torch
python examples/gumbel_alphazero.py nana --minutes 45 --plot regret.svg

The search is that of Danihelka and others, "Policy improvement by planning with Gumbel" (2022), for many games at once:
each simulation is one call of a `VecEnv` and one of the network. While one core searches, another learns from the games
before. A run that `--steps` ends is repeatable.
"""

import argparse
import copy
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import nn

import komadai
from komadai.lab import rl
from komadai.picture.page import bars

NEVER = -1e9  # the logit of an action that is not legal
CONSIDERED = 8  # actions of the root of a search that are looked at
TRACE = 0.8  # weight of the result of a game against the values of its searches, by ply


class Net(nn.Module):
    """Residual layers without convolutions, which suit small boards; a policy and a value, -1 to 1, for the mover."""

    def __init__(self, inputs: int, actions: int, width: int, blocks: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
            for _ in range(blocks)
        )
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.first(planes.flatten(1))
        for block in self.blocks:
            x = x + block(x)
        x = torch.relu(x)
        return self.policy(x), torch.tanh(self.value(x)).squeeze(1)


class Agent:
    """A network with its searches."""

    def __init__(self, game: str, width: int, blocks: int, seed: int) -> None:
        torch.manual_seed(seed)
        self.game, self.chance = game, np.random.default_rng(seed)
        self.encoding = rl.Encoding(game)
        self.likeliest = min(32, self.encoding.num_actions)  # how many actions of a position a search looks at
        self.net = Net(math.prod(self.encoding.shape), self.encoding.num_actions, width, blocks)

    def evaluate(self, planes: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The likeliest actions, their logits, `NEVER` where one is not legal, and the values."""
        with torch.inference_mode():
            logits, value = self.net(torch.from_numpy(planes).float())
            best = logits.masked_fill(torch.from_numpy(mask == 0), NEVER).topk(self.likeliest)
        return best.indices.numpy(), best.values.numpy(), value.numpy()

    def policy(self, sims: int) -> rl.BatchPolicy:
        """The agent as a policy on positions, for `rl.regret`: the best action of the network, or after a search."""

        def choose(positions: Sequence[komadai.Position]) -> list[komadai.Move]:
            actions = Search(self, positions, sims, explore=False).chosen()
            return [self.encoding.move(at, int(action)) for at, action in zip(positions, actions, strict=True)]

        return choose


@cache
def scratch(game: str, games: int) -> rl.VecEnv:
    """An environment for the simulations of so many searches."""
    return rl.VecEnv(game, games, autoreset="disabled", max_plies=1_000_000)


@cache
def halving(actions: int, sims: int) -> list[int]:
    """Sequential halving: how often the action of each simulation has been visited before."""
    order, visits, left = list[int](), [0] * actions, actions
    while len(order) < sims:
        for _ in range(max(1, sims // (max(1, math.ceil(math.log2(actions))) * left))):
            order += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2) if actions > 1 else 1
    return order[:sims]


class Search:
    """The trees of several searches. Node 0 is the root; values are those for the side to move at a node."""

    def __init__(self, agent: Agent, positions: Sequence[komadai.Position], sims: int, explore: bool) -> None:
        self.agent, games = agent, len(positions)
        self.env, self.rows = scratch(agent.game, games), np.arange(games)
        self.planes, info = self.env.reset(to=positions)
        shape = (games, sims + 1, agent.likeliest)
        self.actions, self.logits = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        self.visits, self.totals = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        self.children = np.full(shape, -1, np.int32)
        self.values, self.signs = np.zeros(shape[:2], np.float32), np.ones(shape[:2], np.float32)
        self.over, self.sides = np.zeros(shape[:2], bool), np.zeros(shape[:2], np.int8)
        self.nodes = [list(positions)]  # by number of node, the positions of all trees
        self.actions[:, 0], self.logits[:, 0], self.values[:, 0] = agent.evaluate(self.planes, info["action_mask"])
        self.sides[:, 0] = info["to_play"]
        self.mask = self.logits[:, 0] > NEVER
        self.plan = np.array([halving(min(CONSIDERED, max(n, 1)), sims) for n in self.mask.sum(1)], np.int32)
        self.gumbel = agent.chance.gumbel(size=self.mask.shape).astype(np.float32) * explore
        for number in range(sims):
            self.simulate(number)

    def worth(self, node: np.ndarray) -> np.ndarray:
        """The completed values of the actions at a node of each tree, scaled to be added to logits."""
        visits, totals = self.visits[self.rows, node], self.totals[self.rows, node]
        seen, count = visits > 0, visits.sum(1, keepdims=True)
        q = totals / np.maximum(visits, 1)
        prior = softmax(self.logits[self.rows, node])
        mean = (prior * q * seen).sum(1, keepdims=True) / np.maximum((prior * seen).sum(1, keepdims=True), 1e-9)
        mixed = (self.values[self.rows, node][:, None] + count * mean) / (1 + count)
        return np.where(seen, q, mixed) * (50 + visits.max(1, keepdims=True)) * 0.5

    def improved(self) -> np.ndarray:
        """The improved policy at the roots, by action, which the network learns."""
        found = np.zeros((len(self.rows), self.agent.encoding.num_actions), np.float32)
        policy = softmax(self.logits[:, 0] + self.worth(np.zeros_like(self.rows))) * self.mask
        np.put_along_axis(found, self.actions[:, 0], policy, 1)
        return found

    def root_values(self) -> np.ndarray:
        """The values of the roots after the search."""
        return (self.values[:, 0] + self.totals[:, 0].sum(1)) / (1 + self.visits[:, 0].sum(1))

    def chosen(self) -> np.ndarray:
        """The action to play in each game: the best of those visited most; without simulations the likeliest."""
        return self.actions[self.rows, 0, self._best(self.visits[:, 0].max(1))]

    def _best(self, visited: np.ndarray) -> np.ndarray:
        score = self.gumbel + self.logits[:, 0] + self.worth(np.zeros_like(self.rows))
        return np.where(self.mask & (self.visits[:, 0] == visited[:, None]), score, -np.inf).argmax(1)

    def simulate(self, number: int) -> None:
        """Go down each tree, add a node, and take its value back up. Actions are places in the list of their node."""
        rows, node, path = self.rows, np.zeros_like(self.rows), []
        action, going = self._best(self.plan[:, number]), np.ones(len(self.rows), bool)
        while True:
            path.append((node, action, going))
            child = self.children[rows, node, action]
            going = going & (child >= 0) & ~self.over[rows, child]
            if not going.any():
                break
            node = np.where(going, child, node)
            policy, visits = softmax(self.logits[rows, node] + self.worth(node)), self.visits[rows, node]
            lack = np.where(self.logits[rows, node] > NEVER, policy - visits / (1 + visits.sum(1, keepdims=True)), -9)
            action = np.where(going, lack.argmax(1), action)
        value = self._expand(number + 1, node, action)
        for node, action, on in reversed(path):
            self.visits[rows, node, action] += on
            self.totals[rows, node, action] += value * on
            value = np.where(on, value * self.signs[rows, node], value)

    def _expand(self, new: int, node: np.ndarray, action: np.ndarray) -> np.ndarray:
        """The nodes after these actions, made unless they are there; their values for the side that acts."""
        rows, known = self.rows, self.children[self.rows, node, action]
        self.env.reset(to=[self.nodes[at][row] for row, at in enumerate(node)])
        planes, reward, over, _, info = self.env.step(self.actions[rows, node, action])
        at = np.where(known >= 0, known, new)
        self.children[rows, node, action] = at
        self.actions[rows, at], self.logits[rows, at], value = self.agent.evaluate(planes, info["action_mask"])
        self.values[rows, at], self.over[rows, at] = value, over
        self.sides[rows, at] = info["to_play"]
        self.signs[rows, at] = np.where(self.sides[rows, at] == self.sides[rows, node], 1, -1)
        self.nodes.append([self.env.position(row) for row in rows.tolist()])
        return np.where(over, reward, value * self.signs[rows, at]).astype(np.float32)


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Learner:
    """A network that learns from positions by lot, a step behind the games."""

    def __init__(self, agent: Agent, args: argparse.Namespace) -> None:
        self.net, self.encoding, self.args = copy.deepcopy(agent.net), agent.encoding, args
        self.replay: list[tuple] = []  # the latest positions, with what the network shall say of them
        self.chance = np.random.default_rng([args.seed, 1])
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=args.rate, weight_decay=1e-4, fused=True)

    def update(self, share: float) -> None:
        """Learn from some batches, every other position of them in the mirror; `share` of the training is over."""
        self.optimizer.param_groups[0]["lr"] = self.args.rate * (0.02 + 0.98 * (1 + math.cos(math.pi * share)) / 2)
        for _ in range(self.args.updates if len(self.replay) >= 20 * self.args.batch else 0):
            rows = [self.replay[at] for at in self.chance.integers(len(self.replay), size=self.args.batch)]
            planes, policy, value = (np.array(part) for part in zip(*rows, strict=True))
            with suppress(komadai.KomadaiError):  # no such symmetry
                planes[::2], policy[::2] = self.encoding.mirror(planes[::2], policy[::2])
            logits, guess = self.net(torch.from_numpy(planes).float())
            aims = torch.from_numpy(policy), torch.from_numpy(value.astype(np.float32))
            loss = ((guess - aims[1]) ** 2).mean() - (aims[0] * torch.log_softmax(logits, 1)).sum(1).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def lessons(game: list[tuple], reward: float) -> list[tuple]:
    """Planes, policy and value of each position of a game; a value mixes the result and those of later searches."""
    found, later, side = [], reward, game[-1][3]
    for planes, policy, value, mover, strayed in reversed(game):
        later = later if mover == side else -later
        # A move by chance says nothing of the position before it.
        found.append((planes, policy, value if strayed else later))
        later, side = (value if strayed else TRACE * later + (1 - TRACE) * value), mover
    return found[::-1]


def train(args: argparse.Namespace) -> list[tuple[str, float]]:
    """Learn; return the regret by minute, then that with simulations."""
    agent = Agent(args.game, args.width, args.blocks, args.seed)
    learner, second = Learner(agent, args), ThreadPoolExecutor(1)
    env = rl.VecEnv(args.game, args.games, autoreset="same_step", max_plies=args.max_plies, seed=args.seed)
    running: list[list[tuple]] = [[] for _ in range(args.games)]
    env.reset()
    began, log = time.monotonic(), list[tuple[str, float]]()
    for step in range(args.steps):
        spent = (time.monotonic() - began) / 60
        if spent >= args.minutes:
            break
        if spent >= len(log) * args.every:
            score = rl.regret(agent.policy(0), args.game, games=args.measure, seed=1, batched=True)
            print(f"{spent:.0f} min, step {step}: {score}", flush=True)
            log.append((f"{spent:.0f}", round(score.mean, 3)))
        learning = second.submit(learner.update, max(spent / args.minutes, step / args.steps))
        found = Search(agent, [env.position(number) for number in range(args.games)], args.sims, explore=True)
        strays = agent.chance.random(args.games) < [0.5 if len(game) < args.opening else args.stray for game in running]
        actions = np.where(strays, env.random_actions(), found.chosen()).astype(np.int32)
        seen = zip(found.planes, found.improved(), found.root_values(), found.sides[:, 0], strays, strict=True)
        _, reward, over, broken, _ = env.step(actions)
        learning.result()
        agent.net.load_state_dict(learner.net.state_dict())
        for number, (game, ply) in enumerate(zip(running, seen, strict=True)):
            game.append(ply)
            if over[number] or broken[number]:
                learner.replay += lessons(game, float(reward[number]))
                del learner.replay[: -args.replay]
                game.clear()
    for sims in (0, args.sims, args.final_sims):
        score = rl.regret(agent.policy(sims), args.game, games=args.final, seed=99, batched=True)
        print(f"{sims} simulations: {score}", flush=True)
        log.append((f"+{sims}", round(score.mean, 3)))
    if args.save:
        torch.save(agent.net.state_dict(), args.save)
    return log


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="nana")
    for name, default, words in (
        ("minutes", 60.0, "of training at most"),
        ("steps", 1_000_000, "moves of all games at most; these alone make a run repeatable"),
        ("seed", 1, "of everything that is drawn by lot"),
        ("games", 256, "played at the same time"),
        ("sims", 24, "simulations a move"),
        ("max-plies", 200, "after which a game is broken off"),
        ("opening", 8, "plies of a game of which half are by chance"),
        ("stray", 0.02, "share of moves by chance after that"),
        ("replay", 800_000, "positions kept"),
        ("batch", 512, "positions an update"),
        ("updates", 6, "after each move"),
        ("rate", 1e-3, "at which the network learns, at first"),
        ("width", 256, "of the network"),
        ("blocks", 3, "of the network"),
        ("every", 5.0, "minutes between measurements"),
        ("measure", 64, "games of a measurement"),
        ("final", 200, "games of the last measurement"),
        ("final-sims", 200, "simulations a move of the last measurement"),
    ):
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{words} ({default})", metavar="N")
    parser.add_argument("--plot", type=Path, help="write the regret over time (SVG)")
    parser.add_argument("--save", type=Path, help="write the network")
    args = parser.parse_args()
    torch.set_num_threads(1)
    log = train(args)
    if args.plot:
        args.plot.write_text(bars(f"Regret of a move in {args.game} by minute of training", log), encoding="utf-8")


if __name__ == "__main__":
    main()
