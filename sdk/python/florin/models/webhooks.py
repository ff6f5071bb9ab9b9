# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict



# What an endpoint can subscribe to; the first three are the default.
EventType = Literal[
    "payment_completed",
    "payment_failed",
    "payment_abandoned",
    "payment_linked",
    "payment_pending",
    "payment_cancelled",
    "payment_in_appeal",
    "payment_appeal_closed",
    "payment_refunded",
    "refund_created",
    "refund_failed",
    "payout_awaiting_approval",
    "payout_completed",
    "payout_failed",
    "payout_cancelled",
    "webhook_endpoint_disabled",
]


class StoredEvent(TypedDict):
    """An event as it is stored."""

    event_id: str
    event_type: EventType
    # Empty when the event is not of a payment.
    payment_reference: str
    # Empty when the event is not of a payout, or the payout has none.
    payout_reference: str
    # The event's number within its payment or payout, from 1; 0 when it is of neither.
    sequence: int
    created_at: str
    # The exact text that was, or would have been, sent.
    body: str


class ResentEvent(TypedDict):
    """An event that is sent again."""

    event_id: str
    # How many endpoints it goes to.
    count: int


class WebhookEndpoint(TypedDict):
    """A webhook endpoint, of the mode of its key."""

    id: str
    url: str
    # greenfield: a shop made it by the BTCPay door, and gets the webhooks of that API.
    format: Literal["florin", "greenfield"]
    events: List[Literal["payment_completed", "payment_failed", "payment_abandoned", "payment_linked", "payment_pending", "payment_cancelled", "payment_in_appeal", "payment_appeal_closed", "payment_refunded", "refund_created", "refund_failed", "payout_awaiting_approval", "payout_completed", "payout_failed", "payout_cancelled", "webhook_endpoint_disabled", "InvoiceCreated", "InvoiceReceivedPayment", "InvoiceProcessing", "InvoicePaymentSettled", "InvoiceSettled", "InvoiceExpired", "InvoiceExpiredPaidPartial", "InvoicePaidAfterExpiration", "InvoiceInvalid"]]
    status: Literal["active", "paused", "disabled"]
    created_at: str


class NewWebhookEndpoint(TypedDict):
    """An endpoint that was just made, or has a new secret: `secret` is never shown again."""

    id: str
    url: str
    # greenfield: a shop made it by the BTCPay door, and gets the webhooks of that API.
    format: Literal["florin", "greenfield"]
    events: List[Literal["payment_completed", "payment_failed", "payment_abandoned", "payment_linked", "payment_pending", "payment_cancelled", "payment_in_appeal", "payment_appeal_closed", "payment_refunded", "refund_created", "refund_failed", "payout_awaiting_approval", "payout_completed", "payout_failed", "payout_cancelled", "webhook_endpoint_disabled", "InvoiceCreated", "InvoiceReceivedPayment", "InvoiceProcessing", "InvoicePaymentSettled", "InvoiceSettled", "InvoiceExpired", "InvoiceExpiredPaidPartial", "InvoicePaidAfterExpiration", "InvoiceInvalid"]]
    status: Literal["active", "paused", "disabled"]
    created_at: str
    # whsec_ and base64; shown in this answer alone.
    secret: str


class _WebhookEndpointInputRequired(TypedDict):
    # Where webhooks go: on the public internet, and https in live mode.
    url: str


class WebhookEndpointInput(_WebhookEndpointInputRequired, total=False):
    """Body of `webhookEndpoints.create`."""

    # The events that are sent to the endpoint; by default payment_completed, payment_failed,
    # payment_abandoned.
    events: Sequence[EventType]


class WebhookEndpointChange(TypedDict, total=False):
    """The changes of an endpoint; absent fields stay as they are."""

    # Where webhooks go: on the public internet, and https in live mode.
    url: str
    # The events that are sent to the endpoint; by default payment_completed, payment_failed,
    # payment_abandoned.
    events: Sequence[EventType]
    status: Literal["active", "paused"]


class DeliveryAttempt(TypedDict):
    """One attempt to deliver an event."""

    at: str
    status_code: Optional[int]
    duration_ms: int
    error: Optional[str]
    response: Optional[str]


class Delivery(TypedDict):
    """The delivery of one event to one endpoint."""

    id: str
    event_id: str
    # held: the endpoint was paused or disabled when it happened; activating the endpoint sends it.
    status: Literal["pending", "held", "delivered", "failed"]
    attempts: List[DeliveryAttempt]
    next_attempt_at: Optional[str]


class Replay(TypedDict):
    """The progress of a replay of failed and missed events."""

    status: Literal["running", "done"]
    since: Optional[str]
    # How many deliveries were queued so far; when it is done: in all.
    count: int
    total: Optional[int]
    started_at: str
    finished_at: Optional[str]


class ReplayInput(TypedDict, total=False):
    """Body of `webhookEndpoints.replay`."""

    # Only what happened from this time on; absent: all.
    since: str
    # failed: deliveries that are not tried again by themselves. missed: those held for it. Absent:
    # both.
    only: Literal["failed", "missed"]


class EventFilter(TypedDict, total=False):
    """Which events, and which page."""

    type: EventType
    # next_cursor of the page before.
    cursor: str
    limit: int


class RollSecretInput(TypedDict, total=False):
    # How long the old secret goes on signing beside the new one.
    overlap_seconds: int


class PageFilter(TypedDict, total=False):
    """Which page of a list."""

    # next_cursor of the page before.
    cursor: str
    limit: int


class TestEventInput(TypedDict, total=False):
    event_type: EventType


class TestEvent(TypedDict):
    event_id: str
