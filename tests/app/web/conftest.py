"""Servers and a headless browser for the tests of the web part."""

from __future__ import annotations

import asyncio
import os
import pickle
import shutil
import signal
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing
from functools import cache
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest

from helpers.support import in_a_loop
from helpers.web.browsing import DESKTOP, PHONE
from helpers.web.cluster import Cluster, binaries
from helpers.web.fitting import fits
from helpers.web.inspecting import watch
from helpers.web.served import WAIT, Server
from komadai.app.web.engines import crew, pool, rate_limits, work_queue
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.store import Store
from komadai.app.web.store.sqlite import SqliteStore

# The first that the machine has. The headless shell draws no windows of its own and needs two thirds of the time.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def missing(what: str) -> NoReturn:
    """Skip the test for want of a program; where CI is set, fail it."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is asynchronous runs in a loop of its own, for a while at most."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None

    async def run() -> None:
        given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        async with asyncio.timeout(WAIT), AsyncExitStack() as ending:
            if "hall" in given:
                ending.push_async_callback(given["hall"].close)
            await pyfuncitem.obj(**given)

    in_a_loop(run())
    return True


@pytest.fixture(scope="session", autouse=True)
def picklable() -> Iterator[None]:
    """Pickle each question, its result and its error, as if another process answered it."""

    def pickled(work: Callable[[], Any]) -> crew.Done:
        done = crew.timed(pickle.loads(pickle.dumps(work)))
        return done._replace(
            result=pickle.loads(pickle.dumps(done.result)), error=pickle.loads(pickle.dumps(done.error))
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work_queue, "timed", pickled)
        yield


@pytest.fixture(scope="session", autouse=True)
def described() -> Iterator[None]:
    """Every answer that a test gets must be as the description of the interface says, and may take its time."""
    hasty, patient = httpx.Timeout(5).as_dict(), httpx.Timeout(WAIT).as_dict()
    with pytest.MonkeyPatch.context() as patch:
        send = httpx.Client.send

        def sending(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
            if request.extensions["timeout"] == hasty:  # httpx's default
                request.extensions["timeout"] = patient
            answer = send(client, request, **options)
            fits(answer)
            return answer

        patch.setattr(httpx.Client, "send", sending)
        # httpx reads all root certificates for each client, which takes longer than most answers.
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the machine's, empty. Without one the test is skipped, but fails where CI is set."""
    programs = binaries()
    if programs is None:
        missing("no PostgreSQL server on this machine (Debian: apt install postgresql)")
    made = Cluster(programs)
    yield made
    made.remove()


@pytest.fixture
def url(cluster: Cluster) -> str:
    """An empty database."""
    return cluster.database()


@pytest.fixture(scope="session")
def strace() -> None:
    """Whoever uses it is skipped where the calls of a process cannot be traced, but fails where CI is set."""
    program = shutil.which("strace")
    if program is None or subprocess.run([program, "-o", os.devnull, "true"], check=False).returncode:
        missing("no strace on this machine, or it may trace nothing (Debian: apt install strace)")


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which clients are limited, and the time of searches is counted."""
    made = Clock()
    monkeypatch.setattr(rate_limits, "time", made)
    monkeypatch.setattr(pool, "perf_counter", made.monotonic)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store of the test's own, in a file."""
    with closing(SqliteStore(tmp_path / "games.sqlite3")) as made:
        yield made


@pytest.fixture
def hall(store: Store) -> GameRegistry:
    """The games of the test's store, closed by the loop of the test."""
    return GameRegistry(store)


@pytest.fixture(params=["sqlite", "postgres"])
def kept_in(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where ``--data`` keeps the games of the test: a folder, or a database."""
    return str(tmp_path) if request.param == "sqlite" else request.getfixturevalue("cluster").database()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server shared by all tests; each makes games of its own.

    It may be asked as much as they ask together.
    """
    with Server(tmp_path_factory.mktemp("data"), 0, "--limits", "1000", loaded=False) as running:
        yield running
    assert running.process.returncode in (0, -signal.SIGTERM), "the server must end quietly"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers, on the test's data folder unless another is named; those still running are ended."""
    with ExitStack() as running:

        def make(port: int = 0, *options: str, data: Path = tmp_path, **more: Any) -> Server:
            return running.enter_context(Server(data, port, *options, **more))

        yield make


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A headless Chromium of the machine. Without one the test is skipped, but fails where CI is set."""
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        missing("no Chromium on this machine (Debian: apt install chromium-headless-shell)")
    playwright = request.getfixturevalue("playwright")
    from playwright.sync_api import expect

    expect.set_options(timeout=WAIT * 1000)
    flags = "no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update"
    arguments = [f"--{flag}" for flag in [*flags.split(), "disable-sync"]]
    # The sanitizers are for the core, not for the browser.
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    browser = playwright.chromium.launch(executable_path=path, args=arguments, env=own)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox() -> str:
    """The program of a Firefox. Without one the test is skipped, but fails where CI is set."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        missing("no Firefox on this machine (Debian: apt install firefox-esr)")
    return path


@pytest.fixture
def window(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Open a page in a context of its own, at desktop size unless told otherwise; what pages report fails the test.

    The browser reports each request that reaches no server (``pytest.mark.outage``), or is refused by one
    (``pytest.mark.refused``), where the test has that mark.
    """
    contexts: list[Any] = []
    faults: list[str] = []

    def opened(**options: Any) -> Any:
        usual = {
            "viewport": DESKTOP,
            "reduced_motion": "reduce",
            "service_workers": "block",
        }  # see test_offline_browser
        context = chromium.new_context(**{**usual, **options})
        context.set_default_timeout(WAIT * 1000)
        watch(context, faults)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()
    reports = {"outage": "net::ERR_", "refused": "the server responded with a status of "}
    marked = [words for mark, words in reports.items() if request.node.get_closest_marker(mark)]
    expected = ["WebSocket connection", *(f"Failed to load resource: {words}" for words in marked)]
    assert [fault for fault in faults if not any(words in fault for words in expected)] == []


@pytest.fixture
def page(window: Callable[..., Any]) -> Any:
    """A page at desktop size."""
    return window()


@pytest.fixture
def phone(window: Callable[..., Any]) -> Any:
    """The page of a phone."""
    return window(viewport=PHONE, has_touch=True)
