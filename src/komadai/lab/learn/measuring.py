"""The numbers of positions and epochs that fit in some hours, chosen from a minute of measuring."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ...engine.evaluation import HANDMADE, evaluation
from ...spec.variant import Variant
from .data import Ledger
from .manifest import TRACE
from .self_play import SelfPlay, Settings

_PLAYING, _TRAINING = 0.55, 0.2  # of the hours; the rest is the match
_GAMES = 40.0  # seconds of games to measure by
_LEAST_GAMES = 4  # of which one is held out
_STEPS = 10.0  # seconds of training to measure by
_EPOCHS = (5, 40)


def choose(
    variant: Variant,
    settings: Settings,
    hours: float,
    workers: int,
    *,
    hidden: int,
    batch: int,
    threads: int,
    log: Callable[[str], object],
) -> tuple[int, int]:
    """The positions to play for and the epochs to train for, so that a run lasts about so many hours.

    Args:
        workers: that will play, each as fast as this process.

    Raises:
        LearnError: nothing can be learned of this game.
    """
    log(f"measuring for {_GAMES + _STEPS:.0f} s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played = _play(variant, settings, folder / "games")
        trained = _train(variant, folder, hidden, batch, threads)
    positions = max(round(played * workers * _PLAYING * hours * 3600), 1000)
    epochs = round(trained * _TRAINING * hours * 3600 / positions)
    epochs = min(max(epochs, _EPOCHS[0]), _EPOCHS[1])
    log(
        f"a process plays {played:,.0f} quiet positions a second and trains on {trained:,.0f}: "
        f"{positions:,} positions, {epochs} epochs"
    )
    return positions, epochs


def _play(variant: Variant, settings: Settings, path: Path) -> float:
    """Quiet positions a second."""
    player, began = SelfPlay(variant, settings), time.monotonic()
    with closing(Ledger(path, variant, settings.data())) as ledger:
        while ledger.games < _LEAST_GAMES or time.monotonic() < began + _GAMES:
            ledger.add(player.game(ledger.games))
        return ledger.quiet / (time.monotonic() - began)


def _train(variant: Variant, folder: Path, hidden: int, batch: int, threads: int) -> float:
    """Positions that training looks at in a second."""
    from .samples import gather
    from .training import Plan, Training

    samples = gather(variant, [folder / "games"], folder / "positions", evaluation(variant, HANDMADE), TRACE)
    plan = Plan(hidden, 1 << 30, batch, 0.001, 1, threads)
    training, began, looked = Training(samples, plan, folder / "checkpoint"), time.monotonic(), 0

    def count(positions: int) -> None:
        nonlocal looked
        looked += positions

    while time.monotonic() < began + _STEPS:
        training.epoch(count)
    return looked / (time.monotonic() - began)
