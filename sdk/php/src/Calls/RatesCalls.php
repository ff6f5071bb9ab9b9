<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `rates`.
 *
 * @phpstan-import-type RateList from \Florin\Types\Rates
 */
final class RatesCalls extends CallGroup
{
    /**
     * What each currency is worth now.
     *
     * @return RateList
     * @throws FlorinException
     */
    public function list(string $priceCurrency): array
    {
        return $this->call('GET /rates', ['query' => ['price_currency' => $priceCurrency]]);
    }
}
