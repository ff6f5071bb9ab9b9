<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `webhookEndpoints`.
 *
 * @phpstan-import-type WebhookEndpoint from \Florin\Types\Webhooks
 * @phpstan-import-type NewWebhookEndpoint from \Florin\Types\Webhooks
 * @phpstan-import-type WebhookEndpointInput from \Florin\Types\Webhooks
 * @phpstan-import-type WebhookEndpointChange from \Florin\Types\Webhooks
 * @phpstan-import-type Replay from \Florin\Types\Webhooks
 * @phpstan-import-type ReplayInput from \Florin\Types\Webhooks
 * @phpstan-import-type RollSecretInput from \Florin\Types\Webhooks
 * @phpstan-import-type PageFilter from \Florin\Types\Webhooks
 * @phpstan-import-type TestEventInput from \Florin\Types\Webhooks
 * @phpstan-import-type TestEvent from \Florin\Types\Webhooks
 */
final class WebhookEndpointsCalls extends CallGroup
{
    /**
     * List webhook endpoints.
     *
     * @return array{items: list<WebhookEndpoint>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(): array
    {
        return $this->call('GET /webhook-endpoints');
    }

    /**
     * Make a webhook endpoint.
     *
     * @param WebhookEndpointInput $input
     * @return NewWebhookEndpoint
     * @throws FlorinException
     */
    public function create(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /webhook-endpoints', ['body' => $input, 'key' => $idempotencyKey]);
    }

    /**
     * One webhook endpoint.
     *
     * @return WebhookEndpoint
     * @throws FlorinException
     */
    public function get(string $id): array
    {
        return $this->call('GET /webhook-endpoints/{id}', ['path' => [$id]]);
    }

    /**
     * Change, pause or reactivate a webhook endpoint.
     *
     * @param WebhookEndpointChange $input
     * @return WebhookEndpoint
     * @throws FlorinException
     */
    public function update(string $id, array $input = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'PATCH /webhook-endpoints/{id}',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * Remove a webhook endpoint.
     *
     * @throws FlorinException
     */
    public function delete(string $id, ?string $idempotencyKey = null): void
    {
        $this->call('DELETE /webhook-endpoints/{id}', ['path' => [$id], 'key' => $idempotencyKey]);
    }

    /**
     * Give a webhook endpoint a new secret.
     *
     * @param RollSecretInput $input
     * @return NewWebhookEndpoint
     * @throws FlorinException
     */
    public function rollSecret(string $id, array $input = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /webhook-endpoints/{id}/roll-secret',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * Let the newest secret of a webhook endpoint sign alone.
     *
     * @return WebhookEndpoint
     * @throws FlorinException
     */
    public function endOverlap(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /webhook-endpoints/{id}/end-overlap',
            ['path' => [$id], 'key' => $idempotencyKey],
        );
    }

    /**
     * List an endpoint's deliveries and their attempts, newest first.
     *
     * @param PageFilter $filter
     * @return array{items: list<Delivery>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function deliveries(string $id, array $filter = []): array
    {
        return $this->call(
            'GET /webhook-endpoints/{id}/deliveries',
            ['path' => [$id], 'query' => $filter],
        );
    }

    /**
     * List an endpoint's deliveries and their attempts, newest first. Fetches the next page only when it is needed.
     *
     * @param PageFilter $filter
     * @return \Generator<int, Delivery>
     * @throws FlorinException
     */
    public function deliveriesAll(string $id, array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) use ($id) {
            return $this->deliveries($id, $page);
        }, $filter);
    }

    /**
     * Send a made-up event to an endpoint.
     *
     * @param TestEventInput $input
     * @return TestEvent
     * @throws FlorinException
     */
    public function test(string $id, array $input = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /webhook-endpoints/{id}/test',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * Send what failed once more, and what was missed.
     *
     * @param ReplayInput $input
     * @return Replay
     * @throws FlorinException
     */
    public function replay(string $id, array $input = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /webhook-endpoints/{id}/replay',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * How far an endpoint's last replay came.
     *
     * @return Replay|null
     * @throws FlorinException
     */
    public function replayProgress(string $id): ?array
    {
        return $this->call('GET /webhook-endpoints/{id}/replay', ['path' => [$id]]);
    }
}
