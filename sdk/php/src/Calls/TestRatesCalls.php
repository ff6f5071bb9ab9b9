<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `test->rates`.
 *
 * @phpstan-import-type Rate from \Florin\Types\Rates
 * @phpstan-import-type TestRateInput from \Florin\Types\TestMode
 */
final class TestRatesCalls extends CallGroup
{
    /**
     * Set the test rate of a pair.
     *
     * @param TestRateInput $input
     * @return Rate
     * @throws FlorinException
     */
    public function set(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('PUT /test/rates', ['body' => $input, 'key' => $idempotencyKey]);
    }
}
