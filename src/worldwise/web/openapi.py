"""The table of endpoints for programs: an OpenAPI description, made of the very records that check the inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import worldwise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.web.endpoint import Endpoint
    from worldwise.web.fields import Field

_ERROR = {
    "type": "object",
    "required": ["error", "where"],
    "properties": {
        "error": {"type": "string", "description": "What was expected, and what was found."},
        "where": {"type": "string", "description": "The input that is wrong, or the path."},
    },
}
_REFUSALS = {
    "400": "The input is not good.",
    "401": "The server asks for a token.",
    "500": "A fault of the program.",
    "503": "Too many others wait, or the time is over.",
}
_BODY_REFUSALS = {
    "408": "The body does not come.",
    "413": "The body is too long.",
    "415": "The body is of another type than application/json.",
}
_STEPS = (
    "As server-sent events: `waiting` (how many are ahead), `step` (each step of the search; the last is the answer), "
    "`end` or `error`."
)


def description(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document.

    >>> description([])["paths"]
    {}
    """
    return {
        "openapi": "3.1.0",
        "info": {"title": "worldwise", "version": worldwise.__version__, "license": {"name": "Apache-2.0"}},
        "paths": {endpoint.path: {endpoint.method.lower(): _operation(endpoint)} for endpoint in endpoints},
        "components": {"schemas": {"Error": _ERROR}},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    inputs = {"parameters": list(map(_parameter, endpoint.fields))}
    if endpoint.method == "POST":
        inputs = {"requestBody": _body(endpoint.fields)}  # type: ignore[dict-item]
    return {"summary": endpoint.about, **inputs, "responses": _responses(endpoint)}


def _parameter(field: Field) -> dict[str, Any]:
    about = {"description": field.about, "required": field.required}
    return {"name": field.name, "in": "query", **about, "schema": field.schema}


def _body(fields: tuple[Field, ...]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {field.name: {**field.schema, "description": field.about} for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    kind = "object" if endpoint.media == "application/json" else "string"
    answer = {endpoint.media: {"schema": {"type": kind}}, "text/event-stream": {"schema": {"type": "string"}}}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    told = {**_REFUSALS, "404": "What is asked about is not remembered."} if endpoint.remembers else _REFUSALS
    told = {**told, **_BODY_REFUSALS} if endpoint.method == "POST" else told
    refusals = {status: {"description": words, "content": error} for status, words in told.items()}
    return {"200": {"description": f"The answer. {_STEPS}", "content": answer}, **refusals}
