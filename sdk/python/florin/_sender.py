"""Sends requests to the gateway, and tries again where that helps."""

from __future__ import annotations

import random
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Collection, List, Mapping, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import quote, urlencode

from ._errors import FlorinError
from ._exchange import exchange
from ._json import dumps
from ._pages import Page
from ._response import read_envelope
from ._retry import can_retry, retry_delay


class Answered(NamedTuple):
    """The `data` of an answer; `replayed` when an earlier call with the same key had its effect already."""

    data: Any
    replayed: bool


@dataclass(frozen=True)
class Sender:
    """The only sender of requests.

    It tries again after network errors, timeouts, 429, 5xx and while the same write is in progress; a write carries
    the same Idempotency-Key every time, so that it takes effect once.
    """

    base_url: str
    secret_key: str
    timeout_seconds: float
    deadline_seconds: float
    max_retries: int
    sleep: Callable[[float], None]

    def send(
        self,
        name: str,
        path: Sequence[str] = (),
        *,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[Mapping[str, object]] = None,
        key: Optional[str] = None,
        numbers: Collection[str] = (),
    ) -> Answered:
        """Performs a call such as `PUT /payment/create`."""
        method, template = name.split(" ")
        url = self.base_url + _fill(template, path) + _query(query or {})
        headers = {"Authorization": f"Bearer {self.secret_key}", "Accept": "application/json"}
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4()) if key is None else key
        text = None if body is None else dumps(body, numbers)
        if text is not None:
            headers["Content-Type"] = "application/json"
        return self._try(method, url, headers, text)

    def _try(
        self, method: str, url: str, headers: Mapping[str, str], body: Optional[str]
    ) -> Answered:
        deadline = time.monotonic() + self.deadline_seconds
        tries = 1
        while True:
            try:
                limit = max(0.001, min(self.timeout_seconds, deadline - time.monotonic()))
                answer = exchange(method, url, headers=headers, body=body, timeout_seconds=limit)
                replayed = answer.headers.get("idempotent-replayed") == "true"
                return Answered(read_envelope(answer), replayed)
            except FlorinError as error:
                error.tries = tries
                error.idempotency_key = headers.get("Idempotency-Key")
                wait = retry_delay(error, tries - 1, random.random())
                is_late = time.monotonic() + wait >= deadline
                if tries > self.max_retries or not can_retry(error) or is_late:
                    raise
            self.sleep(wait)
            tries += 1


class Resource:
    """Calls that belong together."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(self, name: str, *path: str, **parts: Any) -> Any:
        return self._sender.send(name, path, **parts).data

    def _page(self, name: str, *path: str, **parts: Any) -> Page[Any]:
        data = self._call(name, *path, **parts)
        return Page(data["items"], data.get("next_cursor"))


def _fill(template: str, values: Sequence[str]) -> str:
    left = list(values)

    def part(match: "re.Match[str]") -> str:
        value = left.pop(0)
        # A path with an empty part or dots would lead to another call.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f'{match[1]} must be a text that is not empty, "." or ".."')
        return quote(value, safe="!~*'()")

    return re.sub(r"\{(\w+)\}", part, template)


def _query(query: Mapping[str, object]) -> str:
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs.extend((name, str(each)) for each in values)
    return f"?{urlencode(pairs)}" if pairs else ""
