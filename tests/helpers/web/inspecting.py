"""Checks of every screen: it fits the window, logs nothing to the console, and axe-core finds no fault."""

from __future__ import annotations

import shutil
import subprocess
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
LEAST = 24  # pixels of what is pressed, WCAG 2.5.8

_RUN = """async ([tags, rules]) => {
  const { violations } = await axe.run(document, {
    runOnly: rules ? { type: "rule", values: rules } : { type: "tag", values: tags },
    rules: { "target-size": { enabled: true } },
    resultTypes: ["violations"],
  });
  const said = ({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 240)}`;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${said(node)}`.replace(/\\s+/g, " ")));
}"""
_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What stays at the window's edge while the page is scrolled must not lie upon what comes before it.
_COVERED = """() => [...document.querySelectorAll(".panel > .steps")].flatMap((bar) => {
  const before = [...bar.parentElement.children].slice(0, [...bar.parentElement.children].indexOf(bar));
  const { top } = bar.getBoundingClientRect();
  return before.filter((part) => part.getBoundingClientRect().bottom > top + 1)
    .map((part) => `${part.className} lies under the row of steps`);
})"""
# Points of a board that can be zoomed may be smaller: a tap comes nearer first.
_SMALL = """(least) => [...document.querySelectorAll("#board :not(.zoomable) > svg .hit")]
  .map((hit) => hit.getBoundingClientRect())
  .filter(({ width, height }) => Math.min(width, height) < least).length"""


def packages() -> Path:
    """The packages of ``package.json``, installed if they are not; without npm the test is skipped."""
    found = ROOT / "node_modules"
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so the client's types and accessibility cannot be checked")
    with (ROOT / "package.json").open() as data:
        flock(data, LOCK_EX)  # tests run side by side
        if not all((found / name).exists() for name in ("@biomejs/biome", "axe-core", "puppeteer-core", "typescript")):
            subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=ROOT, check=True, capture_output=True)
    return found


def watch(context: Any, faults: list[str]) -> None:
    """Collect the errors that the pages of a context report, breaches of the content security policy included."""

    grave, blocked = ("error", "warning"), "Service Worker registration blocked"  # by the contexts of most tests

    def listen(page: Any) -> None:
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: faults.append(said.text) if said.type in grave and blocked not in said.text else None,
        )

    context.on("page", listen)


def complaints(page: Any, *rules: str) -> list[str]:
    """The faults of the page as displayed. ``rules``: only these of axe-core."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((packages() / "axe-core/axe.min.js").read_text(encoding="utf-8") + ";0")
    found: list[str] = page.evaluate(_RUN, [TAGS, rules or None])
    wider, small = page.evaluate(_WIDER), page.evaluate(_SMALL, LEAST)
    if wider > 0:
        found.append(f"{wider} pixels wider than the window")
    found += page.evaluate(_COVERED)
    if small:
        found.append(f"{small} points are smaller than {LEAST} pixels")
    return found
