"""The option ``VariantPath`` of every protocol: a variant file that becomes known."""

from __future__ import annotations

from pathlib import Path

import pytest

from komadai import variants
from komadai.errors import NotationError, SpecError
from komadai.protocol.session import VARIANT_PATH, Session
from komadai.workshop.starting import start_text

TEXT = start_text("my-shogi")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_game_can_be_chosen_then_and_an_edited_file_starts_it_anew(file: Path) -> None:
    session = Session()
    session.set_option(VARIANT_PATH, str(file))
    assert session.variant == "shogi"
    session.set_variant("my-shogi")
    before = session.position.variant
    session.push("2e4c")
    file.write_text(TEXT.replace("zone = { FarRanks = 1 }", "zone = { FarRanks = 2 }"), encoding="utf-8")
    session.set_option(VARIANT_PATH, str(file))
    assert session.position.variant.rules_hash != before.rules_hash
    assert not session.position.move_stack


def test_no_file_and_wrong_files_change_nothing(file: Path) -> None:
    session = Session()
    for empty in ("", "<empty>"):
        session.set_option(VARIANT_PATH, empty)
    with pytest.raises(NotationError, match="No such file"):
        session.set_option(VARIANT_PATH, str(file.with_name("other.toml")))
    file.write_text("id = 3", encoding="utf-8")
    with pytest.raises(SpecError, match="line 1"):
        session.set_option(VARIANT_PATH, str(file))
    assert "my-shogi" not in variants.names()
