<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `balanceEntries`.
 *
 * @phpstan-import-type BalanceEntryFilter from \Florin\Types\Balances
 */
final class BalanceEntriesCalls extends CallGroup
{
    /**
     * The business balance's ledger lines, newest first.
     *
     * @param BalanceEntryFilter $filter
     * @return array{items: list<BalanceEntry>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(array $filter = []): array
    {
        return $this->call('GET /balance-entries', ['query' => $filter]);
    }

    /**
     * The business balance's ledger lines, newest first. Fetches the next page only when it is needed.
     *
     * @param BalanceEntryFilter $filter
     * @return \Generator<int, BalanceEntry>
     * @throws FlorinException
     */
    public function listAll(array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) {
            return $this->list($page);
        }, $filter);
    }
}
