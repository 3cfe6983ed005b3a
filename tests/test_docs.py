"""The repository does not lie: rules pages, README and docstrings hold, and importing costs what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import komadai
from helpers.support import NAMES, ROOT

RULES = ROOT / "docs" / "rules"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(komadai.__path__, "komadai.")
    if not module.name.startswith("komadai.web")
)
TEXTS = sorted(
    path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if ">>>" in path.read_text(encoding="utf-8")
)


def pages(name: str) -> list[Path]:
    """The rules pages among the variant's sources."""
    return [ROOT / source for source in komadai.variant(name).sources if source.startswith("docs/")]


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_has_a_rules_page(name: str) -> None:
    assert pages(name), "the first source of a variant is its page under docs/rules"
    assert all(page.is_file() for page in pages(name))


@pytest.mark.parametrize("name", NAMES)
def test_rules_name_the_page_they_come_from(name: str) -> None:
    variant = komadai.variant(name)
    files = {page.name for page in pages(name)}
    for rule in variant.rules:
        assert rule.source.split()[0].rstrip(",") in files, rule.source


def untested_rules(page: str, tests: str) -> list[str]:
    """What the tests of a page's numbered rules must be called, where there is none of that name.

    Rules are the numbered items of the sections on rules, or paragraphs that begin with their number, as **R1 does.
    """
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    rules = "".join(section for section in sections if section.startswith("Rules"))
    names = [f"test_rule_{number}_" for number in re.findall(r"^(\d+)\. ", rules, re.MULTILINE)]
    names += [f"test_r{number}_" for number in re.findall(r"^\*\*R(\d+)\b", page, re.MULTILINE)]
    return [name for name in names if not re.search(rf"^def {name}\w", tests, re.MULTILINE)]


@pytest.mark.parametrize("page", sorted({page.stem for name in NAMES for page in pages(name)}))
def test_every_numbered_rule_has_a_test_of_its_name(page: str) -> None:
    files = [path for path in (ROOT / "tests" / "rules").glob("test_*.py") if path.stem.split("_")[1] == page]
    tests = "".join(path.read_text(encoding="utf-8") for path in files)
    assert not untested_rules((RULES / f"{page}.md").read_text(encoding="utf-8"), tests)


def test_a_rule_without_a_test_is_found() -> None:
    numbered = "## Rules\n\n1. One.\n2. Two.\n12. Twelve.\n\n## More\n\n3. No rule.\n"
    assert untested_rules(numbered, "") == ["test_rule_1_", "test_rule_2_", "test_rule_12_"]
    assert untested_rules(numbered, "def test_rule_2_is(): ...\n# def test_rule_1_is\n") == [
        "test_rule_1_",
        "test_rule_12_",
    ]
    lettered = "## 4. Special\n\n**R1 Game end.** By R2.\n\n**R2** Check.\n\n**R13 Repetition.** As R14.\n"
    assert untested_rules(lettered, "def test_r13_draws(): ...\n") == ["test_r1_", "test_r2_"]


def test_the_numbers_of_the_rules_are_read() -> None:
    texts = {page: (RULES / f"{page}.md").read_text(encoding="utf-8") for page in ("nana", "ki", "ko")}
    counts = {page: len(untested_rules(text, "")) for page, text in texts.items()}
    assert counts["ko"] == 14
    assert counts["nana"] > 0
    assert counts["ki"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_has_rules_tests(name: str) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "rules").glob("test_*.py"))
    assert f'"{name}"' in tests


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_of_the_documentation_run(path: Path) -> None:
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


def test_the_readme_has_an_example() -> None:
    assert ROOT / "README.md" in TEXTS


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_docstrings_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert not failed


@pytest.mark.parametrize("name", komadai.__all__)
def test_public_names_are_there_and_documented(name: str) -> None:
    assert getattr(komadai, name).__doc__


@pytest.mark.parametrize(
    "code",
    [
        "import komadai",
        "import komadai; komadai.Position('shogi').legal_moves()",
        "import komadai; komadai.Engine('nana').search(komadai.Position('nana'), depth=2)",
        "import komadai; komadai.Game('nana').record()",
    ],
)
def test_the_library_imports_nothing_it_does_not_need(code: str) -> None:
    heavy = ("numpy", "typer", "click", "rich", "starlette", "uvicorn", "msgspec", "websockets", "asyncio")
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not set(shown.stdout.split()) & set(heavy)
    assert shown.stderr == ""


def test_importing_does_not_load_the_core() -> None:
    code = "import sys, komadai; print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "komadai._core" not in shown.stdout.split()
