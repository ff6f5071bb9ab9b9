"""Creates a payment, also where the answer of a try was lost together with its idempotency key."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Collection, List, Optional, Tuple, cast

from ._errors import FlorinError
from ._json import Amount, Number
from ._sender import Sender
from .models import CreatedPayment, Payment, PaymentInput

_TEXTS = (
    "payment_type",
    "customer_email",
    "customer_reference",
    "success_url",
    "failure_url",
    "meta_data",
    "payment_note",
)


class CreateResult(CreatedPayment):
    """A payment, and whether an earlier call had made it already."""

    replayed: bool


def create_payment(
    sender: Sender,
    name: str,
    *,
    body: PaymentInput,
    key: Optional[str],
    numbers: Collection[str],
) -> CreateResult:
    """Creates a payment, or finds the one that an earlier try made."""
    try:
        data, replayed = sender.send(name, body=body, key=key, numbers=numbers)
    except FlorinError as error:
        found = _find(sender, body, error)
        if found is None:
            raise
        return cast(CreateResult, {**found, "replayed": True})
    return cast(CreateResult, {**data, "replayed": replayed})


def _find(sender: Sender, body: PaymentInput, error: FlorinError) -> Optional[CreatedPayment]:
    """The payment that an earlier try of the same call made.

    A later try is refused because the reference exists. This happens only where a proxy drops the idempotency keys
    too. None for a payment that differs in anything from the input, or cannot be read.
    """
    reference = body.get("payment_reference")
    if error.status != 409 or error.tries < 2 or not reference:
        return None
    try:
        payment: Payment = sender.send("GET /payments/{payment_reference}", [reference]).data
    except FlorinError:
        return None
    url = payment["PaymentURL"]
    # A key that may create payments also gets the address.
    if url is None or not _is_made_of(payment, body):
        return None
    return {
        "PaymentData": {
            "id": payment["id"],
            "payment_reference": payment["payment_reference"],
            "amount": _number(_asked(body)[0]),
            "currency": payment["currency"],
            "payment_status": payment["payment_status"],
            "payment_type": payment["payment_type"],
            "created_at": payment["created_at"],
        },
        "PaymentURL": url,
    }


def _asked(body: PaymentInput) -> Tuple[Amount, str]:
    """What is asked: an amount, or a price."""
    price = body.get("price")
    if price:
        return price["amount"], price["currency"]
    return body.get("amount", 0), body.get("currency", "")


def _is_made_of(payment: Payment, body: PaymentInput) -> bool:
    amount, currency = _asked(body)
    if Decimal(payment["amount"]) != Decimal(str(amount)) or payment["currency"] != currency:
        return False
    quote = payment.get("quote")
    wanted = body.get("currency")
    if body.get("price") and wanted and (quote is None or quote["currency"] != wanted):
        return False
    if body.get("fee_payer") and body.get("fee_payer") != payment["fee_payer"]:
        return False
    if _lines(body) != _lines(payment):
        return False
    return all((body.get(field) or None) == payment.get(field) for field in _TEXTS)


def _lines(source: Any) -> Optional[List[Tuple[str, Decimal, Decimal]]]:
    listed = source.get("item_list")
    if not listed:
        return None
    return [
        (item["name"], Decimal(str(item["price"])), Decimal(str(item["quantity"])))
        for item in listed["items"]
    ]


def _number(amount: Amount) -> Number:
    return amount if isinstance(amount, int) else Decimal(amount)
