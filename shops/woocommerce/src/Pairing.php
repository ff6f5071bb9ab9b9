<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/**
 * "Connect": the merchant grants this shop a restricted key in the gateway's dashboard, which posts it here. Who began that
 * is known by a secret that is good for one answer.
 */
final class Pairing
{
    private const ACTION = 'florin_connect';
    private const RETURN = 'florin_connected';
    private const TRANSIENT = 'florin_pairing_';
    private const PERMISSIONS = [
        'btcpay.store.canviewinvoices',
        'btcpay.store.cancreateinvoice',
        'btcpay.store.canmodifyinvoices',
        'btcpay.store.webhooks.canmodifywebhooks',
        'btcpay.store.cancreatenonapprovedpullpayments',
    ];

    public static function register(): void
    {
        add_action('admin_post_' . self::ACTION, [self::class, 'begin']);
        add_action('woocommerce_api_' . self::RETURN, [self::class, 'finish']);
        add_action('admin_notices', [self::class, 'tell']);
    }

    public static function button(string $mode): string
    {
        $url = wp_nonce_url(admin_url('admin-post.php?action=' . self::ACTION . '&mode=' . $mode), self::ACTION);
        $words = Settings::key($mode) === ''
            ? __('Connect', 'florin-for-woocommerce')
            : __('Connect anew', 'florin-for-woocommerce');
        return sprintf('<a class="button" href="%s">%s</a>', esc_url($url), esc_html($words));
    }

    public static function begin(): void
    {
        if (!current_user_can('manage_woocommerce') || !check_admin_referer(self::ACTION)) {
            wp_die(esc_html__('You may not do this.', 'florin-for-woocommerce'), '', ['response' => 403]);
        }
        $address = Settings::address();
        if ($address === '') {
            self::leave('no-address');
        }
        $secret = wp_generate_password(40, false);
        $mode = isset($_GET['mode']) && $_GET['mode'] === 'live' ? 'live' : 'test';
        set_transient(self::TRANSIENT . hash('sha256', $secret), ['address' => $address, 'mode' => $mode], 15 * MINUTE_IN_SECONDS);
        $query = http_build_query([
            'applicationName' => 'WooCommerce, ' . wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES),
            'applicationIdentifier' => 'florin-for-woocommerce',
            'strict' => 'true',
            'selectiveStores' => 'true',
            'redirect' => add_query_arg('state', $secret, WC()->api_request_url(self::RETURN)),
        ]);
        foreach (self::PERMISSIONS as $permission) {
            $query .= '&permissions=' . rawurlencode($permission);
        }
        // The address is the merchant's own setting.
        // phpcs:ignore WordPress.Security.SafeRedirect
        wp_redirect($address . '/api-keys/authorize?' . $query, 303);
        exit;
    }

    public static function finish(): void
    {
        $secret = isset($_GET['state']) ? (string) wp_unslash($_GET['state']) : '';
        $name = self::TRANSIENT . hash('sha256', $secret);
        $asked = get_transient($name);
        delete_transient($name);
        $key = isset($_POST['apiKey']) ? trim((string) wp_unslash($_POST['apiKey'])) : '';
        if (!is_array($asked) || $asked['address'] !== Settings::address()) {
            self::leave('unasked');
        }
        $mode = strncmp($key, 'sk_live_', 8) === 0 ? 'live' : (strncmp($key, 'sk_test_', 8) === 0 ? 'test' : '');
        if ($mode === '') {
            self::leave('refused');
        }
        Settings::set($mode . '_key', $key);
        try {
            Endpoints::ensure($mode);
        } catch (ApiError $error) {
            Settings::log('After connecting: ' . $error->getMessage());
            self::leave('no-webhooks');
        }
        self::leave('connected-' . $mode);
    }

    public static function tell(): void
    {
        $words = [
            'no-address' => __('Save the address of your gateway first, then connect.', 'florin-for-woocommerce'),
            'unasked' => __('This connection was not asked for here, or too long ago. Press Connect again.', 'florin-for-woocommerce'),
            'refused' => __('The gateway gave no key. Nothing was changed.', 'florin-for-woocommerce'),
            'no-webhooks' => __(
                'Connected, but the gateway cannot send webhooks to this shop. Orders are looked at every so often.',
                'florin-for-woocommerce'
            ),
            'connected-test' => __('Connected for test mode.', 'florin-for-woocommerce'),
            'connected-live' => __('Connected for live mode.', 'florin-for-woocommerce'),
        ];
        $what = isset($_GET['florin']) ? sanitize_key($_GET['florin']) : '';
        if (isset($words[$what])) {
            $class = strncmp($what, 'connected', 9) === 0 ? 'notice-success' : 'notice-error';
            printf('<div class="notice %s"><p>Florin: %s</p></div>', esc_attr($class), esc_html($words[$what]));
        }
    }

    /** @return never */
    private static function leave(string $what): void
    {
        wp_safe_redirect(add_query_arg('florin', $what, Settings::url()), 303);
        exit;
    }
}
