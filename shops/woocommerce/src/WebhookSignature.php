<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** Judges the signature of a webhook by the secret of its endpoint (Standard Webhooks). */
final class WebhookSignature
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * @param string $raw the body as it came, byte for byte
     * @param string $id the header webhook-id
     * @param string $timestamp the header webhook-timestamp
     * @param string $signatures the header webhook-signature: one or more, parted by spaces
     */
    public static function isGenuine(
        string $raw,
        string $id,
        string $timestamp,
        string $signatures,
        string $secret,
        int $now
    ): bool {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($key === false || $key === '' || $id === '' || !ctype_digit($timestamp)) {
            return false;
        }
        if (abs($now - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            return false;
        }
        $expected = base64_encode(hash_hmac('sha256', $id . '.' . $timestamp . '.' . $raw, $key, true));
        foreach (explode(' ', $signatures) as $signature) {
            if (strncmp($signature, 'v1,', 3) === 0 && hash_equals($expected, substr($signature, 3))) {
                return true;
            }
        }
        return false;
    }
}
