# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Optional

from .._sender import Resource, Sender
from ..models import FundUserInput
from .payments import PaymentsCalls, RefundsCalls
from .payment_links import PaymentLinksCalls
from .test_mode import TestCalls
from .payouts import KeyCalls, PayoutsCalls
from .balances import UsersCalls, BalancesCalls, BalanceEntriesCalls
from .webhooks import EventsCalls, WebhookEndpointsCalls
from .rates import RatesCalls


class Calls(Resource):
    """Every call of the merchant API, by place."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.payments = PaymentsCalls(sender)
        self.payment_links = PaymentLinksCalls(sender)
        self.refunds = RefundsCalls(sender)
        self.test = TestCalls(sender)
        self.key = KeyCalls(sender)
        self.payouts = PayoutsCalls(sender)
        self.users = UsersCalls(sender)
        self.balances = BalancesCalls(sender)
        self.balance_entries = BalanceEntriesCalls(sender)
        self.events = EventsCalls(sender)
        self.webhook_endpoints = WebhookEndpointsCalls(sender)
        self.rates = RatesCalls(sender)

    def fund_user(self, input: FundUserInput, *, idempotency_key: Optional[str] = None) -> None:
        """Credit a user's wallet from the business balance."""
        self._call("POST /payment/fund-user", body=input, key=idempotency_key, numbers=("amount",))
