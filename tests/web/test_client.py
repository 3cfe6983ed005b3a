"""The client's sources: their types are checked, and they name no game and no rule."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from inspecting import packages

import komadai

WORDS = {"hand"}  # names of games that are also words of every game: forbidden only where they are quoted
ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "src/komadai/web/static/js").rglob("*.js"))


def test_types_hold() -> None:
    """``tsc --noEmit`` over the JSDoc types."""
    packages()
    checked = subprocess.run(["npm", "run", "--silent", "check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_are_checked_small_and_know_no_game(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert text.count("\n") < 500
    named = komadai.variants()
    names = "|".join(re.escape(name) for name in named if name not in WORDS)
    assert not re.search(rf"\b({names})\b", text, re.IGNORECASE), "a game's name"
    quoted = "|".join(map(re.escape, [*named, *(komadai.variant(name).name for name in named)]))
    assert not re.search(rf"[\"'`/]({quoted})[\"'`/]", text, re.IGNORECASE), "a game's name, quoted"


def test_pages_carry_no_inline_script_or_style() -> None:
    for page in (ROOT / "src/komadai/web/static").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), page.name


def test_the_font_has_every_character_on_the_pieces() -> None:
    has = (ROOT / "src/komadai/web/static/fonts/komadai-kanji.txt").read_text(encoding="utf-8")
    kinds = [kind for name in komadai.variants() for kind in komadai.variant(name).kinds]
    lacking = {char for kind in kinds for char in kind.kanji + (kind.kanji_white or "")} - set(has)
    assert not lacking, "run python tools/subset_font.py"


def test_the_fonts_licence_is_shipped() -> None:
    licence = (ROOT / "src/komadai/web/static/fonts/OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Adobe" in licence
