# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Literal, TypedDict

from .._json import Number


class _PaymentEventRequired(TypedDict):
    event_id: str
    payment_id: str
    currency: str
    amount: Number
    payment_reference: str
    payment_status: str
    # 0 where no fee is charged.
    service_fee: Number
    customer_email: str
    customer_reference: str
    integration_id: str
    event_type: Literal["payment_completed", "payment_failed", "payment_abandoned", "payment_linked", "payment_pending", "payment_cancelled", "payment_in_appeal", "payment_appeal_closed"]
    # When it happened, in Unix seconds.
    timestamp: int


class PaymentEvent(_PaymentEventRequired, total=False):
    """What happened to a payment. Fields without a value are empty texts."""

    # There only for a payment with a `price`, as the next ones.
    paid_asset: str
    paid_fee: str
    # Units of the price's currency for one of the quote's, as a string.
    rate: str
    # There only for a payment that was completed with less than was due, as `paid_amount`.
    short: bool
    # Of a payment with a `price` what its quote comes to; of one that was completed with less than
    # was due what came. A plain decimal number as a string.
    paid_amount: str


class _RefundEventRequired(TypedDict):
    event_id: str
    payment_id: str
    currency: str
    amount: Number
    payment_reference: str
    payment_status: str
    # 0 where no fee is charged.
    service_fee: Number
    customer_email: str
    customer_reference: str
    integration_id: str
    event_type: Literal["payment_refunded", "refund_created", "refund_failed"]
    # When it happened, in Unix seconds.
    timestamp: int
    refund_id: str
    refund_asset: str
    refund_amount: str


class RefundEvent(_RefundEventRequired, total=False):
    """What happened to a refund: the fields of its payment, then those of the refund."""

    # There only for a payment with a `price`, as the next ones.
    paid_asset: str
    paid_fee: str
    # Units of the price's currency for one of the quote's, as a string.
    rate: str
    # There only for a payment that was completed with less than was due, as `paid_amount`.
    short: bool
    # Of a payment with a `price` what its quote comes to; of one that was completed with less than
    # was due what came. A plain decimal number as a string.
    paid_amount: str


class PayoutEvent(TypedDict):
    """What happened to a payout. Fields without a value are empty texts."""

    event_id: str
    payout_id: str
    payout_reference: str
    purpose: str
    asset: str
    amount: str
    fee: str
    to: str
    memo: str
    payout_status: str
    transaction: str
    integration_id: str
    event_type: Literal["payout_awaiting_approval", "payout_completed", "payout_failed", "payout_cancelled"]
    # When it happened, in Unix seconds.
    timestamp: int


class WebhookEndpointDisabledEvent(TypedDict):
    """An endpoint that Florin turned off, as the other endpoints hear of it."""

    event_id: str
    integration_id: str
    event_type: Literal["webhook_endpoint_disabled"]
    # When it happened, in Unix seconds.
    timestamp: int
    endpoint_id: str
    url: str
    reason: str
    failing_since: str
