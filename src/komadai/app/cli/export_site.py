"""``komadai export-site``: a static folder that plays in the browser without a server."""

from __future__ import annotations

from pathlib import Path

import click

from .base import Command
from .files import File, Use, refused
from .options import force, output, say


@click.command("export-site", cls=Command, variant_files=False)
@output(
    "A new or empty folder, or that of a former export, which is resumed, or with --force brought up to date.",
    Use.FOLDER,
    metavar="FOLDER",
    required=True,
)
@click.option(
    "--core", type=File(Use.READS), metavar="FILE", help="The core built for Pyodide; otherwise pip takes it."
)
@click.option(
    "--pyodide",
    type=File(Use.READS),
    metavar="FOLDER",
    help="A folder with the npm package pyodide; otherwise npm takes it.",
)
@force
def export_site(output: Path, core: Path | None, pyodide: Path | None, force: bool) -> None:
    """Write Komadai as a folder for any web host: it plays all games with the engine in the browser, offline, too."""
    from ..site.export import export
    from ..site.export.folder import Folder
    from ..site.export.running import megabytes

    if Folder.at(output).finished and not force:
        raise refused("--output", output, "holds an export already; --force brings it up to date")
    made = export(output, core=core, pyodide=pyodide, say=say)
    for name, size in made.sizes.items():
        print(f"{megabytes(size):>8}  {name}")
    first = sum(made.sizes.values())
    print(f"{megabytes(first):>8}  a first visit; {megabytes(made.on_demand)} more on demand")
    print(f"{output}: version {made.version}, ready for any web host")
