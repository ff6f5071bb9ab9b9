# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Optional, TypedDict

from .._json import Amount


class FundUserInput(TypedDict):
    """Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`,
    `usdt-bep20` ...
    """

    # Who receives the money.
    username: str
    # In the currency itself.
    amount: Amount
    # An asset code in lower case, such as pi or usdt-bep20; in test mode also one of a test
    # network.
    currency: str


class Balance(TypedDict):
    """The business balance in one asset; decimal strings. `held` waits for the answer of another
    system.
    """

    asset: str
    available: str
    held: str


class BalanceEntry(TypedDict):
    """A line of the ledger with what caused it; `amount` is a signed decimal string."""

    id: str
    asset: str
    amount: str
    cause: str
    cause_id: Optional[str]
    value: Optional[str]
    value_currency: Optional[str]
    created_at: str


class User(TypedDict):
    # As it was asked for.
    username: str


class BalanceEntryFilter(TypedDict, total=False):
    """Which lines of the ledger, and which page."""

    asset: str
    cursor: str
    limit: int
