"""Verifies webhooks."""

from __future__ import annotations

import math
import re
import time
from typing import List, Optional, Union, cast

from ._json import loads
from ._webhook_explain import Signature, explain, text_of
from ._webhook_parts import (
    ABSENT,
    Secrets,
    WebhookHeaders,
    _Absent,
    find_header,
    read_body,
    read_endpoint_secrets,
    read_secret_keys,
    refuse,
    require_header,
)
from .models import PaymentEvent, PayoutEvent, RefundEvent, WebhookEndpointDisabledEvent

#: The body of a webhook; `event_type` tells which. A later gateway may send types that this version does not know: they
#: are returned as they came, answer 200 and do nothing.
WebhookEvent = Union[PaymentEvent, RefundEvent, PayoutEvent, WebhookEndpointDisabledEvent]


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: WebhookHeaders,
    *,
    secret_key: Union[Secrets, _Absent] = ABSENT,
    endpoint_secret: Union[Secrets, _Absent] = ABSENT,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies that a webhook came from your gateway and returns its event (contract.md#webhooks).

    `body` is the body exactly as it came, not parsed. `secret_key` (`sk_...`) checks X-Signature and `endpoint_secret`
    (`whsec_...`) webhook-signature, which also stops replays: give both to have both checked. Each may be a list while
    it is being rolled. webhook-timestamp may be `tolerance_seconds` from `now`, which is in Unix seconds.

    Deliveries can repeat: process each `event_id` once.

    Raises WebhookVerificationError when it cannot be verified: answer 400.
    """
    secret_keys = read_secret_keys(secret_key)
    endpoint_secrets = read_endpoint_secrets(endpoint_secret)
    raw = read_body(body)

    signatures: List[Signature] = []
    if secret_keys is not None:
        signatures.append(_plain(secret_keys, headers))
    if endpoint_secrets is not None:
        signatures.append(_standard(endpoint_secrets, headers))
    if not signatures:
        refuse("no_secret", "Pass secret_key, endpoint_secret or both")

    fitting = [signature.fits(raw) for signature in signatures]
    for signature, is_right in zip(signatures, fitting):
        if not is_right:
            right = signatures[fitting.index(True)] if True in fitting else None
            raise explain(signature, right, raw)
    if endpoint_secrets is not None:
        timestamp = require_header(headers, "webhook-timestamp")
        _check_age(timestamp, tolerance_seconds, time.time() if now is None else now)
    return _read_event(raw, headers)


def _plain(keys: List[bytes], headers: WebhookHeaders) -> Signature:
    """X-Signature: over the body alone, keyed with the whole secret key."""
    given = [require_header(headers, "x-signature")]
    return Signature("X-Signature", "secret_key", given, keys)


def _standard(keys: List[bytes], headers: WebhookHeaders) -> Signature:
    """Standard Webhooks: over id, timestamp and body; one `v1,` signature for each valid secret."""
    event_id = require_header(headers, "webhook-id")
    timestamp = require_header(headers, "webhook-timestamp")
    listed = require_header(headers, "webhook-signature")
    # Repeated headers may be joined by commas; the gateway separates signatures by spaces.
    given = re.findall(r"(?<![^ ,])v1,([A-Za-z0-9_+/=-]+)", listed)
    head = f"{event_id}.{timestamp}.".encode("utf-8", "replace")
    return Signature("webhook-signature", "endpoint_secret", given, keys, head)


def _check_age(timestamp: str, tolerance_seconds: int, now: float) -> None:
    number = re.match(r"\s*([+-]?[0-9]+)", timestamp)
    if number is None:
        refuse("too_old", "webhook-timestamp is no time in Unix seconds")
    age = math.floor(now) - int(number[1])
    clock = f"{tolerance_seconds} s are allowed. If it is a true one, this machine's clock is"
    if age < -tolerance_seconds:
        refuse("too_new", f"The webhook's time lies {-age} s ahead, and {clock} behind")
    if age > tolerance_seconds:
        refuse(
            "too_old",
            f"The webhook was sent {age} s ago, and {clock} ahead, or something held it back",
        )


def _read_event(body: bytes, headers: WebhookHeaders) -> WebhookEvent:
    try:
        event = loads(text_of(body))
    except (ValueError, RecursionError):
        event = None
    is_event = isinstance(event, dict) and all(
        isinstance(event.get(field), str) for field in ("event_id", "event_type")
    )
    if not is_event:
        refuse("not_an_event", "The signature is right, but the body is not an event")
    announced = find_header(headers, "x-event-id")
    if announced is not None and announced != event["event_id"]:
        refuse("event_id_mismatch", "X-Event-Id is not the event_id of the body")
    return cast(WebhookEvent, event)
