"""Judge many random variants; what failed stands in the state file, with its seed."""

from __future__ import annotations

import json
import time
import traceback
from pathlib import Path

import click

from . import Rejected, judge, made


@click.command(context_settings={"show_default": True})
@click.option("--count", default=1000, help="Variants in all.")
@click.option("--first", default=0, help="The first seed.")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON lines with what was found; the run goes on there.",
)
@click.option("--seconds", default=float("inf"), help="End after so many.")
def main(count: int, first: int, state: Path | None, seconds: float) -> None:
    """Judge random variants and print what was found."""
    lines = state.read_text(encoding="utf-8").splitlines() if state is not None and state.exists() else []
    known = [json.loads(line) for line in lines]
    began, used = time.monotonic(), time.process_time()
    at = first + sum(one["judged"] for one in known)
    judged = rejected = positions = 0
    faults: list[dict[str, object]] = []
    while at < first + count and time.monotonic() - began < seconds:
        try:
            positions += judge(made(at), at)
        except Rejected:
            rejected += 1
        except Exception as error:  # whatever it is, it is to be looked at
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            faults.append({"seed": at, "error": f"{type(error).__name__}: {error}"[:400], "at": place})
            print(faults[-1], flush=True)
        judged, at = judged + 1, at + 1
    found = {"first": at - judged, "judged": judged, "rejected": rejected, "positions": positions, "faults": faults}
    found["cpu_seconds"] = round(time.process_time() - used, 1)
    if state is not None:
        with state.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
