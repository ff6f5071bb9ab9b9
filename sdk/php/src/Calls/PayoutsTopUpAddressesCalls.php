<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `payouts->topUpAddresses`.
 *
 * @phpstan-import-type TopUpAddress from \Florin\Types\Payouts
 */
final class PayoutsTopUpAddressesCalls extends CallGroup
{
    /**
     * Addresses that top up the business balance.
     *
     * @return array{items: list<TopUpAddress>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(): array
    {
        return $this->call('GET /top-up-addresses');
    }

    /**
     * The address that tops up the business balance of an asset.
     *
     * @return TopUpAddress
     * @throws FlorinException
     */
    public function create(string $asset, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /top-up-addresses',
            ['body' => ['asset' => $asset], 'key' => $idempotencyKey],
        );
    }
}
