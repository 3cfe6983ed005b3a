"""Training of a net: what it adds to the hand-made score, so that both together foretell how games go on.

It needs PyTorch (the extra ``learn``). For the same samples, settings and number of threads the weights are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...errors import LearnError
from ...i18n import _
from ...storage import write_whole
from .layers import HEAVIEST, SCALE, WEIGHT, Layers, heaviest_feature
from .samples import Samples, batches

_LAST = 0.01  # of the first rate, in the last step
_DECAY = 2.0  # of the weights; the held-out loss was lowest with 1 to 3 in each game tried, with less it rises again
_SPREAD = 0.05  # of the first weights
_OPEN = 0.3  # the first bias, so that units are at work
_MEASURED = 1 << 14  # positions at a time, when nothing is learned

Numbers = NDArray[Any]
Parameters = dict[str, Any]
"""The numbers of a net in training, by the names of :class:`.layers.Layers`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that training depends on besides the samples.

    Attributes:
        hidden: units of the hidden layer.
        epochs: how often every position is looked at. ``batch``: positions a step. ``rate``: of learning, at first.
        seed: of the first weights and the order of positions. ``threads``: of this process that work.
    """

    hidden: int
    epochs: int
    batch: int
    rate: float
    seed: int
    threads: int


@dataclass(frozen=True, slots=True)
class Epoch:
    """The results of an epoch: the mean loss in it, and that on positions held out afterwards."""

    loss: float
    held_out: float


def start(features: int, phases: int, plan: Plan) -> Parameters:
    """The parameters before the first step, which add nothing to any score."""
    lots = torch.Generator().manual_seed(plan.seed)
    weights = torch.randn((features, plan.hidden), generator=lots) * _SPREAD
    parameters = {
        "feature_weights": weights,
        "feature_bias": torch.full((plan.hidden,), _OPEN),
        "output_weights": torch.zeros((phases, 2 * plan.hidden)),
        "output_bias": torch.zeros(phases),
    }
    return {name: torch.nn.Parameter(tensor) for name, tensor in parameters.items()}


def outputs(parameters: Parameters, samples: Samples, rows: Numbers) -> Any:
    """The numbers that the net adds to the hand-made scores of some positions, in units of ``SCALE``."""
    features, starts = (torch.from_numpy(numbers.astype(np.int64)) for numbers in samples.views(rows))
    bags = torch.nn.functional.embedding_bag(features, parameters["feature_weights"], starts, mode="sum")
    active = (bags + parameters["feature_bias"]).clamp(0, 1).square()
    both = torch.cat([active[: len(rows)], active[len(rows) :]], 1)
    phase = torch.from_numpy(samples.phase[rows].astype(np.int64))
    return (both * parameters["output_weights"][phase]).sum(1) + parameters["output_bias"][phase]


def loss_of(added: Any, samples: Samples, rows: Numbers) -> Any:
    """The mean cross entropy between the points expected of the whole score and the target.

    Args:
        added: what the net adds to the hand-made scores of these positions.
    """
    static, target = (
        torch.from_numpy(np.asarray(column[rows], np.float32)) for column in (samples.static, samples.target)
    )
    return torch.nn.functional.binary_cross_entropy_with_logits((static + added) / samples.odds, target)


class Training:
    """Training that can be interrupted between two epochs, and goes on from a file.

    Attributes:
        epochs: those that are over. ``parameters``: the net as it is now.
        before: the loss of the hand-made scores alone on positions held out.
    """

    def __init__(self, samples: Samples, plan: Plan, checkpoint: Path) -> None:
        """Prepare, or go on where the checkpoint ends.

        Raises:
            LearnError: the checkpoint is unsound, or of another training.
        """
        torch.set_num_threads(plan.threads)
        torch.use_deterministic_algorithms(True)
        self._samples, self._plan, self._path = samples, plan, checkpoint
        held_out = samples.held_out
        self._rows, self._held_out = np.flatnonzero(~held_out), np.flatnonzero(held_out)
        if not len(self._rows) or not len(self._held_out):
            raise LearnError(_("there are too few games to learn from; expected some dozens"))
        self.parameters = start(samples.features, samples.phases, plan)
        self._optimizer = torch.optim.AdamW(self.parameters.values(), lr=plan.rate, weight_decay=_DECAY)
        self._limits = {
            "feature_weights": heaviest_feature(samples.features, plan.hidden, int(samples.counts.max())),
            "output_weights": HEAVIEST / WEIGHT,
        }
        self.epochs: list[Epoch] = []
        self.before = self._measured(lambda rows: torch.zeros(len(rows)))
        if checkpoint.exists():
            self._load()

    def _load(self) -> None:
        try:
            kept = torch.load(self._path, weights_only=True)
            same = kept["of"] == self._identity()
            if same:
                with torch.no_grad():
                    for name, parameter in self.parameters.items():
                        parameter.copy_(kept["parameters"][name])
                self._optimizer.load_state_dict(kept["optimizer"])
                self.epochs = [Epoch(*numbers) for numbers in kept["epochs"]]
        except Exception as error:  # whatever PyTorch makes of foreign bytes
            words = _("{path} is no checkpoint of this training: {why}", path=self._path, why=str(error)[:100])
            raise LearnError(words) from None
        if not same:
            raise LearnError(_("{path} is a checkpoint of another training; remove it", path=self._path))

    def _identity(self) -> str:
        plan = {name: getattr(self._plan, name) for name in self._plan.__slots__}
        return json.dumps([plan, len(self._samples), self.before], sort_keys=True)

    def _save(self) -> None:
        kept = {
            "of": self._identity(),
            "parameters": {name: parameter.detach() for name, parameter in self.parameters.items()},
            "optimizer": self._optimizer.state_dict(),
            "epochs": [(epoch.loss, epoch.held_out) for epoch in self.epochs],
        }
        fresh = self._path.with_name(f"{self._path.name}.new")
        try:
            torch.save(kept, fresh)
            fresh.replace(self._path)
        except (OSError, RuntimeError) as error:
            raise LearnError(_("{path} cannot be written: {why}", path=self._path, why=str(error)[:100])) from None

    @property
    def size(self) -> int:
        """The number of positions that an epoch looks at."""
        return len(self._rows)

    @property
    def over(self) -> bool:
        """True once all epochs are."""
        return len(self.epochs) >= self._plan.epochs

    def epoch(self, progress: Callable[[int], object] = lambda positions: None) -> Epoch:
        """Look at every position once, and keep what was learned.

        Args:
            progress: called after each step with the number of positions looked at in it.

        Raises:
            LearnError: the checkpoint cannot be written.
        """
        number, plan = len(self.epochs), self._plan
        order = np.random.default_rng((plan.seed, number)).permutation(self._rows)
        steps, total = -(-len(order) // plan.batch), 0.0
        for step, rows in enumerate(batches(order, plan.batch)):
            share = (number * steps + step) / (plan.epochs * steps)
            for group in self._optimizer.param_groups:
                group["lr"] = plan.rate * (_LAST + (1 - _LAST) * (1 + cos(pi * share)) / 2)
            loss = self._loss(SCALE * outputs(self.parameters, self._samples, rows), rows)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            with torch.no_grad():
                for name, limit in self._limits.items():
                    self.parameters[name].clamp_(-limit, limit)
            total += float(loss.detach()) * len(rows)
            progress(len(rows))
        held_out = self._measured(lambda rows: SCALE * outputs(self.parameters, self._samples, rows))
        self.epochs.append(Epoch(total / len(order), held_out))
        self._save()
        return self.epochs[-1]

    def _loss(self, added: Any, rows: Numbers) -> Any:
        return loss_of(added, self._samples, rows)

    def _measured(self, added: Callable[[Numbers], Any]) -> float:
        """The mean loss on the positions held out."""
        total = 0.0
        with torch.no_grad():
            for rows in batches(self._held_out, _MEASURED):
                total += float(self._loss(added(rows), rows)) * len(rows)
        return total / len(self._held_out)

    def layers(self) -> Layers:
        """The net in whole numbers."""
        return Layers.rounded(**{name: parameter.detach().numpy() for name, parameter in self.parameters.items()})

    def loss_of_layers(self, layers: Layers) -> float:
        """The loss of a net in whole numbers on positions held out."""
        return self._measured(lambda rows: torch.from_numpy(layers.scores(self._samples, rows).astype(np.float32)))

    def write_log(self, path: Path, **more: Any) -> None:
        """Write the losses as JSON, with the rate at which scores become odds.

        Raises:
            OSError: the file cannot be written.
        """
        losses = [{"loss": epoch.loss, "held_out": epoch.held_out} for epoch in self.epochs]
        data = {"odds": self._samples.odds, "before": self.before, "epochs": losses, **more}
        write_whole(path, json.dumps(data, indent=1).encode())
