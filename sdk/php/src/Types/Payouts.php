<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: payouts.
 *
 * @phpstan-type OwnKeyIntegration array{
 *     id: string,
 *     name: string,
 * }
 *
 * @phpstan-type OwnKeyDailyLimit array{
 *     asset: string,
 *     limit: string,
 *     left: string,
 * }
 *
 * What a key may do, how much, and until when.
 * @phpstan-type OwnKey array{
 *     id: string,
 *     kind: 'signing'|'restricted',
 *     name: string|null,
 *     hint: string,
 *     mode: 'test'|'live',
 *     integration: OwnKeyIntegration,
 *     actions: list<'create payments'|'read payments'|'cancel payments'|'fund users'|'read balances'|'read events'|'resend events'|'manage webhooks'|'use test mode calls'|'make payouts'|'make refunds'>,
 *     addresses: list<string>|null,
 *     daily_limits: list<OwnKeyDailyLimit>|null,
 *     asks_above: bool,
 *     valid_until: string|null,
 * }
 *
 * The status of a payout; `completed` once the chain shows that it is final.
 * @phpstan-type PayoutStatus 'awaiting_approval'|'queued'|'sending'|'completed'|'cancelled'|'rejected'|'failed'
 *
 * @phpstan-type PayoutApproval array{
 *     by: string,
 *     at: string,
 * }
 *
 * A payout. Amounts are decimal strings; `failure` also says what holds a queued one up.
 * @phpstan-type Payout array{
 *     id: string,
 *     payout_reference: string|null,
 *     purpose: 'merchant_payout'|'refund'|'withdrawal'|'fee_withdrawal'|'unmatched_return'|'user_funding',
 *     status: PayoutStatus,
 *     asset: string,
 *     amount: string,
 *     fee: string,
 *     to: string,
 *     memo: string|null,
 *     description: string|null,
 *     approvals_needed: int,
 *     approvals: list<PayoutApproval>,
 *     transaction: string|null,
 *     failure: string|null,
 *     created_at: string,
 *     sent_at: string|null,
 *     completed_at: string|null,
 * }
 *
 * Body of `payouts.create`: a payout; with `dry_run` it is only judged.
 * @phpstan-type PayoutOrderInput array{
 *     asset: string,
 *     amount: string|int,
 *     to: string,
 *     memo?: string,
 *     payout_reference?: string,
 *     description?: string,
 *     dry_run?: bool,
 * }
 *
 * @phpstan-type PayoutBatchTotal array{
 *     asset: string,
 *     amount: string,
 *     fee: string,
 * }
 *
 * Payouts that were ordered together, and what they take from the balance.
 * @phpstan-type PayoutBatch array{
 *     items: list<Payout>,
 *     totals: list<PayoutBatchTotal>,
 * }
 *
 * A payout as it is asked for. `amount` is a decimal string at the scale of the asset; `to` gets
 * exactly that.
 * @phpstan-type PayoutInput array{
 *     asset: string,
 *     amount: string|int,
 *     to: string,
 *     memo?: string,
 *     payout_reference?: string,
 *     description?: string,
 * }
 *
 * Body of `payouts.createBatch`.
 * @phpstan-type PayoutBatchInput array{
 *     payouts: list<PayoutInput>,
 *     dry_run?: bool,
 * }
 *
 * What a payout in one asset costs, and whether it can be ordered now.
 * @phpstan-type PayoutFee array{
 *     asset: string,
 *     fee: string,
 *     minimum: string,
 *     daily_limit: string|null,
 *     available: bool,
 *     why: string|null,
 * }
 *
 * Which payouts, and which page.
 * @phpstan-type PayoutFilter array{
 *     status?: PayoutStatus,
 *     asset?: string,
 *     cursor?: string,
 *     limit?: int,
 * }
 *
 * @phpstan-type TopUpAddress array{
 *     asset: string,
 *     network: string,
 *     address: string,
 *     memo: string|null,
 * }
 */
final class Payouts
{
}
