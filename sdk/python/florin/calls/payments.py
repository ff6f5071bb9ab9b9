# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Iterator, Optional

from .._lost_payment import CreateResult, create_payment
from .._pages import Page, every_item
from .._sender import Resource
from ..models import (
    PaymentInput,
    PaymentInfo,
    PaymentSummary,
    Refund,
    Payment,
    RefundInput,
    PaymentFilter,
    PaymentsDestinationsAnswer,
)


class PaymentsCalls(Resource):
    """The calls of `payments`."""

    def create(self, input: PaymentInput, *, idempotency_key: Optional[str] = None) -> CreateResult:
        """Create a payment."""
        return create_payment(
            self._sender,
            "PUT /payment/create",
            body=input,
            key=idempotency_key,
            numbers=("amount", "item_list.items[].price", "item_list.items[].quantity"),
        )

    def info(self, payment_reference: str) -> PaymentInfo:
        """Get payment information."""
        data: PaymentInfo = self._call("GET /payment/info/{payment_reference}", payment_reference)
        return data

    def list(self, filter: Optional[PaymentFilter] = None) -> Page[PaymentSummary]:
        """List payments, newest first."""
        return self._page("GET /payments", query=filter)

    def list_all(self, filter: Optional[PaymentFilter] = None) -> Iterator[PaymentSummary]:
        """List payments, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.list(page), filter)

    def get(self, payment_reference: str) -> Payment:
        """Everything known of a payment."""
        data: Payment = self._call("GET /payments/{payment_reference}", payment_reference)
        return data

    def cancel(self, payment_reference: str, *, idempotency_key: Optional[str] = None) -> Payment:
        """Cancel a payment nobody has paid yet."""
        data: Payment = self._call(
            "POST /payments/{payment_reference}/cancel",
            payment_reference,
            key=idempotency_key,
        )
        return data

    def destinations(self, payment_reference: str) -> PaymentsDestinationsAnswer:
        """By what the addresses of a payment follow."""
        data: PaymentsDestinationsAnswer = self._call(
            "GET /payments/{payment_reference}/destinations",
            payment_reference,
        )
        return data


class RefundsCalls(Resource):
    """The calls of `refunds`."""

    def create(
        self,
        payment_reference: str,
        input: Optional[RefundInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Refund a payment."""
        data: Refund = self._call(
            "POST /payments/{payment_reference}/refunds",
            payment_reference,
            body=input or {},
            key=idempotency_key,
        )
        return data

    def list(self, payment_reference: str) -> Page[Refund]:
        """The refunds of a payment."""
        return self._page("GET /payments/{payment_reference}/refunds", payment_reference)

    def cancel(
        self,
        payment_reference: str,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Cancel a refund that is not being sent yet."""
        data: Refund = self._call(
            "POST /payments/{payment_reference}/refunds/{id}/cancel",
            payment_reference,
            id,
            key=idempotency_key,
        )
        return data
