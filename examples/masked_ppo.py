"""PPO with masked actions against a level of the engine, by the library sb3-contrib.

pip install 'komadai[gym]' torch sb3-contrib
python examples/masked_ppo.py hand --level 1 --minutes 60
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from komadai.rl.gym_env import GymEnv


class Progress(BaseCallback):
    """Ends the training when the time is up, and prints the share of points of the latest games now and then."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self._end, self._next, self._results = time.monotonic() + 60 * minutes, 0.0, []

    def _on_step(self) -> bool:
        self._results += [
            reward for reward, done in zip(self.locals["rewards"], self.locals["dones"], strict=True) if done
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
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=False)
            seen, reward, ended, broken, _ = env.step(action)
            over = ended or broken
        results.append(reward)
    return points(results)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="hand")
    parser.add_argument("--level", type=int, default=1, help="of the engine, 1 to 10")
    parser.add_argument("--minutes", type=float, default=60, help="of training at most")
    parser.add_argument(
        "--steps", type=int, default=10_000_000, help="actions at most; these alone make a run repeatable"
    )
    parser.add_argument("--envs", type=int, default=8, help="games at the same time")
    parser.add_argument("--max-plies", type=int, default=300, help="after which a game is broken off")
    parser.add_argument("--games", type=int, default=200, help="of the final measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="write the model")
    args = parser.parse_args()
    torch.set_num_threads(1)

    def make() -> gymnasium.Env:
        return gymnasium.wrappers.FlattenObservation(GymEnv(args.game, args.level, max_plies=args.max_plies))

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make] * args.envs),
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        learning_rate=3e-4,
        gamma=0.995,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
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
