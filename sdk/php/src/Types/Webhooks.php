<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: webhooks.
 *
 * What an endpoint can subscribe to; the first three are the default.
 * @phpstan-type EventType 'payment_completed'|'payment_failed'|'payment_abandoned'|'payment_linked'|'payment_pending'|'payment_cancelled'|'payment_in_appeal'|'payment_appeal_closed'|'payment_refunded'|'refund_created'|'refund_failed'|'payout_awaiting_approval'|'payout_completed'|'payout_failed'|'payout_cancelled'|'webhook_endpoint_disabled'
 *
 * An event as it is stored.
 * @phpstan-type StoredEvent array{
 *     event_id: string,
 *     event_type: EventType,
 *     payment_reference: string,
 *     payout_reference: string,
 *     sequence: int,
 *     created_at: string,
 *     body: string,
 * }
 *
 * An event that is sent again.
 * @phpstan-type ResentEvent array{
 *     event_id: string,
 *     count: int,
 * }
 *
 * A webhook endpoint, of the mode of its key.
 * @phpstan-type WebhookEndpoint array{
 *     id: string,
 *     url: string,
 *     format: 'florin'|'greenfield',
 *     events: list<'payment_completed'|'payment_failed'|'payment_abandoned'|'payment_linked'|'payment_pending'|'payment_cancelled'|'payment_in_appeal'|'payment_appeal_closed'|'payment_refunded'|'refund_created'|'refund_failed'|'payout_awaiting_approval'|'payout_completed'|'payout_failed'|'payout_cancelled'|'webhook_endpoint_disabled'|'InvoiceCreated'|'InvoiceReceivedPayment'|'InvoiceProcessing'|'InvoicePaymentSettled'|'InvoiceSettled'|'InvoiceExpired'|'InvoiceExpiredPaidPartial'|'InvoicePaidAfterExpiration'|'InvoiceInvalid'>,
 *     status: 'active'|'paused'|'disabled',
 *     created_at: string,
 * }
 *
 * An endpoint that was just made, or has a new secret: `secret` is never shown again.
 * @phpstan-type NewWebhookEndpoint array{
 *     id: string,
 *     url: string,
 *     format: 'florin'|'greenfield',
 *     events: list<'payment_completed'|'payment_failed'|'payment_abandoned'|'payment_linked'|'payment_pending'|'payment_cancelled'|'payment_in_appeal'|'payment_appeal_closed'|'payment_refunded'|'refund_created'|'refund_failed'|'payout_awaiting_approval'|'payout_completed'|'payout_failed'|'payout_cancelled'|'webhook_endpoint_disabled'|'InvoiceCreated'|'InvoiceReceivedPayment'|'InvoiceProcessing'|'InvoicePaymentSettled'|'InvoiceSettled'|'InvoiceExpired'|'InvoiceExpiredPaidPartial'|'InvoicePaidAfterExpiration'|'InvoiceInvalid'>,
 *     status: 'active'|'paused'|'disabled',
 *     created_at: string,
 *     secret: string,
 * }
 *
 * Body of `webhookEndpoints.create`.
 * @phpstan-type WebhookEndpointInput array{
 *     url: string,
 *     events?: list<EventType>,
 * }
 *
 * The changes of an endpoint; absent fields stay as they are.
 * @phpstan-type WebhookEndpointChange array{
 *     url?: string,
 *     events?: list<EventType>,
 *     status?: 'active'|'paused',
 * }
 *
 * One attempt to deliver an event.
 * @phpstan-type DeliveryAttempt array{
 *     at: string,
 *     status_code: int|null,
 *     duration_ms: int,
 *     error: string|null,
 *     response: string|null,
 * }
 *
 * The delivery of one event to one endpoint.
 * @phpstan-type Delivery array{
 *     id: string,
 *     event_id: string,
 *     status: 'pending'|'held'|'delivered'|'failed',
 *     attempts: list<DeliveryAttempt>,
 *     next_attempt_at: string|null,
 * }
 *
 * The progress of a replay of failed and missed events.
 * @phpstan-type Replay array{
 *     status: 'running'|'done',
 *     since: string|null,
 *     count: int,
 *     total: int|null,
 *     started_at: string,
 *     finished_at: string|null,
 * }
 *
 * Body of `webhookEndpoints.replay`.
 * @phpstan-type ReplayInput array{
 *     since?: string,
 *     only?: 'failed'|'missed',
 * }
 *
 * Which events, and which page.
 * @phpstan-type EventFilter array{
 *     type?: EventType,
 *     cursor?: string,
 *     limit?: int,
 * }
 *
 * @phpstan-type RollSecretInput array{
 *     overlap_seconds?: int,
 * }
 *
 * Which page of a list.
 * @phpstan-type PageFilter array{
 *     cursor?: string,
 *     limit?: int,
 * }
 *
 * @phpstan-type TestEventInput array{
 *     event_type?: EventType,
 * }
 *
 * @phpstan-type TestEvent array{
 *     event_id: string,
 * }
 */
final class Webhooks
{
}
