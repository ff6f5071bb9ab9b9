<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `events`.
 *
 * @phpstan-import-type StoredEvent from \Florin\Types\Webhooks
 * @phpstan-import-type ResentEvent from \Florin\Types\Webhooks
 * @phpstan-import-type EventFilter from \Florin\Types\Webhooks
 */
final class EventsCalls extends CallGroup
{
    /**
     * List events, newest first.
     *
     * @param EventFilter $filter
     * @return array{items: list<StoredEvent>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(array $filter = []): array
    {
        return $this->call('GET /events', ['query' => $filter]);
    }

    /**
     * List events, newest first. Fetches the next page only when it is needed.
     *
     * @param EventFilter $filter
     * @return \Generator<int, StoredEvent>
     * @throws FlorinException
     */
    public function listAll(array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) {
            return $this->list($page);
        }, $filter);
    }

    /**
     * One event.
     *
     * @return StoredEvent
     * @throws FlorinException
     */
    public function get(string $id): array
    {
        return $this->call('GET /events/{id}', ['path' => [$id]]);
    }

    /**
     * Send an event once more, the same bytes.
     *
     * @return ResentEvent
     * @throws FlorinException
     */
    public function resend(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /events/{id}/resend', ['path' => [$id], 'key' => $idempotencyKey]);
    }
}
