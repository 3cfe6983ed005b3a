"""The licences of what Komadai contains and uses are named, and notices are where the licences ask for them."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest

import komadai
from helpers.support import ROOT

PAGE = (ROOT / "docs/reference/licences.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in PAGE.partition("| extra | package |")[2].splitlines()[2:]
    if line.startswith("|")
]
WORDS = {  # of the texts of licences
    "MIT": ("Permission is hereby granted, free of charge", 'THE SOFTWARE IS PROVIDED "AS IS"'),
    "Apache-2.0": ("Apache License", "Version 2.0, January 2004"),
    "GPL-3.0": ("GNU GENERAL PUBLIC LICENSE", "Version 3, 29 June 2007"),
}


def name_of(requirement: str) -> str:
    """The package of a requirement."""
    return re.split(r"[\s\[<>=~!;]", requirement, maxsplit=1)[0]


def needed() -> list[tuple[str, str]]:
    """What the project names as dependencies, with the extra that they belong to."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, npm = declared["project"], json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    lists = {
        **project["optional-dependencies"],
        **declared["dependency-groups"],
        "(build)": declared["build-system"]["requires"],
        "(npm)": list(npm["devDependencies"]),
    }
    pairs = [(extra, name_of(requirement)) for extra, listed in lists.items() for requirement in listed]
    return [(extra, name) for extra, name in pairs if name != "komadai"]


def test_every_dependency_has_its_line() -> None:
    assert sorted((extra, package) for extra, package, *_ in ROWS) == sorted(needed())


@pytest.mark.parametrize(("package", "licence", "source"), sorted({row[1:] for row in ROWS}))
def test_a_licence_is_what_the_package_says(package: str, licence: str, source: str) -> None:
    try:
        found = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    said = found.metadata.get("License-Expression")
    if source == "metadata":
        assert said in (None, licence)
        classifiers = found.metadata.get_all("Classifier") or []
        assert said or found.metadata.get("License") or any(each.startswith("License ::") for each in classifiers)
    else:
        assert source == "file"
        assert said is None
        (text,) = (Path(str(path.locate())).read_text("utf-8") for path in found.files or () if path.name == "LICENSE")
        assert [words for words in WORDS[licence] if words not in text] == []


def test_the_notices_of_what_the_core_contains() -> None:
    texts = runpy.run_path(str(ROOT / "tools/notices.py"))["notices"]()
    assert "Wenzel Jakob" in texts["nanobind.txt"]
    assert "Redistributions in binary form must reproduce" in texts["nanobind.txt"]
    assert "Thibaut Goetghebuer-Planchon" in texts["robin_map.txt"]
    assert re.match(r"nanobind \d+\.\d+", texts["nanobind.txt"])
    assert re.match(r"tsl::robin_map \d+\.\d+\.\d+\n\nMIT License\n\nCopyright", texts["robin_map.txt"])
    assert all(words in texts["robin_map.txt"] for words in WORDS["MIT"])
    assert [name for name in texts if f"`komadai/licenses/{name}`" not in PAGE] == []


def test_an_installed_core_has_the_notices_beside_it() -> None:
    package = Path(komadai.__file__).parent
    if package == ROOT / "src/komadai":
        pytest.skip("this is no installation")
    assert sorted(path.name for path in (package / "licenses").iterdir()) == ["nanobind.txt", "robin_map.txt"]


def test_the_published_module_is_unchanged_and_has_its_notice() -> None:
    folder = ROOT / "src/komadai/app/web/static/vendor"
    text = (folder / "ts-fsrs.txt").read_text(encoding="utf-8")
    assert text.startswith("ts-fsrs 5.4.2\n\nMIT License\n\nCopyright")
    assert all(words in text for words in WORDS["MIT"])
    # Of dist/index.mjs and dist/index.d.ts in the package of npm of that version.
    published = {
        "ts-fsrs.js": "ad4a4b3b7e259fcbf02764454c8f9db4ea3bf5aae2f473198129ecb7728f1a19",
        "ts-fsrs.d.ts": "86619bd94f12a259832e2d3e1e7cacdc392174410d674e5999729e13889a4f41",
    }
    for name, digest in published.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == digest, name
    assert f"komadai/app/web/static/{folder.name}/ts-fsrs.txt" in PAGE
