"""``python -m komadai.workshop`` in a checkout writes the schema of variant files anew."""

from pathlib import Path

from .schema import FILE, schema_text

Path(__file__).with_name(FILE).write_text(schema_text(), encoding="utf-8")
