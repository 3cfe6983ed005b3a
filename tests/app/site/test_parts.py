"""Pins, requirements and left-out files of a static site, and the reader of WebAssembly modules."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from importlib.util import resolve_name
from typing import Any

import pytest
from packaging.requirements import Requirement

from helpers.support import ROOT
from komadai.app.site.export import tree
from komadai.app.site.export.pins import REQUIREMENTS, pins

LINK: dict[str, Any] = runpy.run_path(str(ROOT / "tools/wasm_link.py"))
FROZEN = {"_collections_abc", "abc", "codecs", "io", "os", "stat"}  # the interpreter has them without a file


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
        ("komadai/picture/__init__.py", "resvg_py", False),  # it draws no PNG
        ("komadai/app/web/store/opening.py", "komadai.app.web.store.postgres", False),  # nor has it a database
    }


# --- WebAssembly ----------------------------------------------------------------------------------------------------


def text(words: str) -> bytes:
    return bytes([len(words)]) + words.encode()


def section(number: int, *items: bytes) -> bytes:
    body = bytes([len(items)]) + b"".join(items)
    return bytes([number, 0x80 | len(body) & 0x7F, len(body) >> 7]) + body  # a length in two bytes, as linkers write it


def wasm(imports: list[tuple[str, str, bytes]], exports: list[str]) -> bytes:
    """A module with these imports, each with its kind and type, and these exported functions."""
    taken = section(2, *(text(place) + text(name) + kind for place, name, kind in imports))
    given = section(7, *(text(name) + b"\0\0" for name in exports))
    return b"\0asm\1\0\0\0" + section(0, text("dylink.0")) + taken + given


FUNCTION, TABLE, MEMORY, GLOBAL, TAG = b"\0\5", b"\1\x70\0\1", b"\2\1\1\2", b"\3\x7f\1", b"\4\0\3"


def test_what_a_module_lacks_is_listed() -> None:
    lacking: Callable[[bytes, bytes], list[str]] = LINK["lacking"]
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
    assert lacking(core, wasm([], ["malloc", "__cpp_exception", "memcpy"])) == []
    assert lacking(core, wasm([], ["malloc"])) == ["env.__cpp_exception", "env.memcpy"]


def test_other_files_are_no_modules() -> None:
    with pytest.raises(ValueError, match="no WebAssembly module"):
        LINK["module"](b"\x7fELF")
