<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `test->checks`.
 *
 * @phpstan-import-type ReceiverCheck from \Florin\Types\TestMode
 */
final class TestChecksCalls extends CallGroup
{
    /**
     * Check whether a receiver keeps the rules.
     *
     * @return ReceiverCheck
     * @throws FlorinException
     */
    public function start(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /test/webhook-endpoints/{id}/checks',
            ['path' => [$id], 'key' => $idempotencyKey],
        );
    }

    /**
     * The last ten checks of a receiver, newest first.
     *
     * @return array{items: list<ReceiverCheck>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(string $id): array
    {
        return $this->call('GET /test/webhook-endpoints/{id}/checks', ['path' => [$id]]);
    }

    /**
     * A receiver check's progress and report.
     *
     * @return ReceiverCheck
     * @throws FlorinException
     */
    public function get(string $id, string $check): array
    {
        return $this->call(
            'GET /test/webhook-endpoints/{id}/checks/{check}',
            ['path' => [$id, $check]],
        );
    }
}
