<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `key`.
 *
 * @phpstan-import-type OwnKey from \Florin\Types\Payouts
 */
final class KeyCalls extends CallGroup
{
    /**
     * What this key may do.
     *
     * @return OwnKey
     * @throws FlorinException
     */
    public function get(): array
    {
        return $this->call('GET /key');
    }
}
