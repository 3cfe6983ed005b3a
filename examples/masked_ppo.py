"""PPO with masked actions against a level of the engine, by the library sb3-contrib.

pip install 'komadai[gym]' torch sb3-contrib
python examples/masked_ppo.py hand --level 1 --minutes 60
"""

import argparse
import time
from typing import Any, SupportsInt

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from komadai.lab.rl.gym_env import GymEnv

GAMMA = 0.99  # what a reward is worth a move later


class Material(gymnasium.Wrapper):
    """Adds to the reward how the numbers of pieces change: a potential, which leaves what is best as it is (Ng, Harada
    and Russell, "Policy invariance under reward transformations", 1999)."""

    def __init__(self, env: GymEnv, worth: float) -> None:
        super().__init__(env)
        cells = env.encoding.shape[1] * env.encoding.shape[2]
        signs = {"own": worth, "enemy": -worth}
        # A piece on the board is a cell of a plane, one in hand all of them.
        self._worth = np.array(
            [signs.get(name.split()[0], 0) / (cells if " hand " in name else 1) for name in env.encoding.planes]
        )
        self._before = 0.0

    def reset(self, **given: Any) -> tuple[np.ndarray, dict[str, Any]]:
        seen, info = self.env.reset(**given)
        self._before = self._potential(seen)
        return seen, info

    def step(self, action: SupportsInt) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        seen, reward, ended, broken, info = self.env.step(action)
        before, self._before = self._before, 0.0 if ended else self._potential(seen)
        return seen, reward + GAMMA * self._before - before, ended, broken, info | {"reward": reward}

    def _potential(self, seen: np.ndarray) -> float:
        return float(seen.sum((1, 2)) @ self._worth)


class Trunk(BaseFeaturesExtractor):
    """One layer over the planes for policy and value together, since it is nearly all of the work."""

    def __init__(self, space: gymnasium.spaces.Box, width: int) -> None:
        super().__init__(space, width)
        self.layer = nn.Sequential(nn.Linear(space.shape[0], width), nn.ReLU())

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.layer(seen)


class Progress(BaseCallback):
    """Ends the training when the time is up, and prints the share of points of the latest games now and then."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self._end, self._next, self._results = time.monotonic() + 60 * minutes, 0.0, []

    def _on_step(self) -> bool:
        self._results += [
            info["reward"] for info, done in zip(self.locals["infos"], self.locals["dones"], strict=True) if done
        ]
        now = time.monotonic()
        if now >= self._next and self._results:
            latest = self._results[-200:]
            print(
                f"{self.num_timesteps} steps, {len(self._results)} games, {points(latest):.1%} of {len(latest)}",
                flush=True,
            )
            self._next = now + 60
        return now < self._end


def points(results: list[float]) -> float:
    """The share of points of results of 1, 0 and -1."""
    return float(np.mean(results) + 1) / 2


def play(model: MaskablePPO, env: gymnasium.Env, games: int, seed: int) -> float:
    """The share of points of the model in so many games."""
    results = []
    for number in range(games):
        seen, _ = env.reset(seed=seed + number)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=False)
            seen, _, ended, broken, info = env.step(action)
            over = ended or broken
        results.append(info["reward"])
    return points(results)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="hand")
    parser.add_argument("--level", type=int, default=1, help="of the engine, 1 to 10")
    parser.add_argument("--minutes", type=float, default=60, help="of training at most")
    parser.add_argument(
        "--steps", type=int, default=10_000_000, help="actions at most; these alone make a run repeatable"
    )
    parser.add_argument("--envs", type=int, default=16, help="games at the same time")
    parser.add_argument("--max-plies", type=int, default=300, help="after which a game is broken off")
    parser.add_argument("--material", type=float, default=0.03, help="what a piece adds to the reward")
    parser.add_argument("--games", type=int, default=200, help="of the final measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="write the model")
    args = parser.parse_args()
    torch.set_num_threads(1)

    def make() -> gymnasium.Env:
        env = GymEnv(args.game, args.level, max_plies=args.max_plies)
        # Planes are no image: flat they are what one layer takes, and nobody divides them by 255.
        return gymnasium.wrappers.FlattenObservation(Material(env, args.material))

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make] * args.envs),
        n_steps=256,
        batch_size=1024,
        n_epochs=4,
        learning_rate=3e-4,
        gamma=GAMMA,
        ent_coef=0.01,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"width": 128},
            "net_arch": [128],
            "activation_fn": nn.ReLU,
        },
        seed=args.seed,
    )
    model.learn(args.steps, callback=Progress(args.minutes))
    if args.save:
        model.save(args.save)
    print(
        f"{play(model, make(), args.games, 10_000):.1%} of the points in {args.games} games against level {args.level}"
    )


if __name__ == "__main__":
    main()
