<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `balances`.
 *
 * @phpstan-import-type Balance from \Florin\Types\Balances
 */
final class BalancesCalls extends CallGroup
{
    /**
     * The business balance in every asset.
     *
     * @return array{items: list<Balance>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(): array
    {
        return $this->call('GET /balances');
    }
}
