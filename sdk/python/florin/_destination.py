"""Computes the addresses of payments, and verifies those that were answered."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Tuple, TypedDict, Union

from ._errors import DestinationError
from ._keccak import keccak256


class AgreedSplit(TypedDict):
    """What you agreed on with the host of a direct settlement: your own address, the host's, and its part (0 to 9999)."""

    merchant: str
    host: str
    basis_points: int


class AgreedTreasury(TypedDict):
    """The host's treasury, for payments that are credited to your balance."""

    treasury: str


AgreedDestination = Union[AgreedSplit, AgreedTreasury]

# Florin's contracts that make addresses, the same on every chain, and the hashes of what they deploy (docs/contracts.md).
# Nothing of it is taken from an answer.
_DEPOSITS = (
    "2158bc18268f69579527b7ee9781262ef8874155",
    "c9233e36fb90bdde9483034100e663235c917969b23760331c3cc40645e512b7",
)
_SPLITTERS = (
    "90df07a377585af9bf39438afd57c720a73535b5",
    "9596d81464e6d10ca592e6f18e01395efa40b4356ef003aeee999358a215de30",
)


def destination_address(payment_id: str, agreed: AgreedDestination) -> str:
    """The address of a payment (`PaymentData.id`) on every EVM chain, with its checksum.

    It is computed from what you agreed on alone (docs/direct-settlement.md). Raises DestinationError `bad_terms`.
    """
    digits = re.sub(r"\A(.{8})-(.{4})-(.{4})-(.{4})-", r"\1\2\3\4", str(payment_id).lower())
    if re.fullmatch(r"[0-9a-f]{32}", digits) is None:
        raise DestinationError("bad_terms", "payment_id is not the id of a payment")
    return _checksummed(_made(_DEPOSITS, _goal(agreed), digits))


def verify_destination(payment_id: str, destination: Mapping[str, Any], agreed: AgreedDestination) -> bool:
    """Verifies that money sent to an address of a payment can go nowhere but where you agreed with the host.

    `payment_id` is `PaymentData.id`, `destination` one of the `items` of `payments.destinations` or `{"address": ...}` as a
    page shows it, and `agreed` what you know and not what the gateway answers. The address is computed anew. Of the answer
    nothing is believed: its other fields only tell what differs (contract.md#direct).

    Returns True. Raises DestinationError when it is another address: do not send the customer to it.
    """
    expected = destination_address(payment_id, agreed)
    given = destination.get("address")
    if _is_same(given, expected):
        return True
    terms: Mapping[str, Any] = agreed
    parts: List[Tuple[str, str, Any, Any]]
    if "treasury" in terms:
        parts = [
            ("other_settlement", "settlement", "balance", destination.get("settlement")),
            ("other_treasury", "treasury", terms["treasury"], destination.get("destination")),
        ]
    else:
        parts = [
            ("other_settlement", "settlement", "direct", destination.get("settlement")),
            ("other_merchant", "merchant", terms["merchant"], destination.get("merchant")),
            ("other_host", "host", terms["host"], destination.get("host")),
            ("other_basis_points", "basis points", terms["basis_points"], destination.get("basis_points")),
        ]
    wrong = [part for part in parts if part[3] is not None and not _is_same(part[2], part[3])]
    reason, name, agreed_on, answered = (wrong or [("other_address", "address", expected, given)])[0]
    raise DestinationError(reason, f"The {name} should be {agreed_on} and is {answered}")


def _is_same(one: object, other: object) -> bool:
    return str(one).lower() == str(other).lower()


def _made(factory: Tuple[str, str], *words: str) -> str:
    """CREATE2 (EIP-1014), with the hash of the words as its salt."""
    address, code_hash = factory
    salt = _keccak("".join(word.rjust(64, "0") for word in words))
    return _keccak("ff" + address + salt + code_hash)[24:]


def _keccak(digits: str) -> str:
    return keccak256(bytes.fromhex(digits)).hex()


def _goal(agreed: Mapping[str, Any]) -> str:
    """Where the money of the address goes: the splitter or the treasury."""
    if "treasury" in agreed:
        return _read_address(agreed["treasury"], "treasury")
    points = agreed.get("basis_points")
    if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= 9999:
        raise DestinationError("bad_terms", "basis_points must be from 0 to 9999")
    sides = [_read_address(agreed.get(name), name) for name in ("merchant", "host")]
    return _made(_SPLITTERS, *sides, format(points, "x"))


def _read_address(text: object, name: str) -> str:
    match = re.fullmatch(r"0x([0-9a-fA-F]{40})", str(text))
    if match is None or set(match[1]) == {"0"}:
        raise DestinationError("bad_terms", f"{name} is not an address")
    digits = match[1]
    is_mixed = digits not in (digits.lower(), digits.upper())
    if is_mixed and _checksummed(digits.lower()) != text:
        raise DestinationError("bad_terms", f"{name} has a wrong checksum")
    return digits.lower()


def _checksummed(digits: str) -> str:
    """The mixed case that wallets check (EIP-55)."""
    digest = keccak256(digits.encode()).hex()
    return "0x" + "".join(digit.upper() if mark >= "8" else digit for digit, mark in zip(digits, digest))


def payment_words(
    payment_id: str, agreed: AgreedDestination, *, chain_id: int, asset: str, amount: str, reference: str
) -> str:
    """The four words that the payment's page shows beside the address, made of what you know.

    Show them on your own page, so that customers can compare (docs/direct-settlement.md). `amount` is all that is due:
    `amount_due` of `payments.get`. They are the first 64 bits of what the gateway signs (EIP-712), the deadline as 0.

    Raises DestinationError `bad_terms`.
    """
    match = re.fullmatch(r"0*([0-9]+)(?:\.([0-9]*?)0*)?", str(amount))
    if match is None:
        raise DestinationError("bad_terms", "amount is not a decimal")
    decimal = match[1] + ("." + match[2] if match[2] else "")
    address = destination_address(payment_id, agreed)[2:].lower()
    texts = [_text_hash(text) for text in (asset, decimal, reference)]
    kind = "PaymentRequest(address to,string asset,string amount,string reference,uint256 deadline)"
    request = _keccak("".join([_text_hash(kind), address.rjust(64, "0"), *texts, "0" * 64]))
    names = ("EIP712Domain(string name,string version,uint256 chainId)", "Florin payment request", "1")
    domain = _keccak("".join(_text_hash(name) for name in names) + format(chain_id, "064x"))
    digest = _keccak("1901" + domain + request)
    return " ".join(_proquint(int(digest[at : at + 4], 16)) for at in (0, 4, 8, 12))


def _text_hash(text: str) -> str:
    return keccak256(text.encode()).hex()


def _proquint(bits: int) -> str:
    """16 bits as a word that can be spoken."""

    def consonant(by: int) -> str:
        return "bdfghjklmnprstvz"[bits >> by & 15]

    def vowel(by: int) -> str:
        return "aiou"[bits >> by & 3]

    return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0)
