"""The function that goes to the workers of a cluster, by value: it says so if there is no Komadai on their machine."""

from __future__ import annotations

from typing import Any


def errand(data: dict[str, Any]) -> dict[str, Any]:
    """Do a job at the worker that runs this; the answer as it is sent back."""
    from distributed import get_worker

    worker = str(get_worker().address)
    try:
        from komadai.lab.jobs.job import perform
    except ImportError as error:
        refusal = f"it has no Komadai that knows jobs: {error}"
        return {"schema": data["schema"], "id": data["id"], "worker": worker, "refusal": refusal}
    return perform(data, worker)
