"""Reads the gateway's envelope."""

from __future__ import annotations

import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional

from ._errors import FlorinError
from ._exchange import Answer
from ._json import loads


def read_envelope(answer: Answer) -> Any:
    """Takes `data` out of the gateway's envelope.

    Raises FlorinError for every status but 2xx, and for an answer that is not the gateway's.
    """
    envelope = _parse(answer.text)
    is_ok = 200 <= answer.status < 300
    if is_ok and envelope is not None:
        return envelope.get("data")
    text = answer.text
    # A connection that closes early can end a body without an error.
    if is_ok and (text == "" or (text.startswith("{") and not text.rstrip().endswith("}"))):
        raise FlorinError("The answer broke off", slug="network_error")
    raise _refusal(answer, {} if envelope is None else envelope, is_ok)


def _refusal(answer: Answer, envelope: Dict[str, Any], is_ok: bool) -> FlorinError:
    request_id = _text(envelope.get("request_id")) or answer.headers.get("x-request-id")
    retry_after = _retry_after(answer.headers.get("retry-after"))
    message = _text(envelope.get("message"))
    if message is None or is_ok:
        return FlorinError(
            f"The address answered {answer.status} but not as a Florin gateway does: check base_url",
            status=answer.status,
            slug="unexpected_response",
            request_id=request_id,
            retry_after_seconds=retry_after,
        )
    code, details = envelope.get("code"), envelope.get("details")
    slug = _text(envelope.get("error"))
    return FlorinError(
        message,
        status=answer.status,
        code=code if isinstance(code, int) and not isinstance(code, bool) else 0,
        slug="unknown" if slug is None else slug,
        details=details if isinstance(details, list) else [],
        request_id=request_id,
        retry_after_seconds=retry_after,
    )


def _parse(text: str) -> Optional[Dict[str, Any]]:
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "message" in value else None


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _retry_after(value: Optional[str]) -> Optional[int]:
    """Retry-After is either a number of seconds or an HTTP date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return int(value)
    try:
        at = parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError):
        return None
    return max(0, math.ceil(at - time.time()))
