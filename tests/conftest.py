"""Settings every test runs under."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Repeatable, and never a matter of how busy the machine is.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")
