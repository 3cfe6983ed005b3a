"""A Containerfile whose steps are done on machines of the tests' own, where no engine runs containers."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TypedDict

from dockerfile_parse import DockerfileParser

from helpers.web.machine import Machine


class Step(TypedDict):
    """One instruction of the file."""

    instruction: str
    value: str


@dataclass
class Stage:
    """A stage of a build: its steps, and what they settle for the container.

    Attributes:
        name: the name that other stages copy from, or its number.
    """

    base: str
    name: str
    steps: list[Step]
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    port: str = ""
    health: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)


def stages(file: Path) -> list[Stage]:
    """The stages of a Containerfile.

    Raises:
        ValueError: it has an instruction that is not known here.
    """
    parser = DockerfileParser(fileobj=io.BytesIO(file.read_bytes()))
    found: list[Stage] = []
    for step in parser.structure:
        kind, value = step["instruction"], step["value"]
        if kind == "FROM":
            base, _as, name = value.partition(" AS ")
            found.append(Stage(base, name or str(len(found)), []))
        elif kind in _DO:
            found[-1].steps.append(Step(instruction=kind, value=value))
        elif kind != "COMMENT":
            raise ValueError(f"{file.name} has {kind} {value!r}, which this module cannot do")
    return found


def copied(stage: Stage) -> list[str]:
    """The paths that the stage copies out of the repository."""
    copies = [shlex.split(step["value"]) for step in stage.steps if step["instruction"] == "COPY"]
    return [path for copy in copies if not copy[0].startswith("--from=") for path in copy[:-1]]


@dataclass
class Build:
    """A stage as it is built: its machine, the repository, and the machines of the stages before it."""

    stage: Stage
    machine: Machine
    context: Path
    others: dict[str, Machine]

    def run(self) -> None:
        """Do all steps, as root until another user is named."""
        for step in self.stage.steps:
            _DO[step["instruction"]](self, step["value"])

    def _run(self, value: str) -> None:
        self.machine.run("sh", "-ec", f"cd {self.stage.folder}; {value}", env=self.stage.environment)

    def _copy(self, value: str) -> None:
        *sources, target = shlex.split(value)
        to = PurePosixPath(self.stage.folder) / target
        if sources[0].startswith("--from="):
            origin = self.others[sources.pop(0).removeprefix("--from=")]
            for source in sources:
                shutil.copytree(origin.path(source), self.machine.path(to), symlinks=True, dirs_exist_ok=True)
            return
        for source in sources:
            for path in _tracked(self.context, source):
                if (self.context / source).is_dir():
                    place = to / PurePosixPath(path).relative_to(source)
                else:
                    place = to / PurePosixPath(path).name if target.endswith("/") else to
                self.machine.path(place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.context / path, self.machine.path(place), follow_symlinks=False)

    def _work(self, value: str) -> None:
        self.stage.folder = value
        self.machine.path(value).mkdir(parents=True, exist_ok=True)

    def _set(self, value: str) -> None:
        for pair in shlex.split(value):
            name, _equals, setting = pair.partition("=")
            self.stage.environment[name] = setting

    def _become(self, value: str) -> None:
        self.stage.user = value

    def _expose(self, value: str) -> None:
        self.stage.port = value

    def _check(self, value: str) -> None:
        self.stage.health = json.loads(value.partition("CMD ")[2])

    def _enter(self, value: str) -> None:
        self.stage.entry = json.loads(value)


_DO: dict[str, Callable[[Build, str], None]] = {
    "RUN": Build._run,
    "COPY": Build._copy,
    "WORKDIR": Build._work,
    "ENV": Build._set,
    "USER": Build._become,
    "VOLUME": lambda build, value: None,
    "EXPOSE": Build._expose,
    "HEALTHCHECK": Build._check,
    "ENTRYPOINT": Build._enter,
}


def _tracked(context: Path, source: str) -> Sequence[str]:
    """The files of the repository at or under a path: what git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", source]
    listed = subprocess.run(command, cwd=context, capture_output=True, text=True, check=True).stdout
    found = [path for path in listed.split("\0") if path and (context / path).is_symlink() | (context / path).exists()]
    assert found, f"{source} is not in the repository"
    return found
