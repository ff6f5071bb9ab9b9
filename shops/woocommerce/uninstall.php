<?php

// Leaves nothing behind: settings, keys, webhook endpoints and schedules. What orders say of their payments stays with them.

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

$florin_form = get_option('woocommerce_florin_settings', []);
$florin_endpoints = get_option('florin_endpoints', []);
foreach (is_array($florin_endpoints) ? $florin_endpoints : [] as $florin_mode => $florin_endpoint) {
    // A gateway that is gone or a key that was revoked stops nobody from uninstalling.
    wp_remote_request(
        rtrim((string) ($florin_form['address'] ?? ''), '/') . '/webhook-endpoints/' . rawurlencode((string) $florin_endpoint['id']),
        [
            'method' => 'DELETE',
            'headers' => ['Authorization' => 'Bearer ' . ($florin_form[$florin_mode . '_key'] ?? '')],
            'timeout' => 10,
        ]
    );
}
delete_option('woocommerce_florin_settings');
delete_option('florin_endpoints');
if (function_exists('as_unschedule_all_actions')) {
    as_unschedule_all_actions('florin_look_again');
}
