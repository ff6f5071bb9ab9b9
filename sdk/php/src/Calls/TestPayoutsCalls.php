<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `test->payouts`.
 *
 * @phpstan-import-type Payout from \Florin\Types\Payouts
 * @phpstan-import-type PayoutOutcome from \Florin\Types\TestMode
 */
final class TestPayoutsCalls extends CallGroup
{
    /**
     * Play an outcome on a test payout.
     *
     * @param PayoutOutcome $outcome
     * @return Payout
     * @throws FlorinException
     */
    public function simulate(string $payout, string $outcome, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /test/payouts/{payout}/simulate',
            ['path' => [$payout], 'body' => ['outcome' => $outcome], 'key' => $idempotencyKey],
        );
    }
}
