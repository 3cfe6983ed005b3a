"""Training a net on made-up samples: it learns, repeats itself, goes on where it ended, and is rounded closely."""

# ruff: noqa: E402 (without PyTorch nothing of this can be imported)

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="pip install 'komadai[learn]'")

import numpy as np

from komadai.errors import LearnError
from komadai.lab.learn.layers import Layers
from komadai.lab.learn.samples import Samples
from komadai.lab.learn.training import Plan, Training, outputs, start

FEATURES = 40
PLAN = Plan(hidden=32, epochs=4, batch=64, rate=0.01, seed=3, threads=1)
WIDE = replace(PLAN, hidden=256)  # with small layers


def samples(count: int = 1500, seed: int = 5) -> Samples:
    """Positions in which half of the truth is in the static score, and the other half in the features."""
    lots = np.random.default_rng(seed)
    counts = lots.integers(1, 9, (count, 2))
    views = [lots.integers(0, FEATURES, total) for total in counts.sum(0)]
    worth = lots.normal(0, 300, FEATURES)
    hidden = [
        np.add.reduceat(worth[view], np.cumsum(lengths) - lengths)
        for view, lengths in zip(views, counts.T, strict=True)
    ]
    static = lots.normal(0, 400, count)
    score = np.clip(static + hidden[0] - hidden[1], -3000, 3000)
    won = lots.random(count) < 1 / (1 + np.exp(-score / 600))
    return Samples(
        mine=views[0].astype(np.uint16),
        theirs=views[1].astype(np.uint16),
        counts=counts.astype(np.uint16),
        phase=lots.integers(0, 4, count).astype(np.uint8),
        static=static.astype(np.int32),
        target=(0.7 / (1 + np.exp(-score / 600)) + 0.3 * won).astype(np.float32),
        game=np.arange(count, dtype=np.uint32) // 5,
        odds=600.0,
        features=FEATURES,
        phases=4,
    )


def trained(path: Path, data: Samples, plan: Plan = PLAN, epochs: int = 4) -> Training:
    training = Training(data, plan, path)
    while not training.over and len(training.epochs) < epochs:
        training.epoch()
    return training


def by_phase(data: Samples) -> Any:
    return np.argsort(data.phase, kind="stable")


def numbers(training: Training) -> list[bytes]:
    return [parameter.detach().numpy().tobytes() for parameter in training.parameters.values()]


def test_a_net_begins_with_nothing_and_learns(tmp_path: Path) -> None:
    data = samples()
    assert not outputs(start(FEATURES, 4, PLAN), data, by_phase(data)).any()
    training = trained(tmp_path / "checkpoint", data, replace(PLAN, epochs=12), 12)
    losses = [training.before, *(epoch.held_out for epoch in training.epochs)]
    entropy = 0.43  # about the least there is to reach
    assert losses[-1] - entropy < (losses[0] - entropy) / 2, losses


def test_the_features_of_a_view_are_its_own() -> None:
    data = samples(50)
    rows = np.array([7, 3, 11])
    features, starts = data.views(rows)
    ends = [*starts[1:], len(features)]
    found = [features[first:end].tolist() for first, end in zip(starts, ends, strict=True)]
    for view, side, parts in ((data.mine, 0, found[:3]), (data.theirs, 1, found[3:])):
        at = np.cumsum(data.counts[:, side].astype(int)) - data.counts[:, side]
        assert parts == [view[at[row] : at[row] + data.counts[row, side]].tolist() for row in rows]


def test_the_same_plan_makes_the_same_net_also_in_parts(tmp_path: Path) -> None:
    data = samples()
    whole = trained(tmp_path / "whole", data)
    trained(tmp_path / "parts", data, epochs=1)
    trained(tmp_path / "parts", data, epochs=3)
    parts = trained(tmp_path / "parts", data)
    assert numbers(parts) == numbers(whole)
    assert parts.epochs == whole.epochs
    assert numbers(trained(tmp_path / "seed", data, replace(PLAN, seed=4))) != numbers(whole)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_make_it_chance(tmp_path: Path, threads: int) -> None:
    plan, data = replace(PLAN, threads=threads, epochs=1), samples()
    one, other = (trained(tmp_path / name, data, plan) for name in ("one", "other"))
    assert numbers(one) == numbers(other)


@pytest.mark.parametrize("plan", [PLAN, WIDE], ids=["plain", "small layers"])
def test_whole_numbers_are_close_to_those_of_training(tmp_path: Path, plan: Plan) -> None:
    data = samples()
    rows = by_phase(data)
    training = trained(tmp_path / "checkpoint", data, plan)
    layers = training.layers()
    with torch.no_grad():
        exact = 400 * outputs(training.best, data, rows).numpy()
    apart = np.abs(layers.scores(data, rows) - exact)
    assert np.abs(exact).mean() > 30, "there is something to compare"
    assert apart.max() < 60
    assert apart.mean() < 10
    assert abs(training.loss_of_layers(layers) - min(epoch.held_out for epoch in training.epochs)) < 1e-3


