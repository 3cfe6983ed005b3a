"""Pins, requirements and left-out files of a static site, and the reader of WebAssembly modules."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from packaging.requirements import Requirement

from helpers.support import ROOT
from komadai.site.export import tree
from komadai.site.export.pins import REQUIREMENTS, pins

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
    declared = {
        Requirement(line).name: line for line in project["dependencies"] + project["optional-dependencies"]["web"]
    }
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


def imported(source: bytes) -> Iterator[str]:
    """All modules that a source imports by their whole names, also within functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def test_no_module_in_the_tab_imports_what_is_left_out_of_the_library() -> None:
    left_out = tree.left_out("library").match
    found = {
        (name, module.partition(".")[0])
        for name, data in tree.package()
        if name.endswith(".py")
        for module in imported(data)
        for path in [module.replace(".", "/")]
        if module not in FROZEN and (left_out(f"{path}.py") or left_out(f"{path}/__init__.py"))
    }
    assert found == {("komadai/jobs/pools.py", "multiprocessing")}  # a tab has no processes


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
