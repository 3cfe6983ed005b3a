"""The description of the HTTP interface is whole. That answers are as it says, all tests see (fitting.py)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import jsonschema
import schemathesis
from starlette.routing import Route

from helpers.web.fitting import OPERATIONS
from helpers.web.served import Server
from komadai.app.web.app import create_app
from komadai.app.web.http.openapi import document
from komadai.app.web.store import Store


def no_store() -> Store:
    raise NotImplementedError


def test_every_route_is_described_and_served(server: Server) -> None:
    routes = [route for route in create_app(no_store).routes if isinstance(route, Route)]
    found = {
        (method.upper(), route.path)
        for route in routes
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(route.endpoint, method)
    }
    assert found == {(one.method, one.path) for one in OPERATIONS}
    assert len(found) > 15
    answer = httpx.get(f"{server.url}/api/openapi.json")
    assert answer.json() == json.loads(json.dumps(document(OPERATIONS)))


def test_a_wrong_method_is_answered_with_all_that_are_right(server: Server) -> None:
    answer = httpx.delete(f"{server.url}/api/games")
    assert answer.status_code == 405
    assert answer.headers["allow"].split(", ") == ["GET", "HEAD", "POST"]
    assert httpx.get(f"{server.url}/api/records/read").status_code == 405, "though records have addresses like this"


def test_the_description_is_one() -> None:
    said = document(OPERATIONS)
    schemathesis.openapi.from_dict(said).validate()
    named = [one for path in said["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in named}) == len(OPERATIONS)
    assert all(one["summary"] for one in named)
    schemas: dict[str, Any] = said["components"]["schemas"]
    assert all(name.isidentifier() for name in schemas), "two types of one name"
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
