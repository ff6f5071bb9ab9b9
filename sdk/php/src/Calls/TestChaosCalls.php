<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `test->chaos`.
 *
 * @phpstan-import-type Chaos from \Florin\Types\TestMode
 * @phpstan-import-type ChaosInput from \Florin\Types\TestMode
 */
final class TestChaosCalls extends CallGroup
{
    /**
     * What goes wrong on the way to a test endpoint.
     *
     * @return Chaos
     * @throws FlorinException
     */
    public function get(string $id): array
    {
        return $this->call('GET /test/webhook-endpoints/{id}/chaos', ['path' => [$id]]);
    }

    /**
     * Let things go wrong on the way to a test endpoint.
     *
     * @param ChaosInput $input
     * @return Chaos
     * @throws FlorinException
     */
    public function set(string $id, array $input = [], ?string $idempotencyKey = null): array
    {
        return $this->call(
            'PUT /test/webhook-endpoints/{id}/chaos',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }
}
