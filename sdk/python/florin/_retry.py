"""Which errors are tried again, and when."""

from __future__ import annotations

from ._errors import FlorinError

_FIRST_DELAY_SECONDS = 0.25
_LONGEST_BACKOFF_SECONDS = 8.0
# A longer Retry-After is raised as an error instead of waited for.
_LONGEST_RETRY_AFTER_SECONDS = 60


def can_retry(error: FlorinError) -> bool:
    """Whether the same request, sent again with the same Idempotency-Key, can succeed."""
    if (error.retry_after_seconds or 0) > _LONGEST_RETRY_AFTER_SECONDS:
        return False
    if error.status == 0 or error.status == 429 or error.status >= 500:
        return True
    return error.status == 409 and error.message == "Idempotency-Key is in use"


def retry_delay(error: FlorinError, retry: int, random: float) -> float:
    """How long to wait before retry number `retry` (from 0), in seconds.

    Doubled each time, drawn from the upper half of that span so that clients which failed together do not return
    together; never less than the gateway asked.
    """
    span = min(_LONGEST_BACKOFF_SECONDS, _FIRST_DELAY_SECONDS * 2.0**retry)
    return max(span / 2 + random * span / 2, float(error.retry_after_seconds or 0))
