"""Metrics of jobs for Prometheus: of the process that gives them out, and by worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from .runner import Runner


class _Jobs(Collector):
    """The counts of a run, as they are when they are read."""

    def __init__(self, runner: Runner[Any]) -> None:
        self._runner = runner

    def collect(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        runner, rates = self._runner, self._runner.rates
        yield _counter("komadai_jobs", "Jobs by what became of them, and losses.", "outcome", runner.outcomes)
        yield _counter("komadai_worker_jobs", "Jobs done, by worker.", "worker", runner.done)
        yield _counter("komadai_worker_seconds", "Seconds of work, by worker.", "worker", runner.seconds)
        yield GaugeMetricFamily("komadai_workers", "Jobs that can be done at a time.", runner.workers)
        yield GaugeMetricFamily("komadai_units_done", "Units of work done: pairs of games, or games.", rates.done)
        yield GaugeMetricFamily("komadai_units_wanted", "Units of work there are.", rates.total)
        yield GaugeMetricFamily("komadai_units_per_minute", "The rate of all workers together.", rates.per_minute)


def _counter(name: str, about: str, label: str, values: Mapping[str, float]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, about, labels=[label])
    for key, value in dict(values).items():
        family.add_metric([key], value)
    return family


def registry_of(runner: Runner[Any]) -> CollectorRegistry:
    """The metrics of a run and of this process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Jobs(runner))
    return registry