def test_the_epoch_that_is_best_on_games_held_out_counts(tmp_path: Path) -> None:
    chance = np.random.default_rng(1).integers(0, 2, 600).astype(np.float32)
    data, plan = replace(samples(600), target=chance), replace(PLAN, epochs=6)  # there is nothing to learn
    trained(tmp_path / "parts", data, plan, epochs=5)
    training = trained(tmp_path / "parts", data, plan, epochs=6)
    losses = [epoch.held_out for epoch in training.epochs]
    best = losses.index(min(losses))
    assert best < 4, "the later epochs, also those before the interruption, are worse"
    alone = trained(tmp_path / "alone", data, plan, epochs=best + 1)
    assert numbers(alone) == [one.numpy().tobytes() for one in training.best.values()]


@pytest.mark.parametrize("hidden", [32, 64, 256])
def test_training_goes_on_from_a_net_also_from_a_narrower_one(tmp_path: Path, hidden: int) -> None:
    data = samples()
    rows, before = (
        by_phase(data),
        {name: one.detach().numpy() for name, one in trained(tmp_path / "a", data).parameters.items()},
    )
    plan = replace(PLAN, hidden=hidden)
    wanted, found = (outputs(start(FEATURES, 4, *more), data, rows) for more in ((PLAN, before), (plan, before)))
    assert float(wanted.detach().abs().mean()) > 0.05
    torch.testing.assert_close(found, wanted)
    training = Training(data, plan, tmp_path / "b", before)
    assert training.epoch().held_out < training.before - 0.01
    fewer = {**before, "feature_weights": before["feature_weights"][:-1]}
    taken = start(FEATURES, 4, plan, fewer)["feature_weights"].detach()
    assert not taken[-1, :16].any(), "a feature that the net lacked adds nothing to its units"
    assert np.array_equal(taken[:-1, :16].numpy(), fewer["feature_weights"][:, :16])


def test_the_gradient_of_a_table_is_that_of_pytorch() -> None:
    data = samples(200)
    rows, parameters = by_phase(data), start(FEATURES, 4, WIDE)
    for name in ("output_weights", "last_weights"):
        torch.nn.init.normal_(parameters[name])
    outputs(parameters, data, rows).sum().backward()
    found = parameters["feature_weights"].grad
    features, starts = data.views(rows)
    table = parameters["feature_weights"].detach().clone().requires_grad_()
    views = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(features)))
    sums = torch.zeros(len(starts), WIDE.hidden).index_add(0, torch.from_numpy(views), table[features.astype(np.int64)])
    one_hot = np.zeros((len(starts), FEATURES), np.float32)
    np.add.at(one_hot, (views, features), 1)
    torch.testing.assert_close(sums, torch.from_numpy(one_hot) @ table)
    units = (sums + parameters["feature_bias"]).clamp(0, 1)
    half, count = WIDE.hidden // 2, len(rows)
    pairs, total = units[:, :half] * units[:, half:], torch.zeros(())
    for at, phase in enumerate(data.phase[rows]):
        of = {name: one[int(phase)] for name, one in parameters.items() if not name.startswith("feature")}
        first = of["first_weights"] @ torch.cat([pairs[at], pairs[count + at]]) + of["first_bias"]
        inputs = torch.cat([first.clamp(0, 1), first.clamp(-1, 1) ** 2])
        second = (of["second_weights"] @ inputs + of["second_bias"]).clamp(0, 1)
        squares = torch.cat([units[at], units[count + at]]) ** 2
        total = total + of["output_weights"] @ squares + of["output_bias"] + of["last_weights"] @ second
    total.backward()
    torch.testing.assert_close(found, table.grad)


def test_numbers_out_of_range_are_kept_within() -> None:
    shapes = {name: one.shape for name, one in start(1, 1, WIDE).items()}
    for sign in (1, -1):
        layers = Layers.rounded({name: np.full(shape, sign * 1e9) for name, shape in shapes.items()})
        assert (layers.feature_weights == (32767 if sign > 0 else -32768)).all()
        assert (layers.output_weights == sign * 127).all()
        assert layers.output_bias == (2**31 - 1 if sign > 0 else -(2**31))
        assert (layers.second_weights == sign * 8191).all()
        assert (layers.first_bias == sign << 28).all()


def test_a_foreign_checkpoint_is_refused(tmp_path: Path) -> None:
    data, path = samples(), tmp_path / "checkpoint"
    trained(path, data, epochs=1)
    with pytest.raises(LearnError, match=r"checkpoint is a checkpoint of another training; remove it"):
        Training(data, replace(PLAN, epochs=5), path)
    for bytes_ in (b"", b"PK\x03\x04", path.read_bytes()[:200]):
        path.write_bytes(bytes_)
        with pytest.raises(LearnError, match=r"checkpoint is no checkpoint of this training"):
            Training(data, PLAN, path)


def test_too_few_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="too few games"):
        Training(samples(4), PLAN, tmp_path / "checkpoint")


def test_the_log_is_plain_data(tmp_path: Path) -> None:
    import json

    training = trained(tmp_path / "checkpoint", samples(), epochs=2)
    training.write_log(tmp_path / "log.json", rounded=0.5)
    log: dict[str, Any] = json.loads((tmp_path / "log.json").read_text())
    assert [epoch["loss"] for epoch in log["epochs"]] == [epoch.loss for epoch in training.epochs]
    assert (log["before"], log["rounded"]) == (training.before, 0.5)
    assert log["odds"] == 600
