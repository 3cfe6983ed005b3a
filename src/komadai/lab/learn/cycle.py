"""One run of ``komadai learn`` in a folder: the games, the training, and the net.

Each step goes on where it was interrupted, and one that is done is not done again. The match that decides over the net
is above this package, with the arena.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...engine.evaluation import evaluation_hash, user_net
from ...errors import LearnError, lacking
from ...i18n import _
from ...json_text import fits, parsed
from ...spec.variant import Variant
from ...storage import write_whole
from ..jobs import Pool
from .data import Ledger, written
from .manifest import Manifest, digest
from .play_jobs import play_until

if TYPE_CHECKING:
    from .training import Training


GAIN = {"elo": (float, None), "low": (float, None), "high": (float, None), "wins": int, "draws": int, "losses": int}
"""Of the match of a net that is adopted, what is kept, and of which types."""
_RESULT = {"accepted": bool, "nodes": int, "nodes_before": int, **GAIN}
_TIMES = {...: [float]}
_LOSSES = {
    "odds": (float, ...),
    "before": float,
    "rounded": (float, ...),
    "epochs": [{"loss": float, "held_out": float}],
}


class Cycle:
    """A run.

    Attributes:
        folder: where its files are. ``manifest``: its numbers.
        games, net, match, result, page: its files.
    """

    def __init__(self, folder: Path, variant: Variant, manifest: Manifest) -> None:
        """Go on with a run; its manifest has been written."""
        self.folder, self.manifest, self._variant = folder, manifest, variant
        self.games, self.net = folder / "games.games", folder / f"{variant.id}.net"
        self.match, self.result, self.page = (folder / name for name in ("match.jsonl", "result.json", "report.html"))
        self._log, self._times = folder / "training.json", folder / "times.json"
        self._positions, self._checkpoint = folder / "positions", folder / "checkpoint.pt"

    # --- Games ---

    def play(self, pool: Pool | None = None, progress: Callable[[int], object] = lambda positions: None) -> None:
        """Play until there are enough positions, by the workers of a pool or in this process.

        Args:
            progress: called with the number of quiet positions.

        Raises:
            LearnError: a file cannot be used, or the engine has another evaluation than when the run began.
            JobError: workers disagree, or none is left.
        """
        if not self.manifest.positions or self.net.exists():
            return
        self.require_evaluation()
        settings = self.manifest.settings
        with closing(Ledger(self.games, self._variant, settings.data())) as ledger:
            progress(ledger.quiet)
            before = ledger.quiet
            with self._timed("games", lambda: ledger.quiet - before):
                play_until(
                    ledger,
                    self._variant,
                    settings,
                    self.manifest.positions,
                    pool=pool,
                    progress=lambda: progress(ledger.quiet),
                )

    def require_evaluation(self) -> None:
        """Check that the engine has the evaluation that the run began with.

        Raises:
            LearnError: it has another.
        """
        if evaluation_hash(self._variant) != self.manifest.evaluation:
            words = _(
                "the engine has another evaluation of {game} than when {path} was begun; begin another folder",
                game=self._variant.id,
                path=self.folder,
            )
            raise LearnError(words)

    # --- Training ---

    def train(self, progress: Callable[[float], object] = lambda epochs: None) -> None:
        """Train the net, from that which the engine has if it is no wider, and write it.

        Args:
            progress: called after each step with the epochs that are over, the present one in part.

        Raises:
            LearnError: the extra is missing, or a file cannot be used or is not the one that the run began with.
        """
        if self.net.exists():
            return
        training = self._prepared()
        while not training.over:
            self._epoch(training, progress)
            training.write_log(self._log)
        layers = training.layers()
        training.write_log(self._log, rounded=training.loss_of_layers(layers))
        with written(self.net):
            layers.net(self._variant).save(self.net)
        shutil.rmtree(self._positions, ignore_errors=True)

    def _epoch(self, training: Training, progress: Callable[[float], object]) -> None:
        looked, over = 0, len(training.epochs)

        def count(positions: int) -> None:
            nonlocal looked
            looked += positions
            progress(over + looked / training.size)

        with self._timed("training", lambda: looked):
            training.epoch(count)

    def _prepared(self) -> Training:
        needed()
        from ...engine.evaluation import HANDMADE, default_net, evaluation
        from .layers import numbers_of
        from .samples import gather
        from .training import Plan, Training

        m = self.manifest
        paths = [self.games] if m.positions else []
        for name, known in m.data.items():
            if digest(Path(name)) != known:
                raise LearnError(_("{path} is not the file that the run began with", path=name))
            paths.append(Path(name))
        samples = gather(self._variant, paths, self._positions, evaluation(self._variant, HANDMADE), m.trace)
        plan = Plan(m.hidden, m.epochs, m.batch, m.rate, m.seed, m.threads)
        self.require_evaluation()
        net = default_net(self._variant)
        before = None if net is None or net.hidden > m.hidden else numbers_of(net)
        return Training(samples, plan, self._checkpoint, before)

    # --- What is known of it ---

    @contextmanager
    def _timed(self, step: str, units: Callable[[], int]) -> Iterator[None]:
        """Time a step, also if it is interrupted."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.count_time(step, units(), time.monotonic() - began)

    def count_time(self, step: str, units: int, seconds: float) -> None:
        """Count the seconds of a step and its units of work."""
        times = _read(self._times, _TIMES)
        known = times.get(step, [0, 0.0])
        times[step] = [known[0] + units, round(known[1] + seconds, 1)]
        write_whole(self._times, json.dumps(times).encode())

    def times(self) -> dict[str, tuple[int, float]]:
        """For each step the units of work done, and the seconds they took."""
        return {step: (units, seconds) for step, (units, seconds) in _read(self._times, _TIMES).items()}

    def losses(self) -> dict[str, Any]:
        """The losses of training, as :meth:`.training.Training.write_log` writes them; empty before."""
        return _read(self._log, _LOSSES)

    def verdict(self) -> dict[str, Any]:
        """The result of the match; empty before."""
        return _read(self.result, _RESULT)

    def decide(self, result: Mapping[str, Any]) -> None:
        """Keep the result of the match.

        Raises:
            OSError: the file cannot be written.
        """
        write_whole(self.result, (json.dumps(result, indent=1) + "\n").encode())


