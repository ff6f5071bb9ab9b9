<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

/** Registers what WordPress and WooCommerce call. */
final class Plugin
{
    private static string $file = '';

    public static function start(string $file): void
    {
        self::$file = $file;
        add_action('before_woocommerce_init', [self::class, 'declareFeatures']);
        add_action('plugins_loaded', [self::class, 'register']);
    }

    /** Orders may lie in tables of their own (HPOS), and the checkout may be made of blocks. */
    public static function declareFeatures(): void
    {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            FeaturesUtil::declare_compatibility($feature, self::$file, true);
        }
    }

    public static function register(): void
    {
        if (!class_exists('WC_Payment_Gateway')) {
            return;
        }
        load_plugin_textdomain('florin-for-woocommerce', false, dirname(plugin_basename(self::$file)) . '/languages');
        add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
            $gateways[] = Gateway::class;
            return $gateways;
        });
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
            $registry->register(new BlockCheckout());
        });
        add_filter('plugin_action_links_' . plugin_basename(self::$file), [self::class, 'addSettingsLink']);
        add_action('wp_enqueue_scripts', [PopUp::class, 'load']);
        OrderUpdates::register();
        WebhookReceiver::register();
        Pairing::register();
    }

    /**
     * @param string[] $links
     * @return string[]
     */
    public static function addSettingsLink(array $links): array
    {
        $link = sprintf(
            '<a href="%s">%s</a>',
            esc_url(Settings::url()),
            esc_html__('Settings', 'florin-for-woocommerce')
        );
        return array_merge([$link], $links);
    }

    public static function asset(string $name): string
    {
        return plugins_url('assets/' . $name, self::$file);
    }

    public static function version(): string
    {
        return (string) get_file_data(self::$file, ['version' => 'Version'])['version'];
    }
}
