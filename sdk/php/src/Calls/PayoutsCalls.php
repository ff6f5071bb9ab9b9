<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;
use Florin\Internal\Sender;

/**
 * The calls of `payouts`.
 *
 * @phpstan-import-type Payout from \Florin\Types\Payouts
 * @phpstan-import-type PayoutOrderInput from \Florin\Types\Payouts
 * @phpstan-import-type PayoutBatch from \Florin\Types\Payouts
 * @phpstan-import-type PayoutBatchInput from \Florin\Types\Payouts
 * @phpstan-import-type PayoutFee from \Florin\Types\Payouts
 * @phpstan-import-type PayoutFilter from \Florin\Types\Payouts
 */
final class PayoutsCalls extends CallGroup
{
    public PayoutsTopUpAddressesCalls $topUpAddresses;

    public function __construct(Sender $sender)
    {
        parent::__construct($sender);
        $this->topUpAddresses = new PayoutsTopUpAddressesCalls($sender);
    }

    /**
     * Order a payout.
     *
     * @param PayoutOrderInput $input
     * @return Payout
     * @throws FlorinException
     */
    public function create(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /payouts', ['body' => $input, 'key' => $idempotencyKey]);
    }

    /**
     * List payouts, newest first.
     *
     * @param PayoutFilter $filter
     * @return array{items: list<Payout>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(array $filter = []): array
    {
        return $this->call('GET /payouts', ['query' => $filter]);
    }

    /**
     * List payouts, newest first. Fetches the next page only when it is needed.
     *
     * @param PayoutFilter $filter
     * @return \Generator<int, Payout>
     * @throws FlorinException
     */
    public function listAll(array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) {
            return $this->list($page);
        }, $filter);
    }

    /**
     * Order up to 500 payouts, all or none.
     *
     * @param PayoutBatchInput $input
     * @return PayoutBatch
     * @throws FlorinException
     */
    public function createBatch(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /payouts/batch', ['body' => $input, 'key' => $idempotencyKey]);
    }

    /**
     * One payout.
     *
     * @return Payout
     * @throws FlorinException
     */
    public function get(string $payout): array
    {
        return $this->call('GET /payouts/{payout}', ['path' => [$payout]]);
    }

    /**
     * Cancel a payout that is not being sent yet.
     *
     * @return Payout
     * @throws FlorinException
     */
    public function cancel(string $payout, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /payouts/{payout}/cancel',
            ['path' => [$payout], 'key' => $idempotencyKey],
        );
    }

    /**
     * Fee, minimum and limit of payouts in each asset.
     *
     * @return array{items: list<PayoutFee>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function fees(): array
    {
        return $this->call('GET /payout-fees');
    }
}
