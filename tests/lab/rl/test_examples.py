"""The examples of examples/ run, in a small form."""

from __future__ import annotations

import ast
import json
import runpy
import sys
from typing import Any

import pytest

from helpers.support import ROOT

EXAMPLES = ROOT / "examples"
np = pytest.importorskip("numpy", reason="the extra rl is not installed")


def test_the_notebook_runs_and_shows_boards() -> None:
    """Each cell is run, its last expression shown as Jupyter shows it; no output is kept in the file."""
    cells = json.loads((EXAMPLES / "regret.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    pictures = 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == []
        *statements, last = ast.parse("".join(cell["source"])).body
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            pictures += hasattr(shown, "_repr_svg_") and shown._repr_svg_().startswith("<svg")
        else:
            exec(compile(ast.Module([*statements, last], []), "cell", "exec"), names)
    assert pictures == 3


def run(monkeypatch: pytest.MonkeyPatch, example: str, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", [example, *arguments])
    runpy.run_path(str(EXAMPLES / example), run_name="__main__")


SMALL = (
    "--steps 14 --games 4 --sims 4 --width 16 --blocks 1 --batch 2 --max-plies 3 --measure 2 --every 100"
    " --final 2 --final-sims 6"
)


def test_gumbel_alphazero_learns_and_is_repeatable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    said, nets = [], []
    for updates in ("6", "6", "0"):
        written = ["--plot", str(tmp_path / "plot.svg"), "--save", str(tmp_path / "net.pt")]
        run(monkeypatch, "gumbel_alphazero.py", "nana", *SMALL.split(), "--updates", updates, *written)
        said.append(capsys.readouterr().out)
        nets.append(torch.load(tmp_path / "net.pt"))
    assert said[0] == said[1]
    assert all(torch.equal(nets[0][name], nets[1][name]) for name in nets[0])
    assert not all(torch.equal(nets[0][name], nets[2][name]) for name in nets[0])
    assert "4 simulations: regret" in said[0]
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").startswith("<svg")
    assert len((EXAMPLES / "gumbel_alphazero.py").read_text(encoding="utf-8").splitlines()) <= 300


def test_the_search_of_gumbel_alphazero_finds_every_mate_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    import komadai
    from komadai import solve

    monkeypatch.syspath_prepend(str(EXAMPLES))
    import gumbel_alphazero as example

    table = solve.open(komadai.variant("nana"))
    positions = [at for at in table.sample(300, 3) if (known := table.probe(at)) and known.distance == 1]
    agent = example.Agent("nana", 16, 1, seed=1)
    for parameter in agent.net.value.parameters():
        parameter.data.zero_()
    moves = agent.policy(32)(positions)
    after = [at.copy() for at in positions]
    for at, move in zip(after, moves, strict=True):
        at.push(move)
    considered = [len(at.legal_moves()) <= example.CONSIDERED for at in positions]
    assert sum(considered) > 10
    assert all(at.is_game_over() for at, all_seen in zip(after, considered, strict=True) if all_seen)


def test_masked_ppo_learns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    run(monkeypatch, "masked_ppo.py", "nana", *["--steps", "300", "--envs", "1", "--max-plies", "20", "--games", "2"])
    assert "of the points in 2 games against level 1" in capsys.readouterr().out
