"""Positions as arrays: they are those of the games, as the engine sees them, and whole numbers are as in the engine."""

from __future__ import annotations

from array import array
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="pip install 'komadai[learn]'")

import numpy as np

import komadai
from komadai import _core
from komadai.engine.evaluation import HANDMADE, evaluation
from komadai.engine.net import Arrays, shape_of
from komadai.errors import LearnError
from komadai.lab.learn.data import Ledger, Played
from komadai.lab.learn.layers import Layers, heaviest, numbers_of, small_layers
from komadai.lab.learn.play_jobs import play_until
from komadai.lab.learn.samples import Samples, gather
from komadai.lab.learn.self_play import Settings
from komadai.lab.learn.targets import measured_odds, targets
from komadai.spec.variant import Variant


def played(variant: Variant, path: Path, wanted: int = 40) -> list[Played]:
    settings = Settings.of(variant, nodes=20)
    with closing(Ledger(path, variant, settings.data())) as ledger:
        play_until(ledger, variant, settings, wanted)
    from komadai.lab.learn.data import Reader

    return list(Reader(path, variant))


def gathered(variant: Variant, folder: Path) -> tuple[list[Played], Samples]:
    games = played(variant, folder / "games")
    return games, gather(variant, [folder / "games"], folder / "positions", evaluation(variant, HANDMADE), 0.9)


@pytest.mark.parametrize("name", ["nana", "hand", "mortal", "ko"])
def test_samples_are_the_quiet_positions(name: str, tmp_path: Path) -> None:
    variant = komadai.variant(name)
    games, samples = gathered(variant, tmp_path)
    shape, by_hand, row = shape_of(variant), evaluation(variant, HANDMADE), 0
    layers, net = rounded(variant, samples)
    added = layers.scores(samples, np.arange(len(samples)))
    assert samples.odds == measured_odds(variant, [tmp_path / "games"])
    for game in games:
        position = komadai.Position(variant, game.start)
        wanted = targets(variant, game, samples.odds, 0.9)
        for move, target, quiet in zip(game.moves, wanted, game.quiet, strict=True):
            if quiet:
                mine, theirs, phase = shape.of(position._native)
                features, starts = samples.views(np.array([row]))
                assert [sorted(features[: starts[1]]), sorted(features[starts[1] :])] == [sorted(mine), sorted(theirs)]
                assert (samples.phase[row], samples.game[row]) == (phase, game.number)
                assert samples.target[row] == np.float32(target)
                assert samples.static[row] == by_hand.score(position._native)
                assert net.score(position._native) - net.static(position._native) == added[row]
                row += 1
            position.push(move)
    assert row == len(samples)
    assert samples.held_out.tolist() == [int(number) % 20 == 0 for number in samples.game]


def rounded(variant: Variant, samples: Samples) -> tuple[Layers, _core.Evaluation]:
    """A net by chance, as arrays and in the engine."""
    lots, phases = np.random.default_rng(2), samples.phases
    first, second = small_layers(256)
    limits = heaviest(samples.features, 32, int(samples.counts.max()))
    shapes: dict[str, tuple[tuple[int, ...], float, float]] = {
        "feature_weights": ((samples.features, 32), 0, 0.2),
        "feature_bias": ((32,), 0.3, 0.1),
        "output_weights": ((phases, 64), 0, 0.7),
        "output_bias": ((phases,), 0, 0.2),
        "first_weights": ((phases, first, 32), 0, 0.5),
        "first_bias": ((phases, first), 0.1, 0.5),
        "second_weights": ((phases, second, 2 * first), 0, 0.4),
        "second_bias": ((phases, second), 0.1, 0.3),
        "last_weights": ((phases, second), 0, 0.5),
    }
    numbers = {name: lots.normal(mean, spread, shape) for name, (shape, mean, spread) in shapes.items()}
    for name, limit in limits.items():
        numbers[name] = np.clip(numbers[name], -limit, limit)
    layers = Layers.rounded(numbers)
    return layers, layers.net(variant).evaluation(variant)


def test_large_tables_fit_in_bytes() -> None:
    assert heaviest(27490, 32, 100)["feature_weights"] == 127 / 255
    assert heaviest(414, 16, 15)["feature_weights"] == 32767 / 16 / 255
    ko = komadai.variant("ko")
    features = shape_of(ko).features
    parts = (np.full((features, 32), 127, np.int16), np.zeros(32, np.int16), np.zeros((8, 64), np.int16))
    nothing = [np.zeros(0, kind) for kind in (np.int16, np.int32, np.int16, np.int32, np.int16)]
    weights = Layers(*parts, np.zeros(8, np.int32), *nothing).net(ko).arrays.feature_weights
    assert weights.typecode == "b"
    assert len(weights) * weights.itemsize < 1 << 20


def test_a_net_comes_back_to_training_as_it_was(tmp_path: Path) -> None:
    nana = komadai.variant("nana")
    _games, samples = gathered(nana, tmp_path)
    layers, _net = rounded(nana, samples)
    again = Layers.rounded(numbers_of(layers.net(nana)))
    for name in Arrays._fields:
        np.testing.assert_array_equal(getattr(again, name), getattr(layers, name))


def test_files_without_a_quiet_position_are_refused(tmp_path: Path) -> None:
    nana = komadai.variant("nana")
    with closing(Ledger(tmp_path / "games", nana, {})) as ledger:
        ledger.add(Played(0, komadai.Position(nana).sfen(), ("K*1a",), array("h", [0]), bytes(1), None, "length"))
    with pytest.raises(LearnError, match="no quiet position; there is nothing to learn from"):
        gather(nana, [tmp_path / "games"], tmp_path / "positions", evaluation(nana, HANDMADE), 0.9)
    (tmp_path / "file").write_text("")
    with pytest.raises(LearnError, match="cannot be written"):
        gather(nana, [tmp_path / "games"], tmp_path / "file" / "positions", evaluation(nana, HANDMADE), 0.9)
