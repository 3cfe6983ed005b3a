"""The locked packages of a server (``make lock``) are all that its extras ask for, and come from no fixed place."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from helpers.support import ROOT

LOCKS = {"server": ("app",), "server-postgres": ("app", "postgres")}
HASHES = re.compile(r"(?: --hash=sha256:[0-9a-f]{64})+")


def locked(name: str) -> dict[str, tuple[Requirement, str]]:
    """The requirements of a file by package, each with its hashes."""
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    lines = re.sub(r" *\\\n *", " ", re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    pairs = [(Requirement(line.partition(" --hash")[0]), line) for line in lines]
    return {found.name: (found, line.removeprefix(line.partition(" --hash")[0])) for found, line in pairs}


def declared(*extras: str) -> list[Requirement]:
    """What the package needs with these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["optional-dependencies"][extra] for extra in extras]
    return [Requirement(line) for listed in lists for line in listed if not line.startswith("komadai[")]


@pytest.mark.parametrize("name", LOCKS)
def test_what_the_extras_ask_for_is_locked(name: str) -> None:
    found = locked(name)
    for wanted in declared(*LOCKS[name]):
        assert wanted.name in found, f"{wanted} is missing: make lock"
        (pin,) = found[wanted.name][0].specifier
        assert pin.operator == "=="
        assert wanted.specifier.contains(pin.version), f"{pin} is not {wanted}: make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes(name: str) -> None:
    found = locked(name)
    assert len(found) > 10
    assert [package for package, (_, hashes) in found.items() if not HASHES.fullmatch(hashes)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_place(name: str) -> None:
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    assert re.findall(r"://|\s--(?!hash=)\S+|^-.*|file:| @ |/\w+/", text, re.MULTILINE) == []


def test_both_locks_hold_the_same_versions() -> None:
    more = locked("server-postgres")
    assert {name: str(pin) for name, (pin, _) in locked("server").items()} == {
        name: str(more[name][0]) for name in locked("server")
    }
