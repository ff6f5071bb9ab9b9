"""The errors of the SDK."""

from __future__ import annotations

from typing import List, Optional, TypedDict


class ErrorDetail(TypedDict):
    """One wrong field of a request, when the gateway names several."""

    field: str
    message: str


class FlorinError(Exception):
    """A call that did not succeed.

    `message` and `slug` are the gateway's own (contract.md#answers). When no usable answer came, `status` and `code`
    are 0 and `slug` is `network_error` or `timeout`; an answer that is not the gateway's (a proxy's page, a redirect)
    keeps its status and has the slug `unexpected_response`.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: int = 0,
        slug: str,
        details: Optional[List[ErrorDetail]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: HTTP status, or 0 when there was no answer.
        self.status = status
        #: The gateway's stable number for this error.
        self.code = code
        #: The gateway's stable name for this error (`error` in its body).
        self.slug = slug
        #: The wrong fields, when there are several.
        self.details = details or []
        #: Quote it when you ask the operator about this call.
        self.request_id = request_id
        #: Set when the gateway said how long to wait.
        self.retry_after_seconds = retry_after_seconds
        #: How many requests were sent.
        self.tries = 1
        #: The key that a write was sent with: the same call with it takes effect once, however often it is sent.
        self.idempotency_key: Optional[str] = None


class WebhookVerificationError(Exception):
    """A webhook that could not be verified: answer 400.

    `message` says what to correct if it was genuine, and holds nothing of a secret. `reason` is one of `no_secret`,
    `bad_secret`, `body_missing`, `body_parsed`, `body_decoded`, `missing_header`, `wrong_signature`, `too_old`,
    `too_new`, `not_an_event` and `event_id_mismatch`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class DestinationError(Exception):
    """An address of a payment that is not the one that follows from what was agreed on.

    `message` says what differs. `reason` is one of `bad_terms`, `other_settlement`, `other_merchant`, `other_host`,
    `other_basis_points`, `other_treasury` and `other_address`: then it follows from nothing that was agreed on.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
