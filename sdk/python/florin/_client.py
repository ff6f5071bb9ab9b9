"""The client of the merchant API."""

from __future__ import annotations

import re
import time
from typing import Any, Callable, Collection, Dict, cast

from ._errors import FlorinError
from ._exchange import exchange
from ._json import loads
from ._sender import Sender
from .calls import Calls


class Client(Calls):
    """A client of one integration and mode. It keeps no connection and no state: make one and share it."""

    def __init__(
        self,
        *,
        secret_key: str,
        base_url: str,
        timeout_seconds: float = 30.0,
        deadline_seconds: float = 120.0,
        max_retries: int = 2,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Makes a client.

        `secret_key` is the integration's key of one mode, `sk_test_...` or `sk_live_...`: keep it on the server.
        `base_url` is where the gateway listens. A try may take `timeout_seconds`, and a call with all its tries and
        the waits between them `deadline_seconds`; it is tried again up to `max_retries` times after a fault that can
        pass. `sleep` replaces the wait between two tries, so that tests need not wait.

        Raises ValueError for a key or an address that cannot be right.
        """
        sender = Sender(
            base_url=_check_base_url(base_url),
            secret_key=_check_secret_key(secret_key),
            timeout_seconds=timeout_seconds,
            deadline_seconds=deadline_seconds,
            max_retries=max_retries,
            sleep=sleep,
        )
        super().__init__(sender)

    def health(self) -> Dict[str, str]:
        """`{"status": "ok"}` while the gateway's process runs. No key is sent, and it is tried once."""
        return cast(Dict[str, str], self._ask("/health", (200,)))

    def ready(self) -> Dict[str, Any]:
        """Whether the gateway can take payments, and what it waits for if it cannot, which is no error."""
        return cast(Dict[str, Any], self._ask("/ready", (200, 503)))

    def _ask(self, path: str, statuses: Collection[int]) -> Any:
        sender = self._sender
        url = sender.base_url + path
        answer = exchange("GET", url, headers={}, timeout_seconds=sender.timeout_seconds)
        try:
            if answer.status in statuses:
                return loads(answer.text)
        except ValueError:
            pass  # A gateway answers JSON.
        message = f"{path} answered {answer.status}, but not as a Florin gateway does: check base_url"
        raise FlorinError(message, status=answer.status, slug="unexpected_response")


def _check_secret_key(secret_key: str) -> str:
    # A key that is read from a file often has a line break at its end.
    key = str(secret_key).strip()
    if re.fullmatch(r"sk_(test|live)_[A-Za-z0-9_]+", key):
        return key
    raise ValueError("secret_key must be a key that starts with sk_test_ or sk_live_")


def _check_base_url(base_url: str) -> str:
    if re.fullmatch(r"https?://[^/?#\s]+[^?#\s]*", base_url):
        return base_url.rstrip("/")
    raise ValueError("base_url must be an http or https address, such as https://pay.example.com")
