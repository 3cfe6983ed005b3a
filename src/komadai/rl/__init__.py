"""Environments in which agents learn and are measured."""

from __future__ import annotations

from .regret import Regret, Score, best_policy, level_policy, random_policy, regret

__all__ = ["Regret", "Score", "best_policy", "level_policy", "random_policy", "regret"]
