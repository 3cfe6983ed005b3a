"""deploy/Containerfile and deploy/compose.yaml: what their own tools say, and their steps done one by one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from helpers.support import ROOT
from helpers.web.cluster import binaries
from helpers.web.machine import Machine, known_as
from helpers.web.meeting import meet
from helpers.web.served import WAIT, Client, Server

pytest.importorskip("dockerfile_parse", reason="make test-container installs it")
from helpers.web.containerfile import Build, Stage, copied, stages

DEPLOY = ROOT / "deploy"
FILE = DEPLOY / "Containerfile"
SETTINGS = {"KOMADAI_HOST": "play.example.org", "KOMADAI_DATABASE_PASSWORD": "öffne dich"}


def tool(name: str) -> str:
    """A program of the group `deploy`; without it the test is skipped."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"no {name} (make test-container installs it)")
    return found


def composed(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [tool("docker-compose"), "--file", str(DEPLOY / "compose.yaml"), "config", *arguments]
    env = {"PATH": os.environ["PATH"], **settings}
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=WAIT, check=False)


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    ran = composed("--format", "json", **SETTINGS)
    assert ran.stderr == ""  # its exit status is lost by the program that starts it
    found: dict[str, Any] = json.loads(ran.stdout)["services"]
    return found


def test_the_containerfile_is_clean() -> None:
    ran = subprocess.run([tool("hadolint"), str(FILE)], capture_output=True, text=True, timeout=WAIT, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


@pytest.mark.parametrize("missing", SETTINGS)
def test_compose_says_which_setting_is_missing(missing: str) -> None:
    ran = composed("--quiet", **{name: value for name, value in SETTINGS.items() if name != missing})
    assert f"{missing} is missing a value: put" in ran.stderr


def test_a_build_is_given_what_it_copies_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    given = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert given == {path for stage in stages(FILE) for path in copied(stage)}


def test_what_is_not_copied_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Containerfile").write_text('FROM a AS b\nSHELL ["bash"]\n')
    with pytest.raises(ValueError, match="has SHELL"):
        stages(tmp_path / "Containerfile")


# --- The steps --------------------------------------------------------------------------------------------------------


class Published(Server):
    """The server in its container, as the proxy reaches it."""

    def __init__(self, port: str) -> None:
        self._address = f"{SETTINGS['KOMADAI_HOST']}:{port}"
        self.url = f"http://{self._address}"

    def client(self, **options: Any) -> Client:
        return Client(connect(f"ws://{self._address}/socket", open_timeout=WAIT, close_timeout=1, **options))


@pytest.fixture
def built(tmp_path: Path) -> Iterator[tuple[Stage, Machine]]:
    """The last stage and the machine on which it was built."""
    with ExitStack() as stack:
        machines: dict[str, Machine] = {}
        made = stages(FILE)
        for stage in made:
            folder = tmp_path / stage.name
            folder.mkdir()
            last = stage is made[-1]
            machines[stage.name] = stack.enter_context(closing(Machine(folder, network=last)))
            Build(stage, machines[stage.name], ROOT, machines).run()
        yield made[-1], machines[made[-1].name]


@contextmanager
def database(machine: Machine, service: dict[str, Any]) -> Iterator[None]:
    """PostgreSQL, set up from the service's settings as its image does, where the service keeps its data."""
    programs = binaries()
    assert programs is not None
    [data] = [volume["target"] for volume in service["volumes"]]
    env = service["environment"]
    machine.write("/run/password", env["POSTGRES_PASSWORD"])
    machine.write("/etc/hosts", "127.0.0.1 localhost database\n")
    machine.run("install", "-d", "-o", "postgres", "-m", "700", data, "/run/postgresql")
    as_owner = ("runuser", "-u", "postgres", "--")
    rights = ("--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile=/run/password", f"-U{env['POSTGRES_USER']}")
    machine.run(*as_owner, f"{programs}/initdb", "-D", data, "-E", "UTF8", "--locale=C", *rights)
    options = "-c listen_addresses=* -c unix_socket_directories=/run/postgresql"
    control = (*as_owner, f"{programs}/pg_ctl", "-D", data, "-w", "-l", f"{data}/log", "-o", options)
    machine.run(*control, "start")
    try:
        machine.run("createdb", "-h", "/run/postgresql", "-U", env["POSTGRES_USER"], env["POSTGRES_DB"])
        assert service["healthcheck"]["test"][0] == "CMD"
        machine.run(*service["healthcheck"]["test"][1:])
        yield
    finally:
        machine.run(*control, "-m", "immediate", "stop")


@contextmanager
def container(machine: Machine, stage: Stage, service: dict[str, Any]) -> Iterator[None]:
    """The server, started as the image and the service say."""
    env = {**stage.environment, **service["environment"]}
    command = [*stage.entry, *service["command"]]
    process = machine.start(["env", f"--chdir={stage.folder}", *command], user=f"{stage.user}:{stage.user}", env=env)
    assert process.stdout is not None
    try:
        assert f":{stage.port}/" in process.stdout.readline()
        yield
        assert process.poll() is None
    finally:
        process.terminate()
        process.communicate(timeout=WAIT)
    assert process.returncode in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_the_steps_make_a_server_that_keeps_its_games(
    built: tuple[Stage, Machine], services: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The image's steps one by one, then the two services; a game is played, and found by the next container."""
    stage, machine = built
    known_as(SETTINGS["KOMADAI_HOST"], monkeypatch)
    server = services["server"]
    [port] = server["ports"]
    assert (str(port["target"]), port["host_ip"]) == (stage.port, "127.0.0.1")
    site = Published(stage.port)

    def play() -> None:
        with database(machine, services["database"]):
            with container(machine, stage, server):
                machine.run(*stage.health, user=stage.user, env=stage.environment)
                visit(site)
                made = meet(site)
                with made.client("b") as black, made.client("w") as white:
                    assert black.move("7g7f", 1)["t"] == "ack"
                    assert white.move("3c3d", 2)["t"] == "ack"
            with container(machine, stage, server), made.client("b") as black:
                assert [move["usi"] for move in black.state["moves"]] == ["7g7f", "3c3d"]
                assert black.move("2g2f", 3)["t"] == "ack"

    machine.connected(play)


def visit(site: Published) -> None:
    """Check the answers through the proxy, and those to a stranger."""
    proxied = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    page = httpx.get(site.url, headers=proxied)
    assert page.status_code == 200
    assert "Secure" in page.headers["set-cookie"], "the proxy is believed"
    assert httpx.get(site.url, headers={"Host": "evil.example.com"}).status_code == 403
