<?php

/**
 * Plugin Name: Florin for WooCommerce
 * Description: Lets customers pay in PI, USDC, USDT and CSK through your own Florin payment gateway.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * WC requires at least: 7.9
 * Author: Florin
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: florin-for-woocommerce
 * Domain Path: /languages
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

spl_autoload_register(static function (string $class): void {
    $prefix = 'Florin\\WooCommerce\\';
    if (strncmp($class, $prefix, strlen($prefix)) === 0) {
        require __DIR__ . '/src/' . substr($class, strlen($prefix)) . '.php';
    }
});

Florin\WooCommerce\Plugin::start(__FILE__);
