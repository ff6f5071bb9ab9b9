<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Explanation;
use Florin\Internal\Json;
use Florin\Internal\Signature;
use Florin\Internal\WebhookParts;
use Florin\Internal\WebhookSecrets;

/**
 * Verifies webhooks (contract.md#webhooks).
 *
 * @phpstan-import-type PaymentEvent from \Florin\Types\Events
 * @phpstan-import-type RefundEvent from \Florin\Types\Events
 * @phpstan-import-type PayoutEvent from \Florin\Types\Events
 * @phpstan-import-type WebhookEndpointDisabledEvent from \Florin\Types\Events
 */
final class Webhook
{
    /**
     * Verifies that a webhook came from your gateway and returns its event. Deliveries can repeat: process each `event_id`
     * once. Types that this version does not know are returned too.
     *
     * `secret_key` (`sk_...`) checks X-Signature and `endpoint_secret` (`whsec_...`) webhook-signature, which also stops
     * replays: give both to have both checked. Each may be a list while it is being rolled. webhook-timestamp may be
     * `tolerance_seconds` (300) from `now`, which is in Unix seconds.
     *
     * @param string $body the body exactly as it came: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers `getallheaders()`, or those of a PSR-7 request
     * @param array{secret_key?: string|list<string>|false|null, endpoint_secret?: string|list<string>|false|null, tolerance_seconds?: int, now?: int} $options
     * @return PaymentEvent|RefundEvent|PayoutEvent|WebhookEndpointDisabledEvent
     * @throws WebhookVerificationException when it cannot be verified: answer 400
     */
    public static function verify($body, array $headers, array $options): array
    {
        $secretKeys = WebhookSecrets::secretKeys($options);
        $endpointSecrets = WebhookSecrets::endpointSecrets($options);
        $raw = WebhookParts::body($body);

        $signatures = [];
        if ($secretKeys !== null) {
            $signatures[] = Signature::plain($secretKeys, $headers);
        }
        if ($endpointSecrets !== null) {
            $signatures[] = Signature::standard($endpointSecrets, $headers);
        }
        if ($signatures === []) {
            throw new WebhookVerificationException('no_secret', 'Pass secret_key, endpoint_secret or both');
        }

        [$wrong, $right] = self::judge($signatures, $raw);
        if ($wrong !== null) {
            throw Explanation::of($wrong, $right, $raw);
        }
        if ($endpointSecrets !== null) {
            self::checkAge(WebhookParts::requireHeader($headers, 'webhook-timestamp'), $options);
        }
        return self::readEvent($raw, $headers);
    }

    /**
     * The first signature that is wrong, and one that is right; both are checked in any case.
     *
     * @param list<Signature> $signatures
     * @return array{?Signature, ?Signature}
     */
    private static function judge(array $signatures, string $raw): array
    {
        [$wrong, $right] = [null, null];
        foreach ($signatures as $signature) {
            if ($signature->fits($raw)) {
                $right = $right ?? $signature;
            } else {
                $wrong = $wrong ?? $signature;
            }
        }
        return [$wrong, $right];
    }

    private static function checkAge(string $timestamp, array $options): void
    {
        $tolerance = $options['tolerance_seconds'] ?? 300;
        if (preg_match('/\A\s*([+-]?[0-9]+)/', $timestamp, $match) !== 1) {
            throw new WebhookVerificationException('too_old', 'webhook-timestamp is no time in Unix seconds');
        }
        $age = ($options['now'] ?? time()) - (int) $match[1];
        $clock = "$tolerance s are allowed. If it is a true one, this machine's clock is";
        if ($age < -$tolerance) {
            $ahead = -$age;
            $message = "The webhook's time lies $ahead s ahead, and $clock behind";
            throw new WebhookVerificationException('too_new', $message);
        }
        if ($age > $tolerance) {
            $message = "The webhook was sent $age s ago, and $clock ahead, or something held it back";
            throw new WebhookVerificationException('too_old', $message);
        }
    }

    private static function readEvent(string $raw, array $headers): array
    {
        $event = Json::read(WebhookParts::text($raw));
        $isEvent = is_array($event) && is_string($event['event_id'] ?? null) && is_string($event['event_type'] ?? null);
        if (!$isEvent) {
            $message = 'The signature is right, but the body is not an event';
            throw new WebhookVerificationException('not_an_event', $message);
        }
        $announced = WebhookParts::findHeader($headers, 'x-event-id');
        if ($announced !== null && $announced !== $event['event_id']) {
            $message = 'X-Event-Id is not the event_id of the body';
            throw new WebhookVerificationException('event_id_mismatch', $message);
        }
        return $event;
    }
}
