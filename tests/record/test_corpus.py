"""Files as programs and sites write them, of our own making, in ``corpus``.

Beside each stands the record that it is (``NAME.json``), or what must be in the message that refuses it
(``NAME.refused``), a line each. Both were made from the rules of the formats, not by the reader.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.round_trips import after, again, like
from komadai import NotationError, record
from komadai.record import FORMATS, Format

CORPUS = Path(__file__).with_name("corpus")
FILES = sorted(path for path in CORPUS.iterdir() if path.suffix.removeprefix(".") in {*FORMATS} - {"json"})
READ = [path for path in FILES if path.with_suffix(".json").exists()]
REFUSED = [path for path in FILES if path.with_suffix(".refused").exists()]


def name(path: Path) -> str:
    return path.name


def test_every_file_has_one_expectation_and_every_expectation_a_file() -> None:
    expected = [path.with_suffix(".json") for path in READ] + [path.with_suffix(".refused") for path in REFUSED]
    assert sorted([*FILES, *expected]) == sorted(CORPUS.iterdir())
    assert len({*expected}) == len(FILES)


@pytest.mark.parametrize("path", READ, ids=name)
def test_a_file_is_read_as_it_should_be(path: Path) -> None:
    [*made] = record.read(path.read_bytes())
    assert made == record.read(path.with_suffix(".json").read_bytes())
    assert made == record.read(path.read_bytes(), form=form_of(path))


@pytest.mark.parametrize("path", REFUSED, ids=name)
def test_a_file_is_refused_with_its_place(path: Path) -> None:
    with pytest.raises(NotationError) as caught:
        record.read(path.read_bytes())
    for words in path.with_suffix(".refused").read_text(encoding="utf-8").splitlines():
        assert words in str(caught.value)


@pytest.mark.parametrize("path", READ, ids=name)
def test_a_file_goes_through_every_format_and_back(path: Path) -> None:
    for made in record.read(path.read_bytes()):
        for form in FORMATS:
            assert again(form, made) == [like(after(form, made))], form


def form_of(path: Path) -> Format:
    """The format that a file's ending names."""
    [form] = (form for form in FORMATS if f".{form}" == path.suffix)
    return form
