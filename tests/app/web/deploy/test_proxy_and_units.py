"""The proxy and the units of deploy/ as they are, on a machine of their own: a game over TLS, through a restart."""

from __future__ import annotations

import configparser
import http.client
import shlex
import shutil
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from helpers.support import ROOT
from helpers.web.machine import ADDRESS, PATH, Machine, known_as
from helpers.web.meeting import Meeting, meet
from helpers.web.served import WAIT, Client, Server, new_key, passing

DEPLOY = ROOT / "deploy"
SITE = "play.example.org"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PORT = 8001
CERTIFICATE = f"/etc/letsencrypt/live/{SITE}"
KOMADAI = f"""#!/bin/sh
exec {sys.executable} -c 'from komadai.__main__ import main; main()' "$@"
"""


class Unit:
    """A unit of systemd for one port."""

    def __init__(self, name: str) -> None:
        text = (DEPLOY / "systemd" / f"komadai@.{name}").read_text(encoding="utf-8").replace("%i", str(PORT))
        self._parsed = configparser.ConfigParser(interpolation=None, strict=True)
        self._parsed.optionxform = str  # type: ignore[assignment, method-assign]
        self._parsed.read_string(text)

    def __getitem__(self, key: str) -> str:
        return self._parsed[{"ListenStream": "Socket"}.get(key, "Service")][key]


class Site(Server):
    """The server behind the proxy, as strangers reach it."""

    def __init__(self) -> None:
        self.url = f"https://{SITE}"

    def client(self, **options: Any) -> Client:
        # TLS 1.3 sends tickets unasked: Python 3.11's sockets may lose what one thread writes while another reads them.
        context = ssl.create_default_context()
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        address = f"wss://{SITE}/socket"
        return Client(connect(address, ssl=context, open_timeout=WAIT, close_timeout=1, **options))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine set up as the page says, up to the start of its services."""
    if shutil.which("nginx", path=PATH) is None:
        pytest.skip("no nginx on this machine (Debian: apt install nginx-light)")
    (tmp_path / "machine").mkdir()
    made = Machine(tmp_path / "machine")
    with closing(made):
        made.run("useradd", "--system", "--home-dir", "/var/lib/komadai", Unit("service")["User"])
        made.run("install", "-d", "-o", "komadai", "/var/lib/komadai", "/var/cache/komadai")
        made.write("/opt/komadai/bin/komadai", KOMADAI, 0o755)
        for unit in UNITS:
            made.write(f"/etc/systemd/system/{unit.name}", unit.read_text(encoding="utf-8"))
        shutil.rmtree(made.path("/etc/nginx/sites-enabled"))
        made.path("/etc/nginx/sites-enabled").mkdir()
        made.write("/etc/nginx/sites-enabled/komadai", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
        made.path(CERTIFICATE).mkdir(parents=True)
        subject = ["-subj", f"/CN={SITE}", "-addext", f"subjectAltName=DNS:{SITE}", "-days", "2"]
        files = ["-keyout", f"{CERTIFICATE}/privkey.pem", "-out", f"{CERTIFICATE}/fullchain.pem"]
        made.run("openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", *subject, *files)
        yield made


@contextmanager
def serving(machine: Machine, listening: socket.socket, log: Path) -> Iterator[None]:
    """The server as its unit starts it, on the socket of the other unit."""
    service = Unit("service")
    with log.open("a") as output:
        process = machine.start(
            shlex.split(service["ExecStart"]),
            user=service["User"],
            env=dict(pair.split("=", 1) for pair in shlex.split(service["Environment"])),
            log=output,
            wrap=lambda command: passing(listening, command),
            pass_fds=(listening.fileno(),),
        )
    assert process.stdout is not None
    try:
        assert f"http://127.0.0.1:{PORT}/" in process.stdout.readline(), log.read_text()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=WAIT)


@contextmanager
def proxying(machine: Machine) -> Iterator[None]:
    machine.run("nginx", "-t")
    process = machine.start(["nginx", "-g", "daemon off;"])
    try:
        yield
    finally:
        process.terminate()
        process.communicate(timeout=WAIT)


@pytest.fixture
def found(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site's name is found, and its certificate believed."""
    known_as(SITE, monkeypatch)
    monkeypatch.setenv("SSL_CERT_FILE", str(machine.path(f"{CERTIFICATE}/fullchain.pem")))


