<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * Which errors are tried again, and when.
 */
final class Retry
{
    private const FIRST_DELAY_SECONDS = 0.25;
    private const LONGEST_BACKOFF_SECONDS = 8.0;
    /** A longer Retry-After is thrown as an error instead of waited for. */
    private const LONGEST_RETRY_AFTER_SECONDS = 60;

    /** Whether the same request, sent again with the same Idempotency-Key, can succeed. */
    public static function isPossible(FlorinException $error): bool
    {
        if (($error->retryAfterSeconds ?? 0) > self::LONGEST_RETRY_AFTER_SECONDS) {
            return false;
        }
        if ($error->status === 0 || $error->status === 429 || $error->status >= 500) {
            return true;
        }
        return $error->status === 409 && $error->getMessage() === 'Idempotency-Key is in use';
    }

    /**
     * How long to wait before retry number `$retry` (from 0), in seconds: doubled each time, drawn from the upper half of
     * that span so that clients which failed together do not return together; never less than the gateway asked.
     */
    public static function delaySeconds(FlorinException $error, int $retry, float $random): float
    {
        $span = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_DELAY_SECONDS * 2 ** $retry);
        return max($span / 2 + $random * $span / 2, (float) ($error->retryAfterSeconds ?? 0));
    }
}
