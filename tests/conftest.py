"""Settings for every test: the volume of random play, and which tests run."""

from __future__ import annotations

from pathlib import Path

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
    """Leave slow tests, most in a browser among them, to ``make test-all``, unless ``-m`` or names choose tests."""
    for item in items:
        if BROWSER in item.path.parents and not item.get_closest_marker("smoke"):
            item.add_marker("slow")
    if FULL or config.option.markexpr or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]
