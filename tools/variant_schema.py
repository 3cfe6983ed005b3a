"""Write ``src/komadai/workshop/variant.schema.json``, the schema of variant files, from the dataclasses of the spec."""

from __future__ import annotations

from pathlib import Path

from komadai.workshop.schema import FILE, schema_text

PATH = Path(__file__).parent.parent / "src" / "komadai" / "workshop" / FILE

if __name__ == "__main__":
    PATH.write_text(schema_text(), encoding="utf-8")
