"""Environments in which agents learn and are measured (docs/reference/environments.md).

Names are loaded on first use: games as arrays need NumPy, which the extra ``lab`` brings; games as text and exact
regret need nothing.

Example:
    >>> import komadai.lab.rl
    >>> env = komadai.lab.rl.vec("shogi", 2)
    >>> obs, info = env.reset()
    >>> obs.shape, info["action_mask"].shape
    ((2, 47, 9, 9), (2, 2187))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ...errors import lacking

if TYPE_CHECKING:
    from .aec_env import aec
    from .encoding import Encoding
    from .episodes import Episode, self_play
    from .gym_env import gym
    from .measure import BatchPolicy, Policy, Regret, Score, best_policy, level_policy, random_policy, regret
    from .text import TextEnv
    from .vec_env import CAP, RESULTS, VecEnv, vec

_NAMES = {
    "aec_env": ("aec",),
    "encoding": ("Encoding",),
    "episodes": ("Episode", "self_play"),
    "gym_env": ("gym",),
    "measure": ("BatchPolicy", "Policy", "Regret", "Score", "best_policy", "level_policy", "random_policy", "regret"),
    "text": ("TextEnv",),
    "vec_env": ("CAP", "RESULTS", "VecEnv", "vec"),
}
"""The public names by the modules that define them."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "CAP",
    "RESULTS",
    "BatchPolicy",
    "Encoding",
    "Episode",
    "Policy",
    "Regret",
    "Score",
    "TextEnv",
    "VecEnv",
    "aec",
    "best_policy",
    "gym",
    "level_policy",
    "random_policy",
    "regret",
    "self_play",
    "vec",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value: object = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"{__name__}.{name} {lacking(missing)}", name=missing.name) from missing
    globals()[name] = value
    return value
