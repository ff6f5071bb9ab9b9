<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: test mode.
 *
 * @phpstan-import-type Currency from \Florin\Types\Payments
 *
 * The outcomes that can be simulated.
 * @phpstan-type SimulatedOutcome 'success'|'failure'|'expire'|'underpaid'|'overpaid'|'split'|'late'|'wrong_token'|'slow'|'reorg'|'dispute'|'dust'|'two_networks'|'two_currencies'|'exchange_fee'
 *
 * An outcome that can be simulated: what happens, and what it combines with.
 * @phpstan-type Scenario array{
 *     outcome: SimulatedOutcome,
 *     title: string,
 *     happens: string,
 *     ends: string,
 *     takes_amount: bool,
 *     combines_with: list<SimulatedOutcome>,
 * }
 *
 * What to simulate on a test payment.
 * @phpstan-type SimulateInput array{
 *     outcome: SimulatedOutcome|list<SimulatedOutcome>,
 *     amount?: string,
 *     delay_seconds?: int,
 * }
 *
 * @phpstan-type ScriptStepTransfer array{
 *     number: int,
 *     asset: string,
 *     amount: string,
 *     confirmations: int,
 *     needed: int,
 * }
 *
 * One step of a script; its seconds are those of the test clock after the start.
 * @phpstan-type ScriptStep array{
 *     after_seconds: int,
 *     what: 'fail'|'expire'|'dispute'|'seen'|'final'|'gone',
 *     transfer: ScriptStepTransfer|null,
 * }
 *
 * What a simulation would do, step by step.
 * @phpstan-type Script array{
 *     steps: list<ScriptStep>,
 * }
 *
 * The outcomes that can be simulated on a test payout.
 * @phpstan-type PayoutOutcome 'sent'|'slow'|'stuck'|'refused_address'|'no_gas'|'signer_silent'|'reorg'
 *
 * The injected faults of a test endpoint, each in percent of the attempts; 0 is never.
 * @phpstan-type Chaos array{
 *     duplicate: int,
 *     reorder: int,
 *     delay: int,
 *     drop: int,
 *     bad_signature: int,
 *     stale_timestamp: int,
 *     old_secret: int,
 *     delay_seconds: int,
 * }
 *
 * The faults to inject; absent ones are off, and `{}` ends them all.
 * @phpstan-type ChaosInput array{
 *     duplicate?: int,
 *     reorder?: int,
 *     delay?: int,
 *     drop?: int,
 *     bad_signature?: int,
 *     stale_timestamp?: int,
 *     old_secret?: int,
 *     delay_seconds?: int,
 * }
 *
 * A rule for receivers, whether this one keeps it, and what to change if not.
 * @phpstan-type CheckedRule array{
 *     rule: string,
 *     verdict: 'kept'|'broken'|'unclear',
 *     title: string,
 *     evidence: string,
 *     fix: string,
 *     snippet: 'verify'|'raw-body'|'store-once'|'answer-first'|'ignore-unknown'|null,
 * }
 *
 * A delivery of a check, and what came back.
 * @phpstan-type CheckExchange array{
 *     name: string,
 *     title: string,
 *     expects: string,
 *     as_expected: bool|null,
 *     times: int,
 *     status_code: int|null,
 *     duration_ms: int,
 *     error: string|null,
 *     response: string|null,
 * }
 *
 * @phpstan-type ReceiverCheckScore array{
 *     kept: int,
 *     broken: int,
 *     unclear: int,
 * }
 *
 * What is wrong with every delivery. Correct this first.
 * @phpstan-type ReceiverCheckDiagnosis array{
 *     title: string,
 *     evidence: string,
 *     fix: string,
 *     snippet: 'verify'|'raw-body'|'store-once'|'answer-first'|'ignore-unknown'|null,
 * }
 *
 * A check of a receiver: its progress, and its report once it is done.
 * @phpstan-type ReceiverCheck array{
 *     id: string,
 *     status: 'running'|'done'|'stopped',
 *     url: string,
 *     started_at: string,
 *     finished_at: string|null,
 *     planned: int,
 *     score: ReceiverCheckScore,
 *     diagnosis: ReceiverCheckDiagnosis|null,
 *     rules: list<CheckedRule>,
 *     exchanges: list<CheckExchange>,
 * }
 *
 * What the test clock of the integration shows.
 * @phpstan-type TestClock array{
 *     now: string,
 * }
 *
 * A rate for the payments of test mode.
 * @phpstan-type TestRateInput array{
 *     currency: Currency,
 *     price_currency: string,
 *     rate: string|int|null,
 * }
 *
 * @phpstan-type TopUpInput array{
 *     asset: string,
 *     amount: string|int,
 * }
 *
 * @phpstan-type TopUp array{
 *     asset: string,
 *     amount: string,
 * }
 */
final class TestMode
{
}
