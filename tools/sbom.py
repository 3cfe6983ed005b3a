"""Write the bill of materials of a wheel, as CycloneDX: what it contains, and what ``pip install komadai[app]`` brings.

    python tools/sbom.py WHEEL FILE

The wheel goes into a new environment, whose packages cyclonedx-py lists with their versions and licences. What the
wheel contains stands in docs/reference/licences.md; the versions of what is compiled into it stand in its notices.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/licences.md"
PURLS = {
    "nanobind": "pkg:pypi/nanobind@{}",
    "tsl::robin_map": "pkg:github/tessil/robin-map@v{}",
    "ts-fsrs": "pkg:npm/ts-fsrs@{}",
}


class Part(NamedTuple):
    """Something of others that a wheel contains: a row of the page of licences."""

    name: str
    where: str
    licence: str
    notice: str


def parts() -> list[Part]:
    """What every wheel contains."""
    table = PAGE.read_text(encoding="utf-8").partition("| what | where |")[2].partition("\n\n")[0]
    return [Part(*(cell.strip() for cell in row.strip("|").split("|"))) for row in table.splitlines()[2:]]


def component(part: Part, wheel: ZipFile) -> dict[str, Any]:
    """A part as CycloneDX has it, with its version where the wheel says it."""
    made = {
        "type": "library" if part.name in PURLS else "data",
        "bom-ref": part.name,
        "name": part.name,
        "description": part.where.replace("`", ""),
        "licenses": [{"license": {"id": part.licence}}],
    }
    if part.name in PURLS:
        first, *_ = wheel.read(part.notice.strip("`")).decode().split("\n")
        version = first.removeprefix(f"{part.name} ")
        made |= {"version": version, "purl": PURLS[part.name].format(version)}
    return made


def installed(wheel: Path) -> dict[str, Any]:
    """The bill of an environment with the wheel and its extra."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder)
        python = Path(folder, "bin/python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", f"{wheel.absolute()}[app]"]
        subprocess.run(pip, check=True)
        listing = [sys.executable, "-m", "cyclonedx_py", "environment", python]
        found: dict[str, Any] = json.loads(subprocess.run(listing, check=True, capture_output=True).stdout)
    return found


def bill(wheel: Path) -> dict[str, Any]:
    """The bill of a wheel."""
    found = installed(wheel)
    own = next(one for one in found["components"] if one["name"] == "komadai")
    found["components"].remove(own)
    own |= {"type": "application", "purl": f"pkg:pypi/komadai@{own['version']}"}
    own["externalReferences"] = [one for one in own["externalReferences"] if one["type"] != "distribution"]
    with ZipFile(wheel) as archive:
        own["components"] = [component(part, archive) for part in parts()]
    found["metadata"]["component"] = own
    return found


def main() -> None:
    """Write the bill of the wheel of the command line.

    Raises:
        SystemExit: it is not what the schema of CycloneDX says.
    """
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wheel, target = map(Path, sys.argv[1:])
    text = json.dumps(bill(wheel), indent=2, ensure_ascii=False) + "\n"
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"sbom: {fault}")
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
