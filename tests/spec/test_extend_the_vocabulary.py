"""The guide *Extend the vocabulary*, followed with a made-up condition in a copy of the package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import komadai
from helpers.support import ROOT, needs_processes
from komadai.spec.conditions import CONDITIONS

pytestmark = needs_processes

CONDITION = '''
"""`OnEdge`: the edge of the board."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..board import Rect, Side
from ..kinds import Kind
from .base import Checks, Condition, InPlace


@dataclass(frozen=True, slots=True)
class OnEdge(Condition):
    """The piece ends its move at most ``within`` points from the edge of the board, or stands there."""

    within: int = 0

    asked = frozenset({"move", "landing", "turn_end", "place", "turn"})
    tag = "edge"
    of_the_point = True

    def check(self, checks: Checks) -> None:
        if self.within < 0:
            checks.add(f"{self.within} points; expected 0 or more")

    def in_place(self, at: InPlace) -> bool:
        return at.point in self.points(at.board, at.kind, at.piece.side)

    def points(self, board: Rect, kind: Kind, side: Side) -> Collection[int]:
        inner = [range(self.within + 1, size - self.within - 1) for size in (board.width, board.height)]
        return {point for point in board.points if any(at not in free for at, free in zip(board.xy(point), inner))}
'''
GAME = """
import random
from dataclasses import replace
import komadai
from komadai import workshop
from komadai.reference import Reference
from komadai.spec import About, Forbid, Is, OnEdge, Rule
from komadai.workshop.schema import schema_text

plain = komadai.variant("minishogi")
for event, kinds in (("drops", ("P", "G")), ("lands", ("R", "B"))):
    rule = Rule(event, Is(kinds) & OnEdge(), Forbid("nothing of that on the edge"), "edge.md 1")
    edged = replace(plain, id="edged", rules=(*plain.rules, rule), options=(), about=About())
    assert edged.rules_hash != plain.rules_hash
    reference, forbidden = Reference(edged), 0
    for seed in range(12):
        position, chance = komadai.Position(edged), random.Random(seed)
        while position.outcome() is None and position.ply < 60:
            moves = sorted(position.legal_moves().texts())
            setup = position.setup()
            assert moves == sorted(move.text for move in reference.legal_moves(setup)), position.sfen()
            broken = (one for move in reference.candidates(setup) for one in reference.broken_rules(setup, move))
            forbidden += sum(one.action == rule.action for one in broken)
            position.push(chance.choice(moves))
    assert forbidden > 20
    assert "OnEdge" in workshop.variant_text(edged)
    assert workshop.loads(workshop.variant_text(edged)).rules_hash == edged.rules_hash
    wrong = replace(edged, rules=(Rule(event, OnEdge(-1), Forbid("x"), "x"),))
    try:
        komadai.Position(wrong)
    except komadai.SpecError as error:
        assert "-1 points; expected 0 or more" in str(error)
    else:
        raise AssertionError
assert '"OnEdge"' in schema_text()
print("done")
"""


def test_a_made_up_condition_takes_its_file_and_its_line_in_the_list(tmp_path: Path) -> None:
    guide = (ROOT / "docs/how-to/extend-the-vocabulary.md").read_text(encoding="utf-8")
    assert "`spec/conditions/NAME.py`" in guide
    assert "List it in `spec/conditions/__init__.py`" in guide
    package = tmp_path / "komadai"
    large = shutil.ignore_patterns("__pycache__", "app", "lab", "tables", "rules")
    shutil.copytree(Path(komadai.__file__).parent, package, ignore=large)
    (package / "spec/conditions/on_edge.py").write_text(CONDITION.lstrip(), encoding="utf-8")
    listed = package / "spec/conditions/__init__.py"
    text = listed.read_text(encoding="utf-8")
    text = text.replace("from .on_file import", "from .on_edge import OnEdge\nfrom .on_file import")
    text = text.replace("    OnFile,\n", "    OnEdge,\n    OnFile,\n", 1)
    text = text.replace('    "OnFile",', '    "OnEdge",\n    "OnFile",')
    listed.write_text(text, encoding="utf-8")
    assert len(re.findall(r"\bOnEdge\b", text)) == 3
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{GAME}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    assert (ran.stdout, ran.stderr) == ("done\n", "")


def test_conditions_have_tags_of_their_own_and_say_what_symmetries_change() -> None:
    tags = [one.tag for one in CONDITIONS]
    assert sorted(tags) == sorted(set(tags))
    for one in CONDITIONS:
        has = vars(one)
        assert "translated" in has or (one.columns if one.table else "argument" not in has), one.__name__
