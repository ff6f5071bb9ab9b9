# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, TypedDict

from .payments import Currency


class RateSource(TypedDict):
    name: str
    rate: str
    at: str


class Rate(TypedDict):
    """The rate of a currency in a price currency, with the sources that it follows from."""

    currency: Currency
    # An ISO 4217 code, such as `EUR`.
    price_currency: str
    # Units of the price currency for one unit of the currency.
    rate: str
    at: str
    sources: List[RateSource]


class RateList(TypedDict):
    items: List[Rate]
