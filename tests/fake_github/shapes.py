"""The least that GitHub's description allows an answer to hold; tests say only what matters."""

from __future__ import annotations

from typing import Any

_TEXT = {
    "uri": "https://github.invalid/x",
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "email": "x@github.invalid",
}


_PLAIN: dict[str, Any] = {"array": [], "string": "x", "integer": 1, "number": 1, "boolean": False}


class Shapes:
    """Builds answers from an OpenAPI description."""

    def __init__(self, description: dict[str, Any]) -> None:
        """Take the whole description."""
        self.description = description

    def of(self, path: str, method: str = "get", status: str = "200") -> Any:
        """Return the least answer to a call."""
        answer = self._resolved(self.description["paths"][path][method]["responses"][status])
        return self._least(answer["content"]["application/json"]["schema"])

    def named(self, name: str, /, **values: Any) -> dict[str, Any]:
        """Return the least instance of a named schema, with some values in their places."""
        return {**self._least(self.description["components"]["schemas"][name]), **values}

    def _resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            found: Any = self.description
            for step in node["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            node = found
        return node

    def _least(self, schema: dict[str, Any]) -> Any:
        schema = self._resolved(schema)
        if schema.get("nullable"):
            return None
        if "enum" in schema:
            return schema["enum"][0]
        for choice in ("oneOf", "anyOf"):
            if choice in schema and schema.get("type") != "object":
                return self._least(schema[choice][0])
        if "allOf" in schema:
            parts = [self._least(part) for part in schema["allOf"]]
            return {key: value for part in parts for key, value in part.items()}
        kind = schema.get("type")
        if kind in _PLAIN:
            return _TEXT.get(schema.get("format", ""), _PLAIN[kind])
        known = schema.get("properties", {})
        return {name: self._least(known[name]) for name in schema.get("required", [])}
