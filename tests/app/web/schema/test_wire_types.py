"""The schema of the wire format is up to date, and describes every message."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import get_args

import jsonschema
import msgspec
import pytest

from helpers.support import ROOT
from komadai.app.web.schema import commands, events, json_schema

SCHEMA = ROOT / "docs/reference/wire.schema.json"


def test_the_schema_is_up_to_date() -> None:
    command = [sys.executable, ROOT / "tools/wire_types.py", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_the_schema_defines_every_type_once() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    names = [struct.__name__ for struct in json_schema.structs()]
    assert len({*names}) == len(names)
    assert {*schema["$defs"]} == {*names, *json_schema.MESSAGES}


@pytest.mark.parametrize("name", json_schema.MESSAGES)
def test_each_message_has_a_tag_of_its_own(name: str) -> None:
    tags = [kind.__struct_config__.tag for kind in get_args(json_schema.MESSAGES[name])]
    assert None not in tags
    assert len({*tags}) == len(tags)


def test_messages_are_distinguished_by_their_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    def fits(name: str, message: object) -> bool:
        validator = jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"})
        return bool(validator.is_valid(msgspec.json.decode(msgspec.json.encode(message))))

    ack = events.AckMessage("1", 2)
    assert fits("ServerMessage", ack)
    assert not fits("AnalysisMessage", ack)
    assert not fits("ServerMessage", events.AckMessage(1, "2"))  # type: ignore[arg-type]
    assert not fits("ServerMessage", {"t": "ack", "id": "1"})
    assert not fits("ServerMessage", {"t": "ack", "id": "1", "seq": 2, "more": 3})
    assert fits("ClientMessage", commands.MoveCommand("1", 2, "7g7f"))
    assert not fits("ClientMessage", commands.MoveCommand("no spaces", 2, "7g7f"))
