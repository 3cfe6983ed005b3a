"""Pins, requirements and left-out files of a static site, and what a core imports."""

from __future__ import annotations

import ast
import os
import re
import runpy
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from importlib.util import resolve_name
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from helpers.support import ROOT
from komadai.app.site.export import tree
from komadai.app.site.export.pins import REQUIREMENTS, pins
from komadai.errors import SiteError

FROZEN = {
    "_collections_abc",
    "abc",
    "codecs",
    "io",
    "os",
    "posixpath",
    "stat",
}  # the interpreter has them without a file


# --- Pins -----------------------------------------------------------------------------------------------------------


def locked(text: str) -> dict[str, str]:
    """The versions of a locked file by package."""
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))


def test_the_pins_are_complete() -> None:
    assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", pins().pyodide.integrity)
    assert {"ziglang", "nanobind", "cmake"} == pins().compiler.keys()
    assert all(re.fullmatch(r"[0-9a-f]{64}", pin.sha256) for pin in pins().debian.values())


def test_the_tab_has_the_versions_of_the_server() -> None:
    """Both are made by `make lock`."""
    tab = locked(REQUIREMENTS.read_text(encoding="utf-8"))
    server = locked((ROOT / "requirements/server.txt").read_text(encoding="utf-8"))
    assert tab.items() <= server.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {Requirement(line).name: line for line in project["optional-dependencies"]["app"]}
    wanted = [
        line for line in REQUIREMENTS.with_suffix(".in").read_text(encoding="utf-8").splitlines() if line[0] != "#"
    ]
    assert [line for line in wanted if declared.get(Requirement(line).name) != line] == []
    assert {Requirement(line).name for line in wanted} <= tab.keys()


def test_the_locked_packages_have_hashes_and_name_no_place() -> None:
    text = REQUIREMENTS.read_text(encoding="utf-8")
    assert all("--hash=sha256:" in part for part in re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:])
    assert "://" not in text


# --- Left out -------------------------------------------------------------------------------------------------------


def imports(source: bytes, package: str) -> Iterator[tuple[str, bool]]:
    """All modules that a module of a package imports by their whole names, and whether it does so when it is loaded."""

    def inside(node: ast.AST, loading: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from ((alias.name, loading) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                name = resolve_name("." * child.level + (child.module or ""), package)
                parts = (f"{name}.{alias.name}" for alias in child.names)
                yield from ((one, loading) for one in (name, *filter(is_module, parts)))
            elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            else:
                function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
                yield from inside(child, loading and not function)

    return inside(ast.parse(source), loading=True)


def is_module(name: str) -> bool:
    """Whether Komadai's sources have it."""
    path = ROOT / "src" / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def packages_of_the_tab() -> set[str]:
    """The names by which the locked packages are imported."""
    named = {name.replace("-", "_") for name in locked(REQUIREMENTS.read_text(encoding="utf-8"))}
    return {name for name, of in packages_distributions().items() if named & {one.replace("-", "_") for one in of}}


def test_every_module_of_the_tab_finds_what_it_imports() -> None:
    """What is wrong here would be found by `make site`, too, which takes a compiler and a network."""
    files, packages = {name for name, _ in tree.package()}, packages_of_the_tab()

    def there(module: str) -> bool:
        first, paths = module.partition(".")[0], [module.replace(".", "/") + end for end in (".py", "/__init__.py")]
        if first == "komadai":
            return module == "komadai._core" or not files.isdisjoint(paths)
        if first in sys.stdlib_module_names:
            return module in FROZEN or not any(map(tree.left_out("library").match, paths))
        return first in packages and not any(map(tree.left_out("packages").match, paths))

    lacking = {
        (name, module, loading)
        for name, data in tree.package()
        if name.endswith(".py")
        for module, loading in imports(data, name.rpartition("/")[0].replace("/", "."))
        if not there(module)
    }
    assert lacking == {
        ("komadai/processes/__init__.py", "multiprocessing", False),  # a tab has no processes
        ("komadai/picture/whole.py", "resvg_py", False),  # it draws no PNG
        ("komadai/app/web/store/opening.py", "komadai.app.web.store.postgres", False),  # nor has it a database
    }


# --- WebAssembly ----------------------------------------------------------------------------------------------------


def text(words: str) -> bytes:
    return bytes([len(words)]) + words.encode()


def section(number: int, *items: bytes) -> bytes:
    body = bytes([len(items)]) + b"".join(items)
    return bytes([number, 0x80 | len(body) & 0x7F, len(body) >> 7]) + body  # a length in two bytes, as linkers write it


def wasm(imports: list[tuple[str, str, bytes]], exports: list[str]) -> bytes:
    """A module with these imports, each with its kind and type, and these exported functions, the first import."""
    kinds = section(1, b"\x60\0\0")
    taken = section(2, *(text(place) + text(name) + kind for place, name, kind in imports))
    given = section(7, *(text(name) + b"\0\0" for name in exports))
    return b"\0asm\1\0\0\0" + kinds + taken + given


FUNCTION, TABLE, MEMORY, GLOBAL, TAG = b"\0\0", b"\1\x70\0\1", b"\2\1\1\2", b"\3\x7f\1", b"\4\0\0"


@pytest.fixture
def lacking(tmp_path: Path) -> Callable[[bytes, bytes], list[str]]:
    if shutil.which("node") is None and os.environ.get("CI") != "true":
        pytest.skip("no Node.js on this machine")
    found = runpy.run_path(str(ROOT / "tools/pyodide_core.py"))["lacking"]

    def of(core: bytes, main: bytes) -> list[str]:
        paths = tmp_path / "core.so", tmp_path / "main.wasm"
        for path, data in zip(paths, (core, main), strict=True):
            path.write_bytes(data)
        return list(found(*paths))

    return of


def test_what_a_module_lacks_is_listed(lacking: Callable[[bytes, bytes], list[str]]) -> None:
    core = wasm(
        [
            ("env", "memory", MEMORY),
            ("env", "__indirect_function_table", TABLE),
            ("env", "__memory_base", GLOBAL),
            ("env", "malloc", FUNCTION),
            ("env", "__cpp_exception", TAG),
            ("GOT.func", "own", GLOBAL),
            ("env", "memcpy", FUNCTION),
        ],
        ["PyInit__core", "own"],
    )
    any_function = [("env", "any", FUNCTION)]
    assert lacking(core, wasm(any_function, ["malloc", "__cpp_exception", "memcpy"])) == []
    assert lacking(core, wasm(any_function, ["malloc"])) == ["env.__cpp_exception", "env.memcpy"]


def test_other_files_are_no_modules(lacking: Callable[[bytes, bytes], list[str]]) -> None:
    with pytest.raises(SiteError, match="magic"):
        lacking(b"\x7fELF" * 9, wasm([], []))
