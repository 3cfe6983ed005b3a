"""Settings for every test: the volume of random play, and which tests run."""

from __future__ import annotations

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to ``make test-all``, unless tests are chosen by ``-m`` or by name."""
    if FULL or config.option.markexpr or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]
