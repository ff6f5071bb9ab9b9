<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: events.
 *
 * What happened to a payment. Fields without a value are empty texts.
 * @phpstan-type PaymentEvent array{
 *     event_id: string,
 *     payment_id: string,
 *     currency: string,
 *     amount: int|float,
 *     payment_reference: string,
 *     payment_status: string,
 *     service_fee: int|float,
 *     customer_email: string,
 *     customer_reference: string,
 *     integration_id: string,
 *     event_type: 'payment_completed'|'payment_failed'|'payment_abandoned'|'payment_linked'|'payment_pending'|'payment_cancelled'|'payment_in_appeal'|'payment_appeal_closed',
 *     timestamp: int,
 *     paid_asset?: string,
 *     paid_fee?: string,
 *     rate?: string,
 *     short?: bool,
 *     paid_amount?: string,
 * }
 *
 * What happened to a refund: the fields of its payment, then those of the refund.
 * @phpstan-type RefundEvent array{
 *     event_id: string,
 *     payment_id: string,
 *     currency: string,
 *     amount: int|float,
 *     payment_reference: string,
 *     payment_status: string,
 *     service_fee: int|float,
 *     customer_email: string,
 *     customer_reference: string,
 *     integration_id: string,
 *     event_type: 'payment_refunded'|'refund_created'|'refund_failed',
 *     timestamp: int,
 *     paid_asset?: string,
 *     paid_fee?: string,
 *     rate?: string,
 *     short?: bool,
 *     paid_amount?: string,
 *     refund_id: string,
 *     refund_asset: string,
 *     refund_amount: string,
 * }
 *
 * What happened to a payout. Fields without a value are empty texts.
 * @phpstan-type PayoutEvent array{
 *     event_id: string,
 *     payout_id: string,
 *     payout_reference: string,
 *     purpose: string,
 *     asset: string,
 *     amount: string,
 *     fee: string,
 *     to: string,
 *     memo: string,
 *     payout_status: string,
 *     transaction: string,
 *     integration_id: string,
 *     event_type: 'payout_awaiting_approval'|'payout_completed'|'payout_failed'|'payout_cancelled',
 *     timestamp: int,
 * }
 *
 * An endpoint that Florin turned off, as the other endpoints hear of it.
 * @phpstan-type WebhookEndpointDisabledEvent array{
 *     event_id: string,
 *     integration_id: string,
 *     event_type: 'webhook_endpoint_disabled',
 *     timestamp: int,
 *     endpoint_id: string,
 *     url: string,
 *     reason: string,
 *     failing_since: string,
 * }
 */
final class Events
{
}
