"""Long work in jobs that other processes and other machines do: which there are, who does them, and what came of them.

A job is plain data with an id that is the hash of its content, and so is its answer. Workers and what lies between them
and this process may be lost at any time; whoever asks for jobs keeps the answers, and asks again for those it lacks.
"""

from .job import Job, JobAnswer, JobError, UnfitError, perform
from .pools import LocalPool, Pool
from .rates import Rates
from .runner import Runner

__all__ = [
    "Job",
    "JobAnswer",
    "JobError",
    "LocalPool",
    "Pool",
    "Rates",
    "Runner",
    "UnfitError",
    "perform",
]
