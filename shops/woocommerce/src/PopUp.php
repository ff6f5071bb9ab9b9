<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** The page of an order that waits for its payment: it opens the gateway's page over the shop, and has a link to it. */
final class PopUp
{
    private const SCRIPT = 'florin-pop-up';

    public static function load(): void
    {
        if (!function_exists('is_checkout_pay_page') || !is_checkout_pay_page() || !Settings::opensPopUp()) {
            return;
        }
        // The gateway's script has a version of its own.
        wp_register_script('florin-gateway', Settings::address() . '/florin.js', [], null, true);
        wp_enqueue_script(self::SCRIPT, Plugin::asset('pop-up.js'), ['florin-gateway'], Plugin::version(), true);
    }

    public static function show(int $orderId): void
    {
        $order = wc_get_order($orderId);
        $kept = $order instanceof \WC_Order ? OrderPayments::current($order) : null;
        if ($kept === null || $kept['url'] === '') {
            return;
        }
        printf(
            '<p><a class="button" id="florin-pay" href="%s" data-done="%s">%s</a></p>',
            esc_url($kept['url']),
            esc_url($order->get_checkout_order_received_url()),
            esc_html__('Pay now', 'florin-for-woocommerce')
        );
    }
}
