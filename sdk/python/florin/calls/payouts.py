# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Iterator, Optional

from .._pages import Page, every_item
from .._sender import Resource, Sender
from ..models import (
    OwnKey,
    Payout,
    PayoutOrderInput,
    PayoutBatch,
    PayoutBatchInput,
    PayoutFee,
    PayoutFilter,
    TopUpAddress,
)


class KeyCalls(Resource):
    """The calls of `key`."""

    def get(self) -> OwnKey:
        """What this key may do."""
        data: OwnKey = self._call("GET /key")
        return data


class PayoutsCalls(Resource):
    """The calls of `payouts`."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.top_up_addresses = PayoutsTopUpAddressesCalls(sender)

    def create(self, input: PayoutOrderInput, *, idempotency_key: Optional[str] = None) -> Payout:
        """Order a payout."""
        data: Payout = self._call("POST /payouts", body=input, key=idempotency_key)
        return data

    def list(self, filter: Optional[PayoutFilter] = None) -> Page[Payout]:
        """List payouts, newest first."""
        return self._page("GET /payouts", query=filter)

    def list_all(self, filter: Optional[PayoutFilter] = None) -> Iterator[Payout]:
        """List payouts, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.list(page), filter)

    def create_batch(
        self,
        input: PayoutBatchInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> PayoutBatch:
        """Order up to 500 payouts, all or none."""
        data: PayoutBatch = self._call("POST /payouts/batch", body=input, key=idempotency_key)
        return data

    def get(self, payout: str) -> Payout:
        """One payout."""
        data: Payout = self._call("GET /payouts/{payout}", payout)
        return data

    def cancel(self, payout: str, *, idempotency_key: Optional[str] = None) -> Payout:
        """Cancel a payout that is not being sent yet."""
        data: Payout = self._call("POST /payouts/{payout}/cancel", payout, key=idempotency_key)
        return data

    def fees(self) -> Page[PayoutFee]:
        """Fee, minimum and limit of payouts in each asset."""
        return self._page("GET /payout-fees")


class PayoutsTopUpAddressesCalls(Resource):
    """The calls of `payouts.top_up_addresses`."""

    def list(self) -> Page[TopUpAddress]:
        """Addresses that top up the business balance."""
        return self._page("GET /top-up-addresses")

    def create(self, asset: str, *, idempotency_key: Optional[str] = None) -> TopUpAddress:
        """The address that tops up the business balance of an asset."""
        data: TopUpAddress = self._call(
            "POST /top-up-addresses",
            body={"asset": asset},
            key=idempotency_key,
        )
        return data
