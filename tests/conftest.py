"""Settings for every test: the volume of random play, and which tests run."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from weakref import WeakSet
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from helpers.leftovers import end_all
from helpers.solved_cache import CACHE, forget_others, lend_nana
from helpers.support import NAMES, settings_of
from helpers.volume import EXAMPLES, FULL
from komadai import variants
from komadai.compiler import Compiled, _in_use
from komadai.spec.variant import CACHED_VARIANTS, Variant

# The threads of NumPy would wait for each other where workers share processors.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Repeatable, and independent of how busy the machine is.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

BROWSER = Path(__file__).parent / "app" / "web" / "browser"


_SETTINGS = frozenset(variant for name in NAMES for variant in settings_of(name))
_compiled: WeakSet[Compiled] = WeakSet()
_kept: dict[Variant, Compiled] = {}  # those that many tests use in turn: more than the program's caches hold
_MOST_COMPILED = CACHED_VARIANTS + 16  # besides: those that tests and modules hold


def pytest_configure(config: pytest.Config) -> None:
    """No test reads or writes the user's cache: all share one, with tables that are made on first use."""
    os.environ["XDG_CACHE_HOME"] = str(CACHE)
    if not hasattr(config, "workerinput"):
        forget_others()


@pytest.fixture(autouse=True, scope="session")
def _all_that_was_started_has_ended() -> Iterator[None]:
    """No process outlives the tests. Its name makes it the first fixture, so that it looks after all others."""
    yield
    assert end_all() == [], "a test started these processes and did not end them; they were killed"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> None:
    """A loop of asyncio seems to run during every test, as one does from the first test in a browser on.

    So a test that needs :func:`helpers.support.in_a_loop` needs it in every order.
    """
    if asyncio._get_running_loop() is None:
        asyncio._set_running_loop(_LOOP)


_LOOP = asyncio.AbstractEventLoop()


def pytest_collection_finish() -> None:
    """Tests and modules stay to the end: garbage is not looked for among them."""
    gc.freeze()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """Playwright, of which a process has one."""
    from playwright.sync_api import sync_playwright

    asyncio._set_running_loop(None)
    with sync_playwright() as running:
        yield running


@pytest.fixture(autouse=True, scope="session")
def _count_compiled() -> Iterator[None]:
    """Keep track of all compiled variants."""
    make = Compiled.__init__

    def counted(self: Compiled, variant: Variant) -> None:
        make(self, variant)
        _compiled.add(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compiled, "__init__", counted)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_nets_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's own files, nets among them, change nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _nana_is_solved() -> None:
    """Its table is at hand, so that no test waits for it, or plays without it; the first run makes it."""
    lend_nana()


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """After each test its registered variants are removed."""
    before = dict(variants._registered)
    yield
    variants._registered.clear()
    variants._registered.update(before)


@pytest.fixture(autouse=True)
def _compiled_variants_are_freed() -> Iterator[None]:
    """After each test few compiled variants are alive: those of Kō Shōgi take megabytes, and have options."""
    before = len(_compiled)
    yield
    if len(_compiled) != before:
        _kept.update((variant, compiled) for variant, compiled in _in_use.items() if variant in _SETTINGS)
    if len(_compiled) > _MOST_COMPILED + len(_kept):
        gc.collect()
        assert len(_compiled) <= _MOST_COMPILED + len(_kept), "compiled variants are not freed"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to ``make test-all``, unless names or another ``-m`` choose tests.

    Of those in a browser ``make test`` runs the smoke tests, ``-m browser`` each other function with one of its
    parameters.
    """
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker("browser")
    chosen = config.option.markexpr
    if FULL or chosen not in ("", "browser") or any("::" in argument for argument in config.args):
        return
    kept = [item for item in items if not item.get_closest_marker("slow")]
    smoke = {function_of(item) for item in kept if item.get_closest_marker("smoke")}
    if chosen:
        kept = one_of_each(item for item in kept if function_of(item) not in smoke)
        kept.sort(key=lambda item: not item.get_closest_marker("long"))  # or all would wait for them at the end
    else:
        kept = [item for item in kept if item.get_closest_marker("smoke") or not item.get_closest_marker("browser")]
    left = set(items) - set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = kept


def function_of(item: pytest.Item) -> str:
    """The name of a test without its parameters."""
    return item.nodeid.partition("[")[0]


def one_of_each(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Each test function once, with parameters that differ from function to function and not from run to run."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(function_of(item), []).append(item)
    return [same[crc32(name.encode()) % len(same)] for name, same in functions.items()]
