"""One request and its whole answer."""

from __future__ import annotations

import http.client
import time
from socket import timeout as SocketTimeout
from typing import Mapping, NamedTuple, Optional
from urllib.parse import urlsplit

from ._errors import FlorinError


class Answer(NamedTuple):
    """A complete answer."""

    status: int
    headers: http.client.HTTPMessage
    text: str


def exchange(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    timeout_seconds: float,
    body: Optional[str] = None,
) -> Answer:
    """Sends one request and reads its whole answer. Redirects are not followed.

    Raises FlorinError `timeout` or `network_error`.
    """
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    end = time.monotonic() + timeout_seconds
    is_secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=timeout_seconds)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(
            method, target, body=None if body is None else body.encode(), headers=dict(headers)
        )
        return _read(connection, end)
    # Until Python 3.10 that of a socket is another one.
    except (TimeoutError, SocketTimeout) as cause:
        milliseconds = round(timeout_seconds * 1000)
        message = f"No answer from {origin} within {milliseconds} ms"
        raise FlorinError(message, slug="timeout") from cause
    except (OSError, http.client.HTTPException) as cause:
        message = f"Could not reach {origin}, or its answer broke off"
        raise FlorinError(message, slug="network_error") from cause
    finally:
        connection.close()


def _read(connection: http.client.HTTPConnection, end: float) -> Answer:
    # Kept: the connection forgets it when the answer closes it.
    socket = connection.sock
    socket.settimeout(_left(end))
    response = connection.getresponse()
    chunks = []
    while True:
        socket.settimeout(_left(end))
        chunk = response.read1(65536)
        if chunk == b"":
            break
        chunks.append(chunk)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return Answer(response.status, response.headers, b"".join(chunks).decode("utf-8", "replace"))


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
