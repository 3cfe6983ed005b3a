"""The figures of regret on the page of strength are those of the result files, and say where they are stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import regret_figures as figures


def test_the_page_has_the_figures_of_the_result_files() -> None:
    """After a change of the search: `python tools/regret_figures.py measure`, or `write` to mark them as stale."""
    page = figures.PAGE.read_text(encoding="utf-8")
    assert figures.written(page) == page


def test_a_change_of_what_a_figure_depends_on_marks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in figures.GAMES:
        result = json.loads((figures.RESULTS / f"{game}.json").read_text(encoding="utf-8"))
        result["depends"] = {**figures.digests(game), "search": "of another source"}
        (tmp_path / f"{game}.json").write_text(json.dumps(result), encoding="utf-8")
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    rows = figures.table().splitlines()[2:]
    assert all("**stale**: search changed since" in row for row in rows)


def test_the_digests_tell_one_source_from_another() -> None:
    assert figures.digests("nana")["rules"] != figures.digests("ki")["rules"]
    assert figures.digests("nana") == figures.digests("nana")
