<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * Creates a payment, or finds the one that an earlier try made: its answer was lost, and a later try is refused because
 * the reference exists. This happens only where a proxy drops the idempotency keys too.
 */
final class CreatePayment
{
    private const TEXTS = [
        'payment_type',
        'customer_email',
        'customer_reference',
        'success_url',
        'failure_url',
        'meta_data',
        'payment_note',
    ];

    private Sender $sender;

    public function __construct(Sender $sender)
    {
        $this->sender = $sender;
    }

    /** @throws FlorinException */
    public function perform(string $name, array $parts): array
    {
        try {
            [$data, $replayed] = $this->sender->send($name, $parts);
            return $data + ['replayed' => $replayed];
        } catch (FlorinException $error) {
            $found = $this->find($parts['body'], $error);
            if ($found === null) {
                throw $error;
            }
            return $found + ['replayed' => true];
        }
    }

    /** Null for a payment that differs in anything from the input, or cannot be read. */
    private function find(array $input, FlorinException $error): ?array
    {
        $reference = $input['payment_reference'] ?? '';
        if ($error->status !== 409 || $error->tries < 2 || $reference === '') {
            return null;
        }
        try {
            [$payment] = $this->sender->send('GET /payments/{payment_reference}', ['path' => [$reference]]);
        } catch (FlorinException $unreadable) {
            return null;
        }
        // A key that may create payments also gets the address.
        if ($payment['PaymentURL'] === null || !self::isMadeOf($payment, $input)) {
            return null;
        }
        $fields = ['id', 'payment_reference', 'currency', 'payment_status', 'payment_type', 'created_at'];
        $data = array_intersect_key($payment, array_flip($fields));
        $data['amount'] = json_decode((string) self::askedOf($input)[0]);
        return ['PaymentData' => $data, 'PaymentURL' => $payment['PaymentURL']];
    }

    /** What is asked: an amount, or a price. */
    private static function askedOf(array $input): array
    {
        return isset($input['price'])
            ? [$input['price']['amount'], $input['price']['currency']]
            : [$input['amount'] ?? 0, $input['currency'] ?? ''];
    }

    private static function isMadeOf(array $payment, array $input): bool
    {
        [$amount, $currency] = self::askedOf($input);
        // Both are the same double: a decimal of at most 15 digits identifies it.
        if ((float) $payment['amount'] !== (float) $amount || $payment['currency'] !== $currency) {
            return false;
        }
        $wanted = $input['currency'] ?? '';
        if (isset($input['price']) && $wanted !== '' && ($payment['quote']['currency'] ?? null) !== $wanted) {
            return false;
        }
        if (($input['fee_payer'] ?? '') !== '' && $input['fee_payer'] !== $payment['fee_payer']) {
            return false;
        }
        if (self::linesOf($input) !== self::linesOf($payment)) {
            return false;
        }
        foreach (self::TEXTS as $field) {
            if ((($input[$field] ?? '') ?: null) !== ($payment[$field] ?? null)) {
                return false;
            }
        }
        return true;
    }

    private static function linesOf(array $source): ?array
    {
        if (!isset($source['item_list'])) {
            return null;
        }
        return array_map(static function (array $item): array {
            return [$item['name'], (float) $item['price'], (float) $item['quantity']];
        }, $source['item_list']['items']);
    }
}
