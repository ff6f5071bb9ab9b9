<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `payments`.
 *
 * @phpstan-import-type CreatedPayment from \Florin\Types\Payments
 * @phpstan-import-type PaymentInput from \Florin\Types\Payments
 * @phpstan-import-type PaymentInfo from \Florin\Types\Payments
 * @phpstan-import-type PaymentSummary from \Florin\Types\Payments
 * @phpstan-import-type Payment from \Florin\Types\Payments
 * @phpstan-import-type PaymentFilter from \Florin\Types\Payments
 * @phpstan-import-type PaymentsDestinationsAnswer from \Florin\Types\Payments
 */
final class PaymentsCalls extends CallGroup
{
    /**
     * Create a payment.
     *
     * @param PaymentInput $input
     * @return CreatedPayment&array{replayed: bool}
     * @throws FlorinException
     */
    public function create(array $input, ?string $idempotencyKey = null): array
    {
        return $this->createPayment(
            'PUT /payment/create',
            [
                'body' => $input,
                'key' => $idempotencyKey,
                'numbers' => ['amount', 'item_list.items[].price', 'item_list.items[].quantity'],
            ],
        );
    }

    /**
     * Get payment information.
     *
     * @return PaymentInfo
     * @throws FlorinException
     */
    public function info(string $paymentReference): array
    {
        return $this->call(
            'GET /payment/info/{payment_reference}',
            ['path' => [$paymentReference]],
        );
    }

    /**
     * List payments, newest first.
     *
     * @param PaymentFilter $filter
     * @return array{items: list<PaymentSummary>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(array $filter = []): array
    {
        return $this->call('GET /payments', ['query' => $filter]);
    }

    /**
     * List payments, newest first. Fetches the next page only when it is needed.
     *
     * @param PaymentFilter $filter
     * @return \Generator<int, PaymentSummary>
     * @throws FlorinException
     */
    public function listAll(array $filter = []): \Generator
    {
        return $this->everyItem(function (array $page) {
            return $this->list($page);
        }, $filter);
    }

    /**
     * Everything known of a payment.
     *
     * @return Payment
     * @throws FlorinException
     */
    public function get(string $paymentReference): array
    {
        return $this->call('GET /payments/{payment_reference}', ['path' => [$paymentReference]]);
    }

    /**
     * Cancel a payment nobody has paid yet.
     *
     * @return Payment
     * @throws FlorinException
     */
    public function cancel(string $paymentReference, ?string $idempotencyKey = null): array
    {
        return $this->call(
            'POST /payments/{payment_reference}/cancel',
            ['path' => [$paymentReference], 'key' => $idempotencyKey],
        );
    }

    /**
     * By what the addresses of a payment follow.
     *
     * @return PaymentsDestinationsAnswer
     * @throws FlorinException
     */
    public function destinations(string $paymentReference): array
    {
        return $this->call(
            'GET /payments/{payment_reference}/destinations',
            ['path' => [$paymentReference]],
        );
    }
}
