# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Iterator, Optional

from .._pages import Page, every_item
from .._sender import Resource
from ..models import PaymentLink, PaymentLinkInput, LinkFilter, PaymentLinkChange


class PaymentLinksCalls(Resource):
    """The calls of `payment_links`."""

    def create(
        self,
        input: PaymentLinkInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> PaymentLink:
        """Make a payment link."""
        data: PaymentLink = self._call("POST /payment-links", body=input, key=idempotency_key)
        return data

    def list(self, filter: Optional[LinkFilter] = None) -> Page[PaymentLink]:
        """List payment links, newest first."""
        return self._page("GET /payment-links", query=filter)

    def list_all(self, filter: Optional[LinkFilter] = None) -> Iterator[PaymentLink]:
        """List payment links, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.list(page), filter)

    def get(self, id: str) -> PaymentLink:
        """One payment link."""
        data: PaymentLink = self._call("GET /payment-links/{id}", id)
        return data

    def update(
        self,
        id: str,
        input: PaymentLinkChange,
        *,
        idempotency_key: Optional[str] = None,
    ) -> PaymentLink:
        """Stop a payment link, or let it take payments again."""
        data: PaymentLink = self._call(
            "PATCH /payment-links/{id}",
            id,
            body=input,
            key=idempotency_key,
        )
        return data
