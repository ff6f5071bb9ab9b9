<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `refunds`.
 *
 * @phpstan-import-type Refund from \Florin\Types\Payments
 * @phpstan-import-type RefundInput from \Florin\Types\Payments
 */
final class RefundsCalls extends CallGroup
{
    /**
     * Refund a payment.
     *
     * @param RefundInput $input
     * @return Refund
     * @throws FlorinException
     */
    public function create(
        string $paymentReference,
        array $input = [],
        ?string $idempotencyKey = null
    ): array {
        return $this->call(
            'POST /payments/{payment_reference}/refunds',
            ['path' => [$paymentReference], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * The refunds of a payment.
     *
     * @return array{items: list<Refund>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function list(string $paymentReference): array
    {
        return $this->call(
            'GET /payments/{payment_reference}/refunds',
            ['path' => [$paymentReference]],
        );
    }

    /**
     * Cancel a refund that is not being sent yet.
     *
     * @return Refund
     * @throws FlorinException
     */
    public function cancel(
        string $paymentReference,
        string $id,
        ?string $idempotencyKey = null
    ): array {
        return $this->call(
            'POST /payments/{payment_reference}/refunds/{id}/cancel',
            ['path' => [$paymentReference, $id], 'key' => $idempotencyKey],
        );
    }
}
