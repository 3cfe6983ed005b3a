"""Settings for every test: the volume of random play, and which tests run."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from helpers.volume import EXAMPLES, FULL

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

BROWSER = Path(__file__).parent / "web" / "browser"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to ``make test-all``, unless names or another ``-m`` choose tests.

    Of those in a browser ``make test`` runs the smoke tests, ``-m browser`` each function with one of its parameters.
    """
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker("browser")
    chosen = config.option.markexpr
    if FULL or chosen not in ("", "browser") or any("::" in argument for argument in config.args):
        return
    kept = [item for item in items if not item.get_closest_marker("slow")]
    if chosen:
        kept = one_of_each(kept)
    else:
        kept = [item for item in kept if item.get_closest_marker("smoke") or not item.get_closest_marker("browser")]
    left = set(items) - set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = kept


def one_of_each(items: list[pytest.Item]) -> list[pytest.Item]:
    """Each test function once, with parameters that differ from function to function and not from run to run."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [same[crc32(name.encode()) % len(same)] for name, same in functions.items()]
