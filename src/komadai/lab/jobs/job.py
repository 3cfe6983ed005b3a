"""A job and its answer, as plain data that JSON can hold, and how a worker does one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from time import perf_counter
from typing import Any

from ... import __version__
from ...errors import KomadaiError
from ...spec.variant import Variant
from ...workshop.identity import embedded, identified

SCHEMA = "komadai-job/1"
_PACKAGE = f"{__name__.partition('.')[0]}."
_LONGEST = 500  # characters of a worker's words that are shown


class JobError(KomadaiError):
    """Work that cannot go on: jobs that fail, workers that disagree, or none that fits; the message says which."""


class UnfitError(KomadaiError):
    """A worker that lacks something a job needs, which others may have; the message says what."""


class LieError(KomadaiError):
    """An answer that is none to the job; the message says why."""


def canonical(data: Any) -> str:
    """Plain data as the one JSON text that equal data have."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Job:
    """A job.

    Attributes:
        work: the function that does it, ``module:function`` of this package. It takes the variant and the content, and
            returns two things that JSON can hold: the result, which depends on them alone, and what was measured.
        variant: the game. ``content``: all else that the result depends on, as plain data.
        size: the number of units of work in it, for rates: pairs of games, or games.
    """

    work: str
    variant: Variant
    content: Mapping[str, Any]
    size: int = 1

    @cached_property
    def data(self) -> dict[str, Any]:
        """The job as it is sent."""
        v = self.variant
        identity = {"name": v.id, "options": dict(v.options), "rules": v.rules_hash, "file": embedded(v)}
        body = {
            "schema": SCHEMA,
            "version": __version__,
            "work": self.work,
            "variant": identity,
            "content": self.content,
        }
        return {"id": sha256(canonical(body).encode()).hexdigest(), **body}

    @property
    def id(self) -> str:
        """The SHA-256 of everything else, as canonical JSON."""
        return str(self.data["id"])


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """The answer to a job.

    Attributes:
        worker: its name. ``seconds``: for which it worked.
        result: as the work returns it. ``measured``: what may differ from time to time, such as seconds.
        refusal: why this worker may not or cannot do the job. ``failure``: why nobody can. Empty: it is done.
    """

    worker: str
    seconds: float = 0.0
    result: Any = None
    measured: Any = None
    refusal: str = ""
    failure: str = ""


def perform(data: Mapping[str, Any], worker: str) -> dict[str, Any]:
    """Do a job in this process, for whoever sent it; the answer as it is sent back.

    Args:
        data: as :attr:`Job.data`. ``worker``: the name of this process.
    """
    answer = {"schema": SCHEMA, "id": data["id"], "version": __version__, "worker": worker}
    if (theirs := data["version"]) != __version__:
        return answer | {"refusal": f"it has Komadai {__version__}, and the job is of {theirs}"}
    try:
        variant = identified(**data["variant"])
    except KomadaiError as error:
        return answer | {"refusal": str(error)}
    module, _, function = data["work"].partition(":")
    assert module.startswith(_PACKAGE), module
    began = perf_counter()
    try:
        result, measured = getattr(import_module(module), function)(variant, data["content"])
    except UnfitError as error:
        return answer | {"refusal": str(error)}
    except KomadaiError as error:
        return answer | {"failure": str(error)}
    answer |= {"rules": variant.rules_hash, "seconds": perf_counter() - began}
    return answer | {"result": result, "measured": measured}


def read_answer(job: Job, data: Any) -> JobAnswer:
    """The answer that a worker sent back.

    Raises:
        LieError: it is none to this job.
    """
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise LieError(f"its answer is not of the schema {SCHEMA}")
    worker = str(data.get("worker"))[:_LONGEST]
    if data.get("id") != job.id:
        raise LieError(f"its answer is to the job {str(data.get('id'))[:12]}, not to {job.id[:12]}")
    refusal, failure = (str(data.get(kind) or "")[:_LONGEST] for kind in ("refusal", "failure"))
    if refusal or failure:
        return JobAnswer(worker, refusal=refusal, failure=failure)
    expected = {"version": __version__, "rules": job.variant.rules_hash}
    for name, value in expected.items():
        if data.get(name) != value:
            raise LieError(f"its answer is of the {name} {str(data.get(name))[:12]}, not {value[:12]}")
    seconds = data.get("seconds")
    if not isinstance(seconds, float | int) or not 0 <= seconds < 1e9 or "result" not in data:
        raise LieError("its answer lacks the result or the seconds that it took")
    return JobAnswer(worker, float(seconds), data["result"], data.get("measured"))
