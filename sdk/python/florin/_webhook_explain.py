"""The likeliest cause of a wrong signature."""

from __future__ import annotations

import base64
import hmac
import json
import re
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any, Callable, Iterable, List, Optional

from ._errors import WebhookVerificationError
from ._webhook_parts import from_base64


@dataclass(frozen=True)
class Signature:
    """One of the two signatures: the given ones, and how the right ones are computed."""

    header: str
    option: str
    given: List[str]
    keys: List[bytes]
    #: What is signed before the body.
    head: bytes = b""

    def sign(self, body: bytes) -> List[str]:
        """Base64, one for each secret."""
        message = self.head + body
        return [
            base64.b64encode(hmac.new(key, message, sha256).digest()).decode() for key in self.keys
        ]

    def fits(self, body: bytes) -> bool:
        """Whether one of the given signatures is that of the body."""
        return fits(self.sign(body), self.given)


def fits(expected: Iterable[str], given: Iterable[str]) -> bool:
    """Whether one of the given signatures is an expected one; all are compared, each in constant time."""
    pairs = [(one.encode(), other.encode("utf-8", "replace")) for one in expected for other in given]
    return any([hmac.compare_digest(one, other) for one, other in pairs])


def explain(wrong: Signature, right: Optional[Signature], body: bytes) -> WebhookVerificationError:
    """Tries what receivers are known to do to a body.

    It never makes a webhook valid: it only finds the message, which holds nothing of a secret.
    """
    header, option = wrong.header, wrong.option
    if right is not None:
        return WebhookVerificationError(
            "wrong_signature",
            f"{right.header} fits the body and {header} does not: the body is genuine, and {option} is an old one or "
            "of another integration, mode or endpoint",
        )
    spellings = [other for one in wrong.sign(body) for other in _other_spellings(one)]
    if fits(spellings, wrong.given):
        return WebhookVerificationError(
            "wrong_signature",
            f"{header} is right but not in standard base64: something changed it on its way",
        )
    for alteration in _ALTERATIONS:
        original = alteration.restore(body)
        if original is not None and wrong.fits(original):
            return WebhookVerificationError(alteration.reason, alteration.message)
    return WebhookVerificationError(
        "wrong_signature",
        f"{header} does not fit the body: check that {option} belongs to this integration and mode, and that the body "
        "is the raw one",
    )


def _other_spellings(signature: str) -> List[str]:
    """Base64url, and hexadecimal in both cases."""
    text = base64.b64decode(signature).hex()
    url = signature.replace("+", "-").replace("/", "_")
    return [text, text.upper(), url, url.rstrip("=")]


# The order in which the gateway writes the fields of each event: a receiver that serialises a map may have sorted them.
_FIRST = (
    "event_id,payment_id,currency,payout_id,payout_reference,purpose,asset,amount,payment_reference,payment_status,"
    "service_fee,customer_email,customer_reference,fee,to,memo,payout_status,transaction,integration_id,event_type,"
    "timestamp"
)
_PRICED = "paid_asset,paid_amount,paid_fee,rate,short"
_SHORT = "short,paid_amount"
_LAST = "refund_id,refund_asset,refund_amount,endpoint_id,url,reason,failing_since"


def _serialised_again(body: bytes) -> Optional[bytes]:
    try:
        event = json.loads(text_of(body), parse_int=float, parse_constant=_refuse)
        paid = _PRICED if "paid_asset" in event else _SHORT
        fields = f"{_FIRST},{paid},{_LAST}".split(",")
        return _write(event, fields).encode()
    except (ValueError, TypeError, RecursionError, OverflowError):
        return None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _write(value: Any, fields: List[str]) -> str:
    """JSON as the gateway writes it."""
    if isinstance(value, dict):
        members = [f'"{name}":{_write(value[name], fields)}' for name in fields if name in value]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_write(each, fields) for each in value) + "]"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """A number as ECMAScript writes it."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    shortest = Decimal(repr(abs(value))).normalize().as_tuple()
    digits = "".join(map(str, shortest.digits))
    point = len(digits) + int(shortest.exponent)
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def _latin1(body: bytes) -> Optional[bytes]:
    try:
        return text_of(body).encode("latin-1")
    except UnicodeEncodeError:
        return None


def text_of(body: bytes) -> str:
    """The text of UTF-8, without a byte order mark."""
    return re.sub("^\ufeff", "", body.decode("utf-8", "replace"))


@dataclass(frozen=True)
class _Alteration:
    restore: Callable[[bytes], Optional[bytes]]
    reason: str
    message: str


_ALTERATIONS = [
    _Alteration(
        _serialised_again,
        "body_parsed",
        "The body was parsed before verification and written as JSON again, which changed its bytes: verify the raw "
        "body, and parse it afterwards",
    ),
    _Alteration(
        lambda body: from_base64(text_of(body)),
        "body_decoded",
        "The body is still base64, as some serverless platforms hand it over: decode it first",
    ),
    _Alteration(
        _latin1,
        "body_decoded",
        "The body was decoded as Latin-1, but is UTF-8: pass the raw bytes",
    ),
]
