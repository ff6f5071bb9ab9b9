<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

use RuntimeException;

/** Lets one request at a time work on an order: a webhook, the customer's return and a second tab may come at once. */
final class OrderLock
{
    private const WAIT_SECONDS = 20;

    /**
     * @template T
     * @param callable(\WC_Order): T $work is given the order as it is stored once it is locked
     * @return T
     */
    public static function with(int $orderId, callable $work)
    {
        global $wpdb;
        $name = 'florin_' . md5(DB_NAME . $wpdb->prefix) . '_' . $orderId;
        $held = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::WAIT_SECONDS));
        if ((string) $held !== '1') {
            throw new RuntimeException('The order ' . $orderId . ' is being worked on');
        }
        try {
            // What another request wrote meanwhile is not in this one's caches.
            clean_post_cache($orderId);
            wp_cache_delete($orderId, 'orders');
            $order = wc_get_order($orderId);
            if (!$order instanceof \WC_Order) {
                throw new RuntimeException('There is no order ' . $orderId);
            }
            return $work($order);
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }
}
