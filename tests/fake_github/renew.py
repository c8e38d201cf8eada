"""Renew openapi.json: what GitHub publishes about the calls that emberwatch makes, and no more.

    python tests/fake_github/renew.py

asks npm for the package @octokit/openapi (MIT), which carries GitHub's description of its REST API.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("openapi.json")
PACKAGE = "@octokit/openapi"
_REPOSITORY = "/repos/{owner}/{repo}"
#: Every call that harness/github makes.
CALLS = {
    "/user": ("get",),
    f"{_REPOSITORY}/issues": ("get", "post"),
    f"{_REPOSITORY}/issues/{{issue_number}}": ("patch",),
    f"{_REPOSITORY}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{_REPOSITORY}/issues/comments/{{comment_id}}": ("patch",),
    f"{_REPOSITORY}/pulls/{{pull_number}}": ("get",),
    f"{_REPOSITORY}/actions/workflows/{{workflow_id}}/runs": ("get",),
    f"{_REPOSITORY}/actions/runs/{{run_id}}": ("get",),
    f"{_REPOSITORY}/actions/runs/{{run_id}}/artifacts": ("get",),
    f"{_REPOSITORY}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ("get",),
}
#: What validates nothing.
_WORDS = {"description", "summary", "example", "examples", "externalDocs", "tags", "title"}


def slim(whole: dict[str, Any], version: str) -> dict[str, Any]:
    """Return the calls above and what they refer to, without the words."""
    paths = {
        path: {
            key: value
            for key, value in whole["paths"][path].items()
            if key in (*methods, "parameters")
        }
        for path, methods in CALLS.items()
    }
    components: dict[str, dict[str, Any]] = {}
    _gather(paths, whole["components"], components)
    info = {"title": f"{PACKAGE} {version}", "version": whole["info"]["version"]}
    return {
        "openapi": whole["openapi"],
        "info": {**info, "license": {"name": "MIT, Copyright (c) 2020 Octokit contributors"}},
        "servers": whole["servers"],
        "paths": _bare(paths),
        "components": _bare(components),
    }


def _gather(node: Any, source: dict[str, Any], found: dict[str, dict[str, Any]]) -> None:
    """Add to `found` every component that a node reaches, except through its examples."""
    if isinstance(node, list):
        for below in node:
            _gather(below, source, found)
    if not isinstance(node, dict):
        return
    reference = node.get("$ref")
    if isinstance(reference, str):
        _, _, kind, name = reference.split("/", 3)
        if name not in found.setdefault(kind, {}):
            found[kind][name] = source[kind][name]
            _gather(source[kind][name], source, found)
    for key, below in node.items():
        if key not in {"example", "examples"}:
            _gather(below, source, found)


def _bare(node: Any, *, names: bool = False) -> Any:
    """Return a node without words; where keys are names of the API, all of them stay.

    `nullable` beside an `enum` that lacks null would refuse the nulls that GitHub does send.
    """
    if isinstance(node, list):
        return [_bare(below) for below in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _bare(
            below, names=key in {"properties", "responses", "schemas", "parameters", "headers"}
        )
        for key, below in node.items()
        if names or not (key in _WORDS or key.startswith("x-"))
    }
    if kept.get("nullable") and isinstance(kept.get("enum"), list) and None not in kept["enum"]:
        kept["enum"] = [*kept["enum"], None]
    for answer in kept.get("responses", {}).values():
        if "$ref" not in answer:
            answer["description"] = ""  # the only word that OpenAPI demands
    return kept


def main() -> None:
    """Write openapi.json anew."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", PACKAGE]
        packed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        with tarfile.open(Path(folder) / packed.stdout.strip()) as archive:
            read = {
                name: json.load(archive.extractfile(f"package/{name}"))  # type: ignore[arg-type]
                for name in ("package.json", "generated/api.github.com.json")
            }
    document = slim(read["generated/api.github.com.json"], read["package.json"]["version"])
    TARGET.write_text(json.dumps(document, indent=0, separators=(",", ":")) + "\n", "utf-8")
    print(f"{TARGET}: {document['info']['title']}, {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
