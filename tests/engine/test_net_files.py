"""Files of nets: what is written is read again and played with, and what is unsound is refused in a sentence."""

from __future__ import annotations

import json
import random
import shutil
import struct
import zlib
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from komadai import _core
from komadai.compiler import compile_variant
from komadai.engine import Engine
from komadai.engine.evaluation import evaluation, evaluation_hash, hand_made, with_net
from komadai.engine.net import MAGIC, Net, default_net, user_net
from komadai.errors import NetError
from komadai.spec.variant import Variant

NANA = komadai.variant("nana")
HEAD = struct.calcsize("<8sII")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No net of the user's own is found, but those that a test puts there."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    evaluation.cache_clear()


def made(variant: Variant = NANA, seed: int = 1, hidden: int = 16, phases: int = 2, kind: str = "h") -> Net:
    lots = random.Random(seed)
    features = _core.NetShape(compile_variant(variant).rules).features
    sizes = (features * hidden, hidden, 2 * hidden * phases, phases)
    arrays = [
        array(code, [lots.randint(-most, most) for _ in range(size)])
        for code, size, most in zip((kind, "h", "h", "i"), sizes, (90, 200, 127, 9999), strict=True)
    ]
    return Net(Net.description(variant), hidden, phases, *arrays)


@pytest.mark.parametrize("kind", ["h", "b"])
def test_a_net_comes_back_as_it_was(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "nana.net"
    net = made(kind=kind)
    net.save(path)
    found = Net.load(path, NANA)
    assert found == net
    assert found.feature_weights.typecode == kind
    found.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    position = komadai.Position(NANA)
    assert with_net(NANA, found).score(position._native) == with_net(NANA, net).score(position._native)


def test_bytes_and_words_are_the_same_net() -> None:
    one, other = made(kind="h"), made(kind="b")
    assert one.feature_weights.tolist() == other.feature_weights.tolist()
    position = komadai.Position(NANA)
    assert with_net(NANA, one).score(position._native) == with_net(NANA, other).score(position._native)


def test_the_engine_plays_with_a_file_with_its_own_net_or_without(tmp_path: Path) -> None:
    path = tmp_path / "nana.net"
    net = made()
    net.save(path)
    position = komadai.Position(NANA)

    def score(engine: Engine) -> int:
        return engine.search(position, depth=1).score

    plain = score(Engine(NANA, tables=False))
    assert score(Engine(NANA, tables=False, net=path)) != plain
    assert score(Engine(NANA, tables=False, net=False)) == plain
    before = evaluation_hash(NANA)
    user_net(NANA).parent.mkdir(parents=True)
    shutil.copy(path, user_net(NANA))
    evaluation.cache_clear()
    assert default_net(NANA) == net
    assert evaluation_hash(NANA) != before
    assert score(Engine(NANA, tables=False)) == score(Engine(NANA, tables=False, net=path))
    assert score(Engine(NANA, tables=False, net=False)) == plain
    assert hand_made(NANA).score(position._native) == evaluation(NANA).static(position._native)


def test_a_net_of_other_rules_is_passed_over_or_refused(tmp_path: Path) -> None:
    front = komadai.variant("nana", drop_faces="front")
    path = tmp_path / "nana.net"
    made().save(path)
    user_net(NANA).parent.mkdir(parents=True)
    shutil.copy(path, user_net(NANA))
    assert default_net(front) is None
    for other in (front, komadai.variant("hand")):
        with pytest.raises(NetError, match=r"nana.net is a net of nana under the rules [0-9a-f]{12}; those of"):
            Net.load(path, other)


def test_unsound_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "nana.net"
    with pytest.raises(NetError, match=r"nana.net cannot be read: No such file"):
        Net.load(path, NANA)
    made().save(path)
    whole = path.read_bytes()
    described = HEAD + int.from_bytes(whole[8:12], "little")
    for size in (0, 5, HEAD, HEAD + 9, described, described + 7, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(NetError, match=r"is damaged or cut off; make it again|is no net of Komadai"):
            Net.load(path, NANA)
    for at in (*range(described), described + 3, len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(NetError, match=r"is damaged or cut off|is no net of Komadai"):
            Net.load(path, NANA)
    path.write_bytes(whole + b"more")
    with pytest.raises(NetError, match="is damaged or cut off"):
        Net.load(path, NANA)
    path.write_text("no net at all, but long enough", encoding="utf-8")
    user_net(NANA).parent.mkdir(parents=True)
    shutil.copy(path, user_net(NANA))
    with pytest.raises(NetError, match=r"nana.net is no net of Komadai"):
        Engine(NANA)


def test_wrong_sizes_and_formats_are_named(tmp_path: Path) -> None:
    path = tmp_path / "nana.net"
    net = made()
    net.save(path)
    data = path.read_bytes()
    about = json.loads(data[HEAD : (end := HEAD + int.from_bytes(data[8:12], "little"))])
    for change, words in (
        ({"features": 7}, "has 7 features, 16 hidden units and 2 phases; expected 414 features, a multiple of 16"),
        ({"hidden": 20}, "has 414 features, 20 hidden units"),
        ({"phases": 9}, "and 9 phases; expected .* at most 8 phases"),
        ({"hidden": 32}, "is damaged or cut off"),
        ({"type": "int8"}, "is damaged or cut off"),
        ({"format": 2}, "has format 2; this version of Komadai reads format 1"),
    ):
        text = json.dumps(about | change).encode()
        path.write_bytes(struct.pack("<8sII", MAGIC, len(text), zlib.crc32(text)) + text + data[end:])
        with pytest.raises(NetError, match=words):
            Net.load(path, NANA)
    heavy = replace(net, output_weights=array("h", [128] * len(net.output_weights)))
    heavy.save(path)
    with pytest.raises(NetError, match="is damaged or cut off"):
        Net.load(path, NANA)


def test_a_net_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NetError, match="cannot be written"):
        made().save(tmp_path / "file" / "nana.net")
