"""Write the notices of the code that is compiled into the core, nanobind and the robin_map within it, into a folder.

CMakeLists.txt runs this with the interpreter that it builds for; the notices are installed beside the core.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import files, version
from pathlib import Path


def notices() -> dict[str, str]:
    """The notices by the names of their files; the first line of each has the name and the version.

    Raises:
        LookupError: this nanobind does not have them where they are expected.
    """
    found = {path.name: Path(str(path.locate())) for path in files("nanobind") or ()}
    try:
        licence, header, policy = (
            found[name].read_text(encoding="utf-8") for name in ("LICENSE", "robin_map.h", "robin_growth_policy.h")
        )
    except KeyError as missing:
        raise LookupError(f"nanobind has no file {missing}") from None
    comment = re.match(r"/\*\*\n(.*?)\n \*/", header, re.DOTALL)
    if comment is None:
        raise LookupError("robin_map.h does not begin with its licence")
    robin_map = "\n".join(line.removeprefix(" *").removeprefix(" ") for line in comment[1].split("\n"))
    numbers = re.findall(r"#define TSL_RH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", policy)
    if len(numbers) != 3:
        raise LookupError("robin_growth_policy.h does not say its version")
    return {
        "nanobind.txt": f"nanobind {version('nanobind')}\n\n{licence}",
        "robin_map.txt": f"tsl::robin_map {'.'.join(numbers)}\n\n{robin_map}\n",
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in notices().items():
        (folder / name).write_text(text, encoding="utf-8")
