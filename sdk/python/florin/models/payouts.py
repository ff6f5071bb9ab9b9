# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict

from .._json import Amount


# The status of a payout; `completed` once the chain shows that it is final.
PayoutStatus = Literal[
    "awaiting_approval",
    "queued",
    "sending",
    "completed",
    "cancelled",
    "rejected",
    "failed",
]


class OwnKeyIntegration(TypedDict):
    id: str
    name: str


class OwnKeyDailyLimit(TypedDict):
    asset: str
    limit: str
    left: str


class OwnKey(TypedDict):
    """What a key may do, how much, and until when."""

    id: str
    kind: Literal["signing", "restricted"]
    name: Optional[str]
    # The mode and the end of its secret.
    hint: str
    mode: Literal["test", "live"]
    integration: OwnKeyIntegration
    # Everything that it may do now.
    actions: List[Literal["create payments", "read payments", "cancel payments", "fund users", "read balances", "read events", "resend events", "manage webhooks", "use test mode calls", "make payouts", "make refunds"]]
    addresses: Optional[List[str]]
    daily_limits: Optional[List[OwnKeyDailyLimit]]
    # true: what it orders above its daily limits waits for a person's approval. false: that is
    # refused.
    asks_above: bool
    valid_until: Optional[str]


class PayoutApproval(TypedDict):
    by: str
    at: str


class Payout(TypedDict):
    """A payout. Amounts are decimal strings; `failure` also says what holds a queued one up."""

    id: str
    payout_reference: Optional[str]
    purpose: Literal["merchant_payout", "refund", "withdrawal", "fee_withdrawal", "unmatched_return", "user_funding"]
    status: PayoutStatus
    asset: str
    amount: str
    # What the operator charges beside the amount.
    fee: str
    to: str
    memo: Optional[str]
    description: Optional[str]
    approvals_needed: int
    approvals: List[PayoutApproval]
    transaction: Optional[str]
    failure: Optional[str]
    created_at: str
    sent_at: Optional[str]
    completed_at: Optional[str]


class _PayoutOrderInputRequired(TypedDict):
    # An asset code such as usdc-base or pi; in test mode also one of a test network.
    asset: str
    # A decimal string at the scale of the asset; a JSON number is taken too.
    amount: Amount
    # The address that gets exactly the amount.
    to: str


class PayoutOrderInput(_PayoutOrderInputRequired, total=False):
    """Body of `payouts.create`: a payout; with `dry_run` it is only judged."""

    memo: str
    # The merchant's own name for it.
    payout_reference: str
    description: str
    # true: nothing is done. The answer is what the call would answer.
    dry_run: bool


class PayoutBatchTotal(TypedDict):
    asset: str
    amount: str
    fee: str


class PayoutBatch(TypedDict):
    """Payouts that were ordered together, and what they take from the balance."""

    items: List[Payout]
    totals: List[PayoutBatchTotal]


class _PayoutInputRequired(TypedDict):
    # An asset code such as usdc-base or pi; in test mode also one of a test network.
    asset: str
    # A decimal string at the scale of the asset; a JSON number is taken too.
    amount: Amount
    # The address that gets exactly the amount.
    to: str


class PayoutInput(_PayoutInputRequired, total=False):
    """A payout as it is asked for. `amount` is a decimal string at the scale of the asset; `to`
    gets exactly that.
    """

    memo: str
    # The merchant's own name for it.
    payout_reference: str
    description: str


class _PayoutBatchInputRequired(TypedDict):
    payouts: Sequence[PayoutInput]


class PayoutBatchInput(_PayoutBatchInputRequired, total=False):
    """Body of `payouts.createBatch`."""

    # true: nothing is done. The answer is what the call would answer.
    dry_run: bool


class PayoutFee(TypedDict):
    """What a payout in one asset costs, and whether it can be ordered now."""

    asset: str
    fee: str
    minimum: str
    daily_limit: Optional[str]
    available: bool
    why: Optional[str]


class PayoutFilter(TypedDict, total=False):
    """Which payouts, and which page."""

    status: PayoutStatus
    asset: str
    cursor: str
    limit: int


class TopUpAddress(TypedDict):
    asset: str
    network: str
    address: str
    memo: Optional[str]
