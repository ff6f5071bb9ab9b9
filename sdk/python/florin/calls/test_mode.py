# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Optional

from .._pages import Page
from .._sender import Resource, Sender
from ..models import (
    Payment,
    Scenario,
    SimulateInput,
    Script,
    Payout,
    PayoutOutcome,
    Chaos,
    ChaosInput,
    ReceiverCheck,
    TestClock,
    Rate,
    TestRateInput,
    TopUpInput,
    TopUp,
)


class TestCalls(Resource):
    """The calls of `test`."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.payouts = TestPayoutsCalls(sender)
        self.chaos = TestChaosCalls(sender)
        self.checks = TestChecksCalls(sender)
        self.clock = TestClockCalls(sender)
        self.rates = TestRatesCalls(sender)

    def scenarios(self) -> Page[Scenario]:
        """The outcomes that can be played."""
        return self._page("GET /test/scenarios")

    def simulate(
        self,
        payment_reference: str,
        input: SimulateInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Payment:
        """Play an outcome on a test payment."""
        data: Payment = self._call(
            "POST /test/payments/{payment_reference}/simulate",
            payment_reference,
            body=input,
            key=idempotency_key,
        )
        return data

    def script(self, payment_reference: str, input: SimulateInput) -> Script:
        """What playing an outcome would come to."""
        data: Script = self._call(
            "GET /test/payments/{payment_reference}/script",
            payment_reference,
            query=input,
        )
        return data

    def top_up(self, input: TopUpInput, *, idempotency_key: Optional[str] = None) -> TopUp:
        """Give test money to the business."""
        data: TopUp = self._call("POST /test/top-ups", body=input, key=idempotency_key)
        return data


class TestPayoutsCalls(Resource):
    """The calls of `test.payouts`."""

    def simulate(
        self,
        payout: str,
        outcome: PayoutOutcome,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Payout:
        """Play an outcome on a test payout."""
        data: Payout = self._call(
            "POST /test/payouts/{payout}/simulate",
            payout,
            body={"outcome": outcome},
            key=idempotency_key,
        )
        return data


class TestChaosCalls(Resource):
    """The calls of `test.chaos`."""

    def get(self, id: str) -> Chaos:
        """What goes wrong on the way to a test endpoint."""
        data: Chaos = self._call("GET /test/webhook-endpoints/{id}/chaos", id)
        return data

    def set(
        self,
        id: str,
        input: Optional[ChaosInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Chaos:
        """Let things go wrong on the way to a test endpoint."""
        data: Chaos = self._call(
            "PUT /test/webhook-endpoints/{id}/chaos",
            id,
            body=input or {},
            key=idempotency_key,
        )
        return data


class TestChecksCalls(Resource):
    """The calls of `test.checks`."""

    def start(self, id: str, *, idempotency_key: Optional[str] = None) -> ReceiverCheck:
        """Check whether a receiver keeps the rules."""
        data: ReceiverCheck = self._call(
            "POST /test/webhook-endpoints/{id}/checks",
            id,
            key=idempotency_key,
        )
        return data

    def list(self, id: str) -> Page[ReceiverCheck]:
        """The last ten checks of a receiver, newest first."""
        return self._page("GET /test/webhook-endpoints/{id}/checks", id)

    def get(self, id: str, check: str) -> ReceiverCheck:
        """A receiver check's progress and report."""
        data: ReceiverCheck = self._call(
            "GET /test/webhook-endpoints/{id}/checks/{check}",
            id,
            check,
        )
        return data


class TestClockCalls(Resource):
    """The calls of `test.clock`."""

    def get(self) -> TestClock:
        """What the test clock shows."""
        data: TestClock = self._call("GET /test/clock")
        return data

    def advance(self, seconds: int, *, idempotency_key: Optional[str] = None) -> TestClock:
        """Advance the test clock, and do what became due."""
        data: TestClock = self._call(
            "POST /test/clock/advance",
            body={"seconds": seconds},
            key=idempotency_key,
        )
        return data

    def reset(self, *, idempotency_key: Optional[str] = None) -> TestClock:
        """Set the test clock to the real time."""
        data: TestClock = self._call("POST /test/clock/reset", key=idempotency_key)
        return data


class TestRatesCalls(Resource):
    """The calls of `test.rates`."""

    def set(self, input: TestRateInput, *, idempotency_key: Optional[str] = None) -> Rate:
        """Set the test rate of a pair."""
        data: Rate = self._call("PUT /test/rates", body=input, key=idempotency_key)
        return data
