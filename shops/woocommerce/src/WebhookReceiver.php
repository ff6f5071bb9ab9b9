<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/**
 * Takes the gateway's webhooks at `?wc-api=florin`. A webhook only says which payment to read: it may come twice, late, out
 * of order, or before the call that made the payment has answered.
 */
final class WebhookReceiver
{
    public const EVENTS = [
        'payment_completed',
        'payment_failed',
        'payment_abandoned',
        'payment_pending',
        'payment_cancelled',
        'payment_in_appeal',
        'payment_appeal_closed',
        'payment_refunded',
        'refund_failed',
    ];

    public static function register(): void
    {
        add_action('woocommerce_api_florin', [self::class, 'receive']);
    }

    public static function url(): string
    {
        return WC()->api_request_url('florin');
    }

    public static function receive(): void
    {
        $raw = (string) file_get_contents('php://input');
        if (self::modeOf($raw) === null) {
            self::answer(401, 'The signature is wrong');
        }
        $event = json_decode($raw, true);
        $reference = is_array($event) ? (string) ($event['payment_reference'] ?? '') : '';
        $orderId = OrderPayments::orderIdOf($reference);
        // Payments of other programs of the same integration are none of this shop's.
        if ($orderId === 0 || !wc_get_order($orderId) instanceof \WC_Order) {
            self::answer(200, 'Not an order of this shop');
        }
        try {
            OrderUpdates::refresh($orderId);
        } catch (\RuntimeException $error) {
            // The gateway sends it again.
            Settings::log('Order ' . $orderId . ': ' . $error->getMessage());
            self::answer(503, 'Not now');
        }
        self::answer(200, 'Taken');
    }

    /** The mode whose endpoint signed it; null where none did. */
    private static function modeOf(string $raw): ?string
    {
        foreach (Settings::MODES as $mode) {
            $endpoint = Endpoints::of($mode);
            if (
                $endpoint !== null && WebhookSignature::isGenuine(
                    $raw,
                    self::header('WEBHOOK_ID'),
                    self::header('WEBHOOK_TIMESTAMP'),
                    self::header('WEBHOOK_SIGNATURE'),
                    $endpoint['secret'],
                    time()
                )
            ) {
                return $mode;
            }
        }
        return null;
    }

    private static function header(string $name): string
    {
        return isset($_SERVER['HTTP_' . $name]) ? (string) wp_unslash($_SERVER['HTTP_' . $name]) : '';
    }

    /** @return never */
    private static function answer(int $status, string $words): void
    {
        status_header($status);
        header('Content-Type: text/plain; charset=utf-8');
        echo esc_html($words);
        exit;
    }
}