@pytest.mark.usefixtures("found")
def test_a_game_is_played_through_the_proxy_and_a_restart(
    machine: Machine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log, site = tmp_path_factory.mktemp("log") / "log", Site()

    def play() -> None:
        with ExitStack() as stack:
            listening = stack.enter_context(socket.create_server(("127.0.0.1", PORT), backlog=128))
            stack.enter_context(proxying(machine))
            passed_on(listening)
            with serving(machine, listening, log):
                visit(site)
                made = meet(site)
                moves(made, "7g7f", "3c3d")
            with serving(machine, listening, log):
                with made.client("w") as white:
                    assert [move["usi"] for move in white.state["moves"]] == ["7g7f", "3c3d"]
                moves(made, "2g2f", "8c8d", first=3)

    machine.connected(play)
    assert "Traceback" not in log.read_text()


@pytest.mark.usefixtures("found")
def test_what_the_proxy_refuses_is_json_for_programs_and_a_page_for_people(machine: Machine) -> None:
    """Also with the lines for Debian that the page has; with a lower limit, which takes fewer connections to reach."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert "limit_conn addresses 320;" in text
    machine.write(
        "/etc/nginx/sites-enabled/komadai", text.replace("limit_conn addresses 320;", "limit_conn addresses 2;")
    )
    page = (ROOT / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8")
    lines = [line.replace("sudo ", "") for line in page.splitlines() if line.startswith("sudo") and "worker_" in line]
    lines += [line.replace("sudo ", "") for line in page.splitlines() if line.startswith("echo 'worker_")]
    for line in lines:
        machine.run("sh", "-c", line)
    said = machine.run("nginx", "-T")
    assert "worker_connections 16384;" in said
    assert "worker_rlimit_nofile 40000;" in said

    def refused(status: int, words: str, body: bytes = b"") -> None:
        """Ask as a program and as a person; httpx would be checked against the description of our own answers."""
        for path, kind in (("/api/records", "application/json"), ("/x", "text/html")):
            asking = http.client.HTTPSConnection(SITE, context=context(), timeout=WAIT)
            asking.request("POST", path, body)
            answer = asking.getresponse()
            said = answer.read().decode()
            assert (answer.status, answer.headers["content-type"]) == (status, kind)
            assert said == f'{{"error":"{words}"}}' if path.startswith("/api/") else said.endswith(f"<p>{words}")
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            asking.close()

    def context() -> ssl.SSLContext:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.load_verify_locations(machine.path(f"{CERTIFICATE}/fullchain.pem"))
        return made

    def ask() -> None:
        with proxying(machine), ExitStack() as stack:
            until_it_listens().close()
            refused(413, "The request is too long; at most 1 MB is read.", bytes(1_100_000))
            silent = stack.enter_context(socket.create_server(("127.0.0.1", PORT), backlog=128))
            for _ in range(2):
                waiting = context().wrap_socket(stack.enter_context(until_it_listens()), server_hostname=SITE)
                stack.enter_context(waiting)
                waiting.sendall(f"GET /lobby HTTP/1.1\r\nHost: {SITE}\r\n\r\n".encode())
                stack.enter_context(silent.accept()[0])
            refused(429, "Too many connections at once; wait a moment.")
        with proxying(machine):
            until_it_listens().close()
            refused(502, "The server does not answer at present; try again in a moment.")

    machine.connected(ask)


def test_systemd_has_nothing_to_say_about_the_units(machine: Machine) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze on this machine")
    assert (
        machine.run("systemd-analyze", "verify", "--man=no", f"komadai@{PORT}.service", f"komadai@{PORT}.socket") == ""
    )


def moves(made: Meeting, *moves: str, first: int = 1) -> None:
    with made.client("b") as black, made.client("w") as white:
        for ply, move in enumerate(moves, first):
            assert (white if ply % 2 == 0 else black).move(move, ply)["t"] == "ack"


def passed_on(listening: socket.socket) -> None:
    """Check the address that reaches the server from a client that claims another one."""
    claims = "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: gopher\r\n"
    with until_it_listens() as plain, ssl.create_default_context().wrap_socket(plain, server_hostname=SITE) as client:
        client.sendall(f"GET /lobby HTTP/1.1\r\nHost: {SITE}\r\n{claims}\r\n".encode())
        server, _ = listening.accept()
        with server:
            heard = server.recv(4096).decode().splitlines()
    assert heard[0] == "GET /lobby HTTP/1.1"
    assert {f"Host: {SITE}", f"X-Forwarded-For: {ADDRESS}", "X-Forwarded-Proto: https"} < set(heard)
    assert not any("203.0.113.9" in line or "gopher" in line for line in heard)


def visit(site: Site) -> None:
    """Check the answers to a browser and to a stranger."""
    context = ssl.create_default_context()
    with httpx.Client(verify=context, timeout=WAIT) as browser:
        moved = browser.get(f"http://{SITE}/rules/nana?x=1")
        assert (moved.status_code, moved.headers["location"]) == (301, f"https://{SITE}/rules/nana?x=1")
        page = browser.get(site.url)
        assert page.status_code == 200
        assert page.headers["strict-transport-security"] == "max-age=31536000"
        assert "Secure" in page.headers["set-cookie"], "the server knows that the page came over TLS"
        assert browser.get(f"{site.url}/healthz").json() == {"ok": True}
        for other in ("evil.example.com", "localhost", "127.0.0.1", ADDRESS):
            assert browser.get(f"https://{SITE}/", headers={"Host": other}).status_code == 421
            assert browser.get(f"http://{SITE}/", headers={"Host": other}).status_code == 421
        for origin, status in ((site.url, 201), (f"http://{SITE}", 403), ("https://evil.example.com", 403)):
            made = browser.post(f"{site.url}/api/profile", json={"key": new_key()}, headers={"Origin": origin})
            assert made.status_code == status
    with pytest.raises(httpx.ConnectError), httpx.Client(verify=False) as nameless:
        nameless.get(f"https://{ADDRESS}/")


def until_it_listens() -> socket.socket:
    """A connection to the proxy, once it listens."""
    while True:
        try:
            return socket.create_connection((SITE, 443), WAIT)
        except ConnectionRefusedError:
            time.sleep(0.01)
