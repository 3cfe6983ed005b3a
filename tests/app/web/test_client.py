"""The client's sources: types, format, lint and unit tests; they name no game and no rule."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import komadai
from helpers.web.inspecting import packages
from komadai.spec.board import SIDES, Side
from komadai.spec.japanese import full_kanji
from komadai.spec.kinds import Kind
from komadai.spec.names import kanji_on, one_kanji

WORDS = {"hand"}  # names of games that are also words of every game: forbidden only where they are quoted
ROOT = Path(__file__).resolve().parents[3]
FONTS = ROOT / "src/komadai/app/web/static/fonts"
SCRIPTS = sorted((ROOT / "src/komadai/app/web/static/js").rglob("*.js"))


@pytest.mark.parametrize("script", [pytest.param("check", marks=pytest.mark.slow), "test"])
def test_the_clients_own_checks_pass(script: str) -> None:
    """``check``: types (JSDoc), format and lint, run by ``make types``; ``test``: tests of what needs no page."""
    packages()
    subprocess.run([sys.executable, "tools/wire_types.py"], cwd=ROOT, check=True)
    ran = subprocess.run(["npm", "run", "--silent", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_positions_of_the_unit_tests_are_what_the_server_sends() -> None:
    command = [sys.executable, "tests/js/make_fixtures.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: "/".join(script.parts[-2:]))
def test_scripts_are_checked_small_and_know_no_game(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert text.count("\n") < 500
    named = komadai.variants(shelf=False)
    names = "|".join(re.escape(name) for name in named if name not in WORDS)
    assert not re.search(rf"\b({names})\b", text, re.IGNORECASE), "a game's name"
    quoted = "|".join(map(re.escape, [*named, *(komadai.variant(name).name for name in named)]))
    assert not re.search(rf"[\"'`/]({quoted})[\"'`/]", text, re.IGNORECASE), "a game's name, quoted"


def test_pages_carry_no_inline_script_or_style() -> None:
    for page in (ROOT / "src/komadai/app/web/static").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), page.name


def test_the_wood_is_a_small_drawing_without_filters() -> None:
    """Turbulence is slow to draw on phones, and stripes."""
    text = (ROOT / "src/komadai/app/web/static/img/wood.svg").read_text(encoding="utf-8")
    assert "<filter" not in text
    assert len(text) < 6000


def written(of: Callable[[Kind, Side], str], *, shelf: bool) -> set[str]:
    """The characters that all pieces of all variants bear."""
    kinds = [kind for name in komadai.variants(shelf=shelf) for kind in komadai.variant(name).kinds]
    return {char for kind in kinds for side in SIDES for char in of(kind, side)}


@pytest.mark.parametrize(
    ("font", "of", "shelf", "lacks"),
    [
        ("kanji", kanji_on, True, ""),
        ("kanji", full_kanji, True, ""),
        ("brush", kanji_on, False, "彍"),
        ("short", one_kanji, True, ""),
    ],
)
def test_each_font_has_every_character_on_the_pieces(
    font: str, of: Callable[[Kind, Side], str], shelf: bool, lacks: str
) -> None:
    has = (FONTS / f"komadai-{font}.txt").read_text(encoding="utf-8")
    assert written(of, shelf=shelf) - set(has) == set(lacks), "run python tools/subset_font.py"


def test_the_fonts_licence_is_shipped() -> None:
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Adobe" in licence
    assert "The Yuji Project Authors" in licence
    page = (ROOT / "docs/reference/licences.md").read_text(encoding="utf-8")
    for font in FONTS.glob("*.woff2"):
        assert font.name in licence
        assert font.name in page
