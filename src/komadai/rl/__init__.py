"""Environments in which agents learn: many games at once, as arrays (docs/reference/environments.md).

They need NumPy, which the extra ``rl`` brings.

Example:
    >>> import komadai.rl
    >>> env = komadai.rl.vec("shogi", 2)
    >>> obs, info = env.reset()
    >>> obs.shape, info["action_mask"].shape
    ((2, 47, 9, 9), (2, 2187))
"""

from __future__ import annotations

from .encoding import Encoding
from .vec_env import CAP, RESULTS, VecEnv, vec

__all__ = ["CAP", "RESULTS", "Encoding", "VecEnv", "vec"]
