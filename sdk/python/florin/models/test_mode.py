# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict, Union

from .._json import Amount
from .payments import Currency


# The outcomes that can be simulated.
SimulatedOutcome = Literal[
    "success",
    "failure",
    "expire",
    "underpaid",
    "overpaid",
    "split",
    "late",
    "wrong_token",
    "slow",
    "reorg",
    "dispute",
    "dust",
    "two_networks",
    "two_currencies",
    "exchange_fee",
]


# The outcomes that can be simulated on a test payout.
PayoutOutcome = Literal[
    "sent",
    "slow",
    "stuck",
    "refused_address",
    "no_gas",
    "signer_silent",
    "reorg",
]


class Scenario(TypedDict):
    """An outcome that can be simulated: what happens, and what it combines with."""

    outcome: SimulatedOutcome
    title: str
    happens: str
    # Where a payment ends that only this is played to.
    ends: str
    # Whether `amount` may be named with it.
    takes_amount: bool
    combines_with: List[SimulatedOutcome]


class _SimulateInputRequired(TypedDict):
    # One outcome, or several that combine: GET /test/scenarios says which do.
    outcome: Union[SimulatedOutcome, Sequence[SimulatedOutcome]]


class SimulateInput(_SimulateInputRequired, total=False):
    """What to simulate on a test payment."""

    # What is sent in all, in the payment's currency; by default what the outcomes say.
    amount: str
    # How long nothing happens, by the test clock.
    delay_seconds: int


class ScriptStepTransfer(TypedDict):
    # Which transfer of the script it is, from 1.
    number: int
    asset: str
    amount: str
    confirmations: int
    needed: int


class ScriptStep(TypedDict):
    """One step of a script; its seconds are those of the test clock after the start."""

    after_seconds: int
    what: Literal["fail", "expire", "dispute", "seen", "final", "gone"]
    transfer: Optional[ScriptStepTransfer]


class Script(TypedDict):
    """What a simulation would do, step by step."""

    steps: List[ScriptStep]


class Chaos(TypedDict):
    """The injected faults of a test endpoint, each in percent of the attempts; 0 is never."""

    # Sent again right after the receiver took it.
    duplicate: int
    # Held back, so that the next event of its payment overtakes it.
    reorder: int
    # Held back.
    delay: int
    # Not sent, as if it were lost on the way; its retry comes as after any failure.
    drop: int
    # Signed wrongly; the right one follows.
    bad_signature: int
    # Signed with the time of an hour ago; the right one follows.
    stale_timestamp: int
    # Signed with the secret before this one alone; the right one follows.
    old_secret: int
    # For how long reorder and delay hold back, by the test clock.
    delay_seconds: int


class ChaosInput(TypedDict, total=False):
    """The faults to inject; absent ones are off, and `{}` ends them all."""

    # Sent again right after the receiver took it.
    duplicate: int
    # Held back, so that the next event of its payment overtakes it.
    reorder: int
    # Held back.
    delay: int
    # Not sent, as if it were lost on the way; its retry comes as after any failure.
    drop: int
    # Signed wrongly; the right one follows.
    bad_signature: int
    # Signed with the time of an hour ago; the right one follows.
    stale_timestamp: int
    # Signed with the secret before this one alone; the right one follows.
    old_secret: int
    # For how long reorder and delay hold back, by the test clock.
    delay_seconds: int


class CheckedRule(TypedDict):
    """A rule for receivers, whether this one keeps it, and what to change if not."""

    rule: str
    verdict: Literal["kept", "broken", "unclear"]
    title: str
    # What was sent and what came back.
    evidence: str
    # What to change, or where to look; empty when there is nothing to do.
    fix: str
    snippet: Optional[Literal["verify", "raw-body", "store-once", "answer-first", "ignore-unknown"]]


class CheckExchange(TypedDict):
    """A delivery of a check, and what came back."""

    name: str
    title: str
    # What a correct receiver answers, and why.
    expects: str
    as_expected: Optional[bool]
    # How many were sent at the same moment. The worst answer is shown.
    times: int
    status_code: Optional[int]
    duration_ms: int
    error: Optional[str]
    response: Optional[str]


class ReceiverCheckScore(TypedDict):
    kept: int
    broken: int
    unclear: int


class ReceiverCheckDiagnosis(TypedDict):
    """What is wrong with every delivery. Correct this first."""

    title: str
    # What was sent and what came back.
    evidence: str
    # What to change, or where to look; empty when there is nothing to do.
    fix: str
    snippet: Optional[Literal["verify", "raw-body", "store-once", "answer-first", "ignore-unknown"]]


class ReceiverCheck(TypedDict):
    """A check of a receiver: its progress, and its report once it is done."""

    id: str
    # stopped: the gateway ended before the check did.
    status: Literal["running", "done", "stopped"]
    url: str
    started_at: str
    finished_at: Optional[str]
    # How many exchanges there will be, as far as is known yet.
    planned: int
    score: ReceiverCheckScore
    diagnosis: Optional[ReceiverCheckDiagnosis]
    # Empty until the check is done.
    rules: List[CheckedRule]
    exchanges: List[CheckExchange]


class TestClock(TypedDict):
    """What the test clock of the integration shows."""

    now: str


class TestRateInput(TypedDict):
    """A rate for the payments of test mode."""

    currency: Currency
    # An ISO 4217 code, such as `EUR`.
    price_currency: str
    # A positive decimal with at most 12 decimals; null: the built-in rate again.
    rate: Optional[Amount]


class TopUpInput(TypedDict):
    # An asset code such as usdc-base or pi; in test mode also one of a test network.
    asset: str
    # A decimal string at the scale of the asset; a JSON number is taken too.
    amount: Amount


class TopUp(TypedDict):
    asset: str
    amount: str
