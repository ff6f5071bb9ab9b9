# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict

from .._json import Amount, Number


# The status of a payment. Fulfil an order when a webhook says `completed`.
PaymentStatus = Literal[
    "unlinked",
    "linked",
    "pending",
    "completed",
    "failed",
    "cancelled",
    "in-appeal",
]


# A currency that a payment can be charged in.
Currency = Literal[
    "PI",
    "USDC",
    "USDT",
    "CSK",
]


# Who pays the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee.
FeePayer = Literal[
    "merchant",
    "customer",
]


class CreatedPaymentData(TypedDict):
    id: str
    payment_reference: str
    amount: Number
    # PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that.
    currency: str
    payment_status: PaymentStatus
    payment_type: str
    created_at: str


class CreatedPayment(TypedDict):
    """A payment that was made: keep `payment_reference`, send the customer to `PaymentURL`."""

    PaymentData: CreatedPaymentData
    # Send the customer here.
    PaymentURL: str


class Price(TypedDict):
    """What is asked in the merchant's own money, in place of `amount`: it is paid in coins, at a
    rate that is fixed when they are chosen.
    """

    # A number or a decimal string, with at most the currency's minor digits.
    amount: Amount
    # An ISO 4217 code, such as EUR.
    currency: str


class Item(TypedDict):
    """One line of what is being bought, shown on the hosted page."""

    # What is bought.
    name: str
    price: Amount
    quantity: Amount


class ItemList(TypedDict):
    items: Sequence[Item]


class _PaymentInputRequired(TypedDict):
    payment_type: Literal["deposit"]


class PaymentInput(_PaymentInputRequired, total=False):
    """Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units;
    `price` takes its place.
    """

    # Amount to charge, in the currency itself; required where there is no `price`.
    amount: Amount
    price: Price
    # PI, USDC, USDT or CSK; required with `amount`. With `price`: what it is paid in, quoted at
    # once; without it the customer chooses.
    currency: Currency
    # What the customer may pay a `price` in. By default all that is offered and whose minimum the
    # price meets.
    currencies: Sequence[Currency]
    customer_email: str
    # The merchant's own name for the customer.
    customer_reference: str
    # Where the customer goes after paying.
    success_url: str
    # Where the customer goes when the payment failed or was cancelled.
    failure_url: str
    item_list: ItemList
    # Unique; generated when absent.
    payment_reference: str
    # A JSON object as a string, at most 8 KiB.
    meta_data: str
    fee_payer: FeePayer
    # Free text, stored with the payment.
    payment_note: str


class PaymentInfo(TypedDict):
    """The short public record of a payment. `amount` is a number, times are ISO 8601 UTC."""

    payment_reference: str
    amount: Number
    # PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that.
    currency: str
    payment_status: PaymentStatus
    created_at: str
    updated_at: str


class PaymentSummary(TypedDict):
    """A payment as `payments.list` returns it. Amounts are decimal strings; `reason` is why it has
    its status.
    """

    id: str
    payment_reference: str
    amount: str
    # PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that.
    currency: str
    payment_status: PaymentStatus
    reason: Optional[str]
    payment_type: str
    amount_due: Optional[str]
    service_fee: str
    fee_payer: FeePayer
    customer_email: Optional[str]
    customer_reference: Optional[str]
    success_url: Optional[str]
    failure_url: Optional[str]
    item_list: Optional[ItemList]
    meta_data: Optional[str]
    payment_note: Optional[str]
    payment_link: Optional[str]
    deadline: str
    created_at: str
    updated_at: str
    PaymentURL: Optional[str]


class QuoteSource(TypedDict):
    name: str
    rate: str
    at: str


class Quote(TypedDict):
    """What pays a `price`: `rate` is units of the price's currency for one of `currency`, with
    what each source said.
    """

    currency: Currency
    amount: str
    rate: str
    at: str
    sources: List[QuoteSource]


class Transfer(TypedDict):
    """A transfer that was seen for a payment; `amount` is a decimal string in `asset`."""

    transaction: str
    asset: str
    amount: str
    confirmations: int
    needed: int
    state: Literal["seen", "final", "gone"]
    network: str
    sender: Optional[str]
    transaction_url: Optional[str]
    sender_url: Optional[str]


class TimelineEntry(TypedDict):
    """One step in the life of a payment."""

    at: str
    status: PaymentStatus
    reason: Optional[str]


