# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from .._sender import Resource
from ..models import RateList


class RatesCalls(Resource):
    """The calls of `rates`."""

    def list(self, price_currency: str) -> RateList:
        """What each currency is worth now."""
        data: RateList = self._call("GET /rates", query={"price_currency": price_currency})
        return data
