"""Training of a net: what it adds to the hand-made score, so that both together foretell how games go on.

It needs PyTorch (the extra ``learn``). For the same samples, settings and number of threads the weights are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, inf, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...errors import LearnError
from ...i18n import _
from ...storage import write_whole
from .layers import SCALE, Layers, heaviest, small_layers
from .samples import Samples, batches

_LAST = 0.01  # of the first rate, in the last step
_DECAY = 0.3  # of the weights
_SPREAD = 0.05  # of the first weights
_OPEN = 0.3  # the first biases, so that units are at work
_MEASURED = 1 << 14  # positions at a time, when nothing is learned; with whole numbers, which take more room:
_ROUNDED = 1 << 11

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


def start(features: int, phases: int, plan: Plan, before: Mapping[str, Numbers] | None = None) -> Parameters:
    """The parameters before the first step, which add to every score what the net before them did, or nothing.

    Args:
        before: the numbers of the net to go on from, with at most ``plan.hidden`` hidden units; ``None``: from nothing.
    """
    lots = torch.Generator().manual_seed(plan.seed)

    def some(*shape: int, spread: float) -> Any:
        return torch.randn(shape, generator=lots) * spread

    hidden = plan.hidden
    known = (0, 0) if before is None else (before["first_bias"].shape[1], before["second_bias"].shape[1])
    first, second = known if any(known) else small_layers(hidden)
    tensors = {
        "feature_weights": some(features, hidden, spread=_SPREAD),
        "feature_bias": torch.full((hidden,), _OPEN),
        "output_weights": torch.zeros((phases, 2 * hidden)),
        "output_bias": torch.zeros(phases),
        "first_weights": some(phases, first, hidden, spread=hidden**-0.5),
        "first_bias": torch.full((phases, first), _OPEN),
        "second_weights": some(phases, second, 2 * first, spread=max(2 * first, 1) ** -0.5),
        "second_bias": torch.full((phases, second), _OPEN),
        "last_weights": torch.zeros((phases, second)),
    }
    if before is not None:
        _take_over(tensors, {name: torch.from_numpy(numbers).float() for name, numbers in before.items()})
    return {name: torch.nn.Parameter(tensor) for name, tensor in tensors.items()}


def _take_over(tensors: Parameters, before: Mapping[str, Any]) -> None:
    """Put the numbers of a net into a wider one. Units are pairs, one of each half, and stay so."""
    known, hidden = len(before["feature_bias"]) // 2, len(tensors["feature_bias"]) // 2
    half = torch.arange(known)
    units, pairs = torch.cat([half, hidden + half]), torch.cat([half, hidden + half])
    seen = len(before["feature_weights"])  # features that the net lacks come last, and begin with nothing
    tensors["feature_weights"][:, units] = 0
    tensors["feature_weights"][:seen, units] = before["feature_weights"]
    tensors["feature_bias"][units] = before["feature_bias"]
    tensors["output_weights"][:, torch.cat([units, 2 * hidden + units])] = before["output_weights"]
    tensors["output_bias"][:] = before["output_bias"]
    if before["last_weights"].shape == tensors["last_weights"].shape:  # the same small layers
        tensors["first_weights"].zero_()
        tensors["first_weights"][:, :, pairs] = before["first_weights"]
        for name in ("first_bias", "second_weights", "second_bias", "last_weights"):
            tensors[name] = before[name]


class _Sums(torch.autograd.Function):  # type: ignore[misc]  # PyTorch is read without its types
    """The sums of the rows of a table, by view. What comes back is summed by feature, in the order of views."""

    @staticmethod
    def forward(ctx: Any, table: Any, features: Numbers, starts: Numbers) -> Any:
        ctx.features, ctx.starts, ctx.rows = features, starts, len(table)
        return _summed(table, features, starts)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        lengths = np.diff(ctx.starts, append=len(ctx.features))
        views = np.repeat(np.arange(len(lengths)), lengths)[np.argsort(ctx.features, kind="stable")]
        counts = np.bincount(ctx.features, minlength=ctx.rows)
        return _summed(gradient.contiguous(), views, np.cumsum(counts) - counts), None, None


def _summed(table: Any, rows: Numbers, starts: Numbers) -> Any:
    indices, offsets = (torch.from_numpy(numbers.astype(np.int64)) for numbers in (rows, starts))
    return torch.nn.functional.embedding_bag(indices, table, offsets, mode="sum")


def outputs(parameters: Parameters, samples: Samples, rows: Numbers) -> Any:
    """The numbers that the net adds to the hand-made scores of some positions, in units of ``SCALE``.

    Args:
        rows: of the positions, sorted by phase.
    """
    features, starts = samples.views(rows)
    sums = _Sums.apply(parameters["feature_weights"], features, starts)
    units = (sums + parameters["feature_bias"]).clamp(0, 1)
    half = units.shape[1] // 2
    inputs = _by_side(units.square(), len(rows)), _by_side(units[:, :half] * units[:, half:], len(rows))
    sizes = np.bincount(samples.phase[rows], minlength=samples.phases).tolist()
    names = [name for name in parameters if not name.startswith("feature")]
    each = zip(*(one.split(sizes) for one in inputs), *(parameters[name].unbind() for name in names), strict=True)
    return torch.cat(
        [_added(squares, pairs, dict(zip(names, numbers, strict=True))) for squares, pairs, *numbers in each]
    )


def _by_side(units: Any, count: int) -> Any:
    return torch.cat([units[:count], units[count:]], 1)


def _added(squares: Any, pairs: Any, phase: Parameters) -> Any:
    """The output for positions of one phase."""
    first = pairs @ phase["first_weights"].T + phase["first_bias"]
    inputs = torch.cat([first.clamp(0, 1), first.clamp(-1, 1).square()], 1)
    second = (inputs @ phase["second_weights"].T + phase["second_bias"]).clamp(0, 1)
    return squares @ phase["output_weights"] + phase["output_bias"] + second @ phase["last_weights"]


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
        epochs: those that are over. ``parameters``: the net as it is now; ``best``: that after the epoch whose loss on
            positions held out was least.
        before: the loss of the hand-made scores alone on positions held out.
    """

    def __init__(
        self, samples: Samples, plan: Plan, checkpoint: Path, before: Mapping[str, Numbers] | None = None
    ) -> None:
        """Prepare, or go on where the checkpoint ends.

        Args:
            before: as :func:`start`.

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
        self.parameters = start(samples.features, samples.phases, plan, before)
        self._optimizer = torch.optim.AdamW(self.parameters.values(), lr=plan.rate, weight_decay=_DECAY)
        self._limits = heaviest(samples.features, plan.hidden, int(samples.counts.max()))
        self.epochs: list[Epoch] = []
        self.best = self._copied()
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
                    for name, best in self.best.items():
                        best.copy_(kept["best"][name])
                self._optimizer.load_state_dict(kept["optimizer"])
                self.epochs = [Epoch(*numbers) for numbers in kept["epochs"]]
        except Exception as error:  # whatever PyTorch makes of foreign bytes
            words = _("{path} is no checkpoint of this training: {why}", path=self._path, why=str(error)[:100])
            raise LearnError(words) from None
        if not same:
            raise LearnError(_("{path} is a checkpoint of another training; remove it", path=self._path))

    def _copied(self) -> Parameters:
        return {name: parameter.detach().clone() for name, parameter in self.parameters.items()}

    def _identity(self) -> str:
        plan = {name: getattr(self._plan, name) for name in self._plan.__slots__}
        return json.dumps([plan, len(self._samples), self.before], sort_keys=True)

    def _save(self) -> None:
        kept = {
            "of": self._identity(),
            "parameters": {name: parameter.detach() for name, parameter in self.parameters.items()},
            "best": self.best,
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
        for step, some in enumerate(batches(order, plan.batch)):
            rows = self._by_phase(some)
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
        if held_out < min((epoch.held_out for epoch in self.epochs), default=inf):
            self.best = self._copied()
        self.epochs.append(Epoch(total / len(order), held_out))
        self._save()
        return self.epochs[-1]

    def _by_phase(self, rows: Numbers) -> Numbers:
        found: Numbers = rows[np.argsort(self._samples.phase[rows], kind="stable")]
        return found

    def _loss(self, added: Any, rows: Numbers) -> Any:
        return loss_of(added, self._samples, rows)

    def _measured(self, added: Callable[[Numbers], Any], size: int = _MEASURED) -> float:
        """The mean loss on the positions held out."""
        total = 0.0
        with torch.no_grad():
            for some in batches(self._held_out, size):
                rows = self._by_phase(some)
                total += float(self._loss(added(rows), rows)) * len(rows)
        return total / len(self._held_out)

    def layers(self) -> Layers:
        """The best net in whole numbers."""
        return Layers.rounded({name: numbers.numpy() for name, numbers in self.best.items()})

    def loss_of_layers(self, layers: Layers) -> float:
        """The loss of a net in whole numbers on positions held out."""

        def added(rows: Numbers) -> Any:
            return torch.from_numpy(layers.scores(self._samples, rows).astype(np.float32))

        return self._measured(added, _ROUNDED)

    def write_log(self, path: Path, **more: Any) -> None:
        """Write the losses as JSON, with the rate at which scores become odds.

        Raises:
            OSError: the file cannot be written.
        """
        losses = [{"loss": epoch.loss, "held_out": epoch.held_out} for epoch in self.epochs]
        data = {"odds": self._samples.odds, "before": self.before, "epochs": losses, **more}
        write_whole(path, json.dumps(data, indent=1).encode())
