"""A GitHub REST API on a local port: it remembers, pages, limits, and plays back faults.

Every request, and every answer of its own, is held against GitHub's published description
(openapi.json): what that does not allow is a 422, and a violation that fails the test.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from fake_github.shapes import Shapes
from fake_github.state import State
from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

DESCRIPTION = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
#: Where an answer has its list, if it is no list itself.
_LISTS = {"artifacts", "workflow_runs"}
_JSON = "application/json"


@cache
def _api() -> OpenAPI:
    return OpenAPI.from_dict(DESCRIPTION)


@dataclass
class Fault:
    """An answer that stands in for the real one, once."""

    status: int
    headers: dict[str, str]
    body: Any
    match: str
    #: Is the request carried out all the same? A gateway may fail after GitHub did the work.
    done: bool


@dataclass
class Call:
    """One request that was made."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    def __str__(self) -> str:
        """Return `GET /path`."""
        return f"{self.method} {self.path}"


class _Request:
    """A request as openapi-core wants it."""

    host_url = "https://api.github.com"

    def __init__(self, call: Call) -> None:
        self.method, self.path, self.body = call.method.lower(), call.path, call.body or None
        self.content_type = call.headers.get("Content-Type", _JSON).split(";")[0]
        query = ImmutableMultiDict(call.query)
        header = Headers(list(call.headers.items()))
        self.parameters = RequestParameters(query=query, header=header)


@dataclass
class _Response:
    """An answer as openapi-core wants it."""

    status_code: int
    data: bytes
    headers: Headers
    content_type: str = _JSON


@dataclass
class FakeGitHub:
    """The service; `with FakeGitHub() as fake:` serves `fake.base`."""

    state: State = field(default_factory=lambda: State(Shapes(DESCRIPTION)))
    limit: int = 5000
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take a free port."""
        self.remaining, self.reset, self.lock = self.limit, 0, threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # an answer in one write: two small ones wait for each other

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def any_method(self) -> None:
                fake._serve(self)

            do_GET = do_POST = do_PATCH = any_method  # noqa: N815 (http.server calls these)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.state.base = self.base

    def __enter__(self) -> Self:
        """Start to serve."""
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self.server.shutdown()
        self.server.server_close()

    def fault(
        self,
        status: int,
        message: str = "fault",
        *,
        times: int = 1,
        match: str = "",
        done: bool = False,
        **headers: str,
    ) -> None:
        """Answer the next `times` requests that hold `match` with an error; retry_after="2"."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = {"message": message, "documentation_url": "https://docs.github.invalid"}
        self.faults += [Fault(status, named, body, match, done) for _ in range(times)]

    def made(self, method: str) -> list[Call]:
        """Return the requests of a method."""
        return [call for call in self.calls if call.method == method]

    @property
    def writes(self) -> list[str]:
        """Return the requests that write, in order."""
        return [str(call) for call in self.calls if call.method != "GET"]

    # --- one request --------------------------------------------------------------------------

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        address = urlsplit(handler.path)
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length) if length else b""
        query = dict(parse_qsl(address.query, keep_blank_values=True))
        call = Call(handler.command, address.path, query, dict(handler.headers.items()), body)
        with self.lock:
            self.calls.append(call)
            status, answer, headers = self._answer(call)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        handler.send_response(status)
        counted = {
            "x-ratelimit-limit": self.limit,
            "x-ratelimit-remaining": max(0, self.remaining),
            "x-ratelimit-reset": self.reset,
        }
        for name, value in {"content-type": _JSON, **counted, **headers}.items():
            handler.send_header(name, str(value))
        handler.send_header("content-length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _answer(self, call: Call) -> tuple[int, Any, dict[str, str]]:
        for fault in self.faults:
            if fault.match in str(call):
                self.faults.remove(fault)
                if fault.done:
                    self.state.answer(call)
                return fault.status, fault.body, fault.headers
        if call.path.startswith("/blob/"):  # another host in reality: it knows no token
            assert "Authorization" not in call.headers
            return 200, self.state.blob(call.path), {"content-type": "application/zip"}
        self.remaining -= 1
        if self.remaining < 0:
            return 403, {"message": "API rate limit exceeded for installation ID 1."}, {}
        if wrong := self._wrong(call):
            return 422, {"message": "Validation Failed", "errors": [{"message": wrong}]}, {}
        status, answer, headers = self.state.answer(call)
        if isinstance(answer, list) or _LISTS & answer.keys():
            answer, headers = self._page(call, answer)
        self._check(call, status, answer, headers)
        return status, answer, headers

    def _wrong(self, call: Call) -> str:
        """Return what GitHub's description forbids in a request; empty when it is allowed."""
        try:
            _api().validate_request(_Request(call))
        except Exception as error:  # noqa: BLE001 (whatever openapi-core finds)
            wrong = f"{call}: {type(error).__name__}: {error} {error.__cause__}"
            self.violations.append(wrong)
            return wrong
        return ""

    def _check(self, call: Call, status: int, answer: Any, headers: dict[str, str]) -> None:
        """Hold an answer of the fake's own against the description."""
        response = _Response(status, json.dumps(answer).encode(), Headers(headers))
        try:
            _api().validate_response(_Request(call), response)
        except Exception as error:  # noqa: BLE001 (whatever openapi-core finds)
            self.violations.append(f"answer {status} to {call}: {error} {error.__cause__}")

    def _page(self, call: Call, answer: Any) -> tuple[Any, dict[str, str]]:
        """Return one page of a list, and where the next one is."""
        key = "" if isinstance(answer, list) else next(iter(_LISTS & answer.keys()))
        items = answer[key] if key else answer
        size = min(100, int(call.query.get("per_page", 30)))
        page = int(call.query.get("page", 1))
        last = max(1, -(-len(items) // size))
        shown = items[(page - 1) * size : page * size]
        places = {"next": page + 1, "last": last} if page < last else {}
        links = [
            f'<{self.base}{call.path}?{urlencode({**call.query, "page": to})}>; rel="{name}"'
            for name, to in places.items()
        ]
        whole = {**answer, key: shown} if key else shown
        return whole, {"link": ", ".join(links)} if links else {}
