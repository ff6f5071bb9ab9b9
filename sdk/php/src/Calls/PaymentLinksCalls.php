<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `paymentLinks`.
 *
 * @phpstan-import-type PaymentLink from \Florin\Types\PaymentLinks
 * @phpstan-import-type PaymentLinkInput from \Florin\Types\PaymentLinks
 * @phpstan-import-type LinkFilter from \Florin\Types\PaymentLinks
 * @phpstan-import-type PaymentLinkChange from \Florin\Types\PaymentLinks
 */
final class PaymentLinksCalls extends CallGroup
{
    /**
     * Make a payment link.
     *
     * @param PaymentLinkInput $input
     * @return PaymentLink
     * @throws FlorinException
     */
    public function create(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /payment-links', ['body' => $input, 'key' => $idempotencyKey]);
    }

    /**
     * List payment links, newest first.
     *
     * @param LinkFilter $filter
     * @return array{items: list<PaymentLink>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(array $filter = []): array
    {
        return $this->call('GET /payment-links', ['query' => $filter]);
    }

    /**
     * List payment links, newest first. Fetches the next page only when it is needed.
     *
     * @param LinkFilter $filter
     * @return \Generator<int, PaymentLink>
     * @throws FlorinException
     */
    public function listAll(array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) {
            return $this->list($page);
        }, $filter);
    }

    /**
     * One payment link.
     *
     * @return PaymentLink
     * @throws FlorinException
     */
    public function get(string $id): array
    {
        return $this->call('GET /payment-links/{id}', ['path' => [$id]]);
    }

    /**
     * Stop a payment link, or let it take payments again.
     *
     * @param PaymentLinkChange $input
     * @return PaymentLink
     * @throws FlorinException
     */
    public function update(string $id, array $input, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'PATCH /payment-links/{id}',
            ['path' => [$id], 'body' => $input, 'key' => $idempotencyKey],
        );
    }
}
