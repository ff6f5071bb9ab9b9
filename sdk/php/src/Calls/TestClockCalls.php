<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `test->clock`.
 *
 * @phpstan-import-type TestClock from \Florin\Types\TestMode
 */
final class TestClockCalls extends CallGroup
{
    /**
     * What the test clock shows.
     *
     * @return TestClock
     * @throws FlorinException
     */
    public function get(): array
    {
        return $this->call('GET /test/clock');
    }

    /**
     * Advance the test clock, and do what became due.
     *
     * @return TestClock
     * @throws FlorinException
     */
    public function advance(int $seconds, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /test/clock/advance',
            ['body' => ['seconds' => $seconds], 'key' => $idempotencyKey],
        );
    }

    /**
     * Set the test clock to the real time.
     *
     * @return TestClock
     * @throws FlorinException
     */
    public function reset(?string $idempotencyKey = null): array
    {
        return $this->call('POST /test/clock/reset', ['key' => $idempotencyKey]);
    }
}
