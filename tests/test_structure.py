"""The order of files and imports, as far as import-linter (pyproject.toml) does not check it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from helpers.support import ROOT

TESTS, SOURCES = ROOT / "tests", ROOT / "src/komadai"
NO_SOURCE = {".", "helpers", "native", "rules", "app/web/browser", "app/web/deploy"}  # no folder in src
WINGS = {"app", "lab"}
FACADE = {"_core", "__version__"}  # all that modules take from komadai/__init__.py, which loads everything else late
# What imports the core; spec for its limits and the rows of conditions.
ON_THE_CORE = {
    "compiler",
    "engine",
    "game",
    "lab/learn",
    "lab/rl",
    "solve",
    "spec",
}  # spec: for the core's limits and the rows of conditions


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements of a module, those within others too; expressions, which are ten times as many, are not asked."""
    yield tree
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(tree, part, None)
        for statement in inner if isinstance(inner, list) else ():
            yield from statements(statement)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Each module that a file imports, relative ones with their dots, with the name taken from it or ``""``."""
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (("." * node.level + (node.module or ""), alias.name) for alias in node.names)


def module_name(path: Path) -> str:
    return ".".join(("komadai", *path.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__")


def late_imports() -> set[str]:
    """The imports by :func:`komadai.game.late.above`, written as import-linter writes them."""
    return {
        f"{module_name(path)} -> komadai.{call.args[0].value}"
        for path in SOURCES.rglob("*.py")
        if "above(" in (text := path.read_text(encoding="utf-8"))
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "above"
        if isinstance(call.args[0], ast.Constant)
    }


def test_no_test_module_imports_another() -> None:
    modules = {path.stem for path in TESTS.rglob("test_*.py")} | {"conftest"}
    found = [
        f"{path.relative_to(TESTS)}: {module}"
        for path in TESTS.rglob("*.py")
        for module, name in imports(path)
        if modules & {*module.split("."), name if module in ("", ".") else ""}
    ]
    assert found == []


def test_names_of_test_modules_are_unique() -> None:
    names = [path.name for path in TESTS.rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_test_folders_mirror_the_source_folders() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")} - NO_SOURCE
    assert [folder for folder in sorted(folders) if not (SOURCES / folder / "__init__.py").exists()] == []


def test_the_top_folder_of_the_package_is_small() -> None:
    files = [path.name for path in SOURCES.iterdir() if path.is_file() and path.suffix != ".so"]
    assert len(files) <= 12, files


def test_modules_import_no_public_name_from_the_package_itself() -> None:
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).parts
        package, up = "/".join(parts[: 2 if parts[0] in WINGS else 1]), "." * len(parts)
        if path.parent != SOURCES:
            taken = {name for module, name in imports(path) if module in (up, "komadai")}
            assert {name for name in taken - FACADE if not (SOURCES / name / "__init__.py").exists()} == set(), path
            assert "_core" not in taken or package in ON_THE_CORE, path


def test_imports_that_run_up_a_floor_are_few_and_each_has_its_reason() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    ups = {
        line
        for contract in contracts
        if contract["type"] == "layers"
        for line in contract["ignore_imports"]
        if line != "komadai.** -> komadai"
    } | late_imports()
    assert len(ups) < 10
    (page,) = (ROOT / "docs").rglob("architecture.md")
    text = page.read_text(encoding="utf-8")
    assert [line for line in sorted(ups) if f"| `{line}` |" not in text] == []


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_what_examples_import_of_the_package_is_there(path: Path) -> None:
    """Also where the packages beside it, which the tests of the examples need, are not installed."""
    names = [(module, name) for module, name in imports(path) if module.partition(".")[0] == "komadai"]
    assert names
    for module, name in names:
        assert find_spec(module), module
        try:
            found = import_module(module)
        except ModuleNotFoundError as missing:
            if str(missing.name).startswith("komadai"):
                raise
            continue
        assert not name or hasattr(found, name) or find_spec(f"{module}.{name}"), f"{module}.{name}"