# The transfer by which you answer a refund of money that went to your own address: exactly this
# `amount`, from `from` to `to`.
PreparedTransfer = TypedDict(
    "PreparedTransfer",
    {
        "chain_id": int,
        # The token's contract: the transaction calls it.
        "token": str,
        # Your own address, at which the money is.
        "from": str,
        "to": str,
        "amount": str,
        # The call of `transfer`.
        "data": str,
        # The transfer as a link that wallets open, or read as a QR code (EIP-681).
        "link": str,
        # A file for the Transaction Builder of a Safe.
        "safe": str,
    },
)


class Refund(TypedDict):
    """A refund of a payment; amounts are decimal strings in `asset`. `claim_url` leads the
    customer to where they say where it goes.
    """

    id: str
    payment_reference: str
    status: Literal["awaiting_destination", "awaiting_approval", "awaiting_transfer", "queued", "sending", "completed", "cancelled", "rejected", "failed"]
    asset: str
    amount: str
    # What of it comes out of the fee.
    fee_returned: str
    to: Optional[str]
    memo: Optional[str]
    reason: Optional[str]
    claim_url: Optional[str]
    transfer: Optional[PreparedTransfer]
    transaction: Optional[str]
    failure: Optional[str]
    created_at: str
    completed_at: Optional[str]


class _PaymentRequired(TypedDict):
    id: str
    payment_reference: str
    amount: str
    # PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that.
    currency: str
    payment_status: PaymentStatus
    reason: Optional[str]
    payment_type: str
    amount_due: Optional[str]
    service_fee: str
    fee_payer: FeePayer
    customer_email: Optional[str]
    customer_reference: Optional[str]
    success_url: Optional[str]
    failure_url: Optional[str]
    item_list: Optional[ItemList]
    meta_data: Optional[str]
    payment_note: Optional[str]
    payment_link: Optional[str]
    deadline: str
    created_at: str
    updated_at: str
    PaymentURL: Optional[str]
    # Completed with less than was due, since what was missing was within the tolerance.
    short: bool
    amount_received: Optional[str]
    transfers: List[Transfer]
    timeline: List[TimelineEntry]
    refunds: List[Refund]


class Payment(_PaymentRequired, total=False):
    """Everything known of a payment. Amounts are decimal strings."""

    # Of one payment that is read or cancelled. `direct`: all its addresses pass what comes on to
    # your own.
    settlement: Literal["balance", "direct"]
    quote: Optional[Quote]


class PaymentRequest(TypedDict):
    """What the customer is asked to send to an address, signed by the installation."""

    # All that is due, a decimal without zeros at its end.
    amount: str
    reference: str
    # Unix time in seconds. It begins anew when the customer chooses.
    deadline: int
    # Four words that the page shows beside the address.
    words: str
    # The address of the key of the installation for requests.
    signer: str
    # Of that key, over address, asset, amount, reference and deadline (EIP-712).
    signature: str


class PaymentDestination(TypedDict):
    """An address of a payment, and by what it can be recomputed. `splitter` to `basis_points` are
    null where the money is credited to the balance.
    """

    asset: str
    chain_id: int
    address: str
    settlement: Literal["balance", "direct"]
    factory: str
    init_code_hash: str
    salt: str
    # Where the factory moves what comes there.
    destination: str
    splitter: Optional[str]
    merchant: Optional[str]
    host: Optional[str]
    basis_points: Optional[int]
    request: PaymentRequest


class RefundInput(TypedDict, total=False):
    """Body of `refunds.create`. Without `amount`: all that can be refunded; without `to` the
    customer is asked.
    """

    # A decimal string at the scale of the asset, or a JSON number; all that can be refunded, if
    # absent.
    amount: Amount
    # Of a payment with a price, in place of `amount`: so much of its price, at the rate of its
    # quote, rounded down.
    price_amount: Amount
    # An asset code; needed where the payment was paid in several.
    asset: str
    # The address; if absent the customer is asked.
    to: str
    memo: str
    reason: str
    # true: nothing is done. The answer is what the call would answer.
    dry_run: bool


# Which payments, and which page.
PaymentFilter = TypedDict(
    "PaymentFilter",
    {
        "status": PaymentStatus,
        # A coin or an ISO 4217 code: payments that are paid in it, or whose price is in it.
        "currency": str,
        # Payments of this customer alone.
        "customer_reference": str,
        # Payments made by the link with this id.
        "payment_link": str,
        # Created at or after this time. A date without a time is the beginning of its day, in UTC.
        "from": str,
        # Created before this time. A date without a time includes its whole day, in UTC.
        "to": str,
        # next_cursor of the page before.
        "cursor": str,
        "limit": int,
    },
    total=False,
)


class PaymentsDestinationsAnswer(TypedDict):
    items: List[PaymentDestination]
