"""Environments in which agents learn and are measured."""

from __future__ import annotations

from .measure import BatchPolicy, Policy, Regret, Score, best_policy, level_policy, random_policy, regret
from .text import TextEnv

__all__ = [
    "BatchPolicy",
    "Policy",
    "Regret",
    "Score",
    "TextEnv",
    "best_policy",
    "level_policy",
    "random_policy",
    "regret",
]
