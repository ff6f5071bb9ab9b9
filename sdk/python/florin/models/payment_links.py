# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict

from .._json import Amount
from .payments import Price, Currency


class PaymentLink(TypedDict):
    """A payment link. Amounts are decimal strings in `currency`."""

    id: str
    # Where customers pay.
    url: str
    # Only an active link takes payments.
    status: Literal["active", "used", "expired", "stopped"]
    title: str
    description: Optional[str]
    # That of the amounts: a coin, or the currency of the price.
    currency: str
    amount: Optional[str]
    # The coin that pays. Null: each customer of the price chooses it.
    paid_currency: Optional[Currency]
    # What customers of the price choose from. Null: all that is offered, or there is no choice.
    currencies: Optional[List[Currency]]
    min_amount: Optional[str]
    max_amount: Optional[str]
    one_use: bool
    success_url: Optional[str]
    expires_at: Optional[str]
    # How many of its payments were completed.
    uses: int
    # The amounts of its completed payments, as a plain decimal number.
    revenue: str
    created_at: str


class _PaymentLinkInputRequired(TypedDict):
    # What is paid for, as the customer reads it.
    title: str


class PaymentLinkInput(_PaymentLinkInputRequired, total=False):
    """Body of `paymentLinks.create`. Without `amount` the customer says how much."""

    # PI, USDC, USDT or CSK; required without `price`. With `price`: what it is paid in; without it
    # each customer chooses.
    currency: Currency
    # What every customer pays, as a decimal string or a number. Without it the customer says how
    # much.
    amount: Amount
    price: Price
    # What the customer may pay a `price` in. By default all that is offered and whose minimum the
    # price meets.
    currencies: Sequence[Currency]
    # The least that the customer may say. Not together with `amount`.
    min_amount: Amount
    # The most that the customer may say. Not together with `amount`.
    max_amount: Amount
    # One payment is completed by it, and no other.
    one_use: bool
    # More about it, for the customer.
    description: str
    # No payment is begun from this time on.
    expires_at: str
    # Where the customer goes after paying.
    success_url: str


class LinkFilter(TypedDict, total=False):
    """Which page of payment links."""

    cursor: str
    limit: int


class PaymentLinkChange(TypedDict):
    # false stops the link, true lets it take payments again.
    active: bool