def _read(path: Path, shape: dict[Any, Any]) -> dict[str, Any]:
    try:
        found = parsed(path.read_bytes())
        if not fits(found, shape) or not all(len(one) == 2 for one in found.values() if shape is _TIMES):
            raise ValueError
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise LearnError(_("{path} is damaged; remove it", path=path)) from None
    return dict(found)


def needed() -> None:
    """Check that the extra ``learn`` is there.

    Raises:
        LearnError: it is not.
    """
    try:
        from .training import Training  # noqa: F401
    except ImportError as error:
        raise LearnError(_("training {needs}", needs=lacking(error))) from None


# --- Nets that were accepted ---


def adopt(variant: Variant, cycle: Cycle) -> None:
    """Let the engine play a game with the net of a run from now on: a copy in a folder of the user, with its result.

    Raises:
        LearnError: the match did not accept it, or it cannot be written.
    """
    verdict = cycle.verdict()
    if not verdict.get("accepted"):
        raise LearnError(_("{path} was not accepted by its match, and is not adopted", path=cycle.net))
    path = user_net(variant)
    known = generations(variant)
    one = {"net": digest(cycle.net), **{name: verdict[name] for name in GAIN}}
    with written(path):
        if one["net"] not in [earlier["net"] for earlier in known]:
            lines = "".join(f"{json.dumps(line)}\n" for line in [*known, one])
            write_whole(path.with_suffix(".jsonl"), lines.encode())
        write_whole(path, cycle.net.read_bytes())


def generations(variant: Variant) -> list[dict[str, Any]]:
    """The results of the nets of a game that were adopted here, the first one first.

    Raises:
        LearnError: the file of them is damaged.
    """
    path = user_net(variant).with_suffix(".jsonl")
    try:
        found = [parsed(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not fits(found, [{"net": str, **GAIN}]):
            raise ValueError
        return found
    except FileNotFoundError:
        return []
    except (OSError, ValueError):
        raise LearnError(_("{path} is damaged; remove it", path=path)) from None
