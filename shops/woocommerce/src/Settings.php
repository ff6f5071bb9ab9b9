<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** The options of the plug-in. Keys and webhook endpoints are kept for each mode, so that orders of both go on side by side. */
final class Settings
{
    public const GATEWAY = 'florin';
    /** Filled in by the form of the gateway. */
    public const FORM_OPTION = 'woocommerce_florin_settings';
    /** Filled in by the plug-in: `{test: {endpoint, secret, address}, live: ...}`. */
    public const ENDPOINTS_OPTION = 'florin_endpoints';
    public const MODES = ['test', 'live'];

    public static function get(string $name, string $default = ''): string
    {
        $form = get_option(self::FORM_OPTION, []);
        return is_array($form) && isset($form[$name]) ? trim((string) $form[$name]) : $default;
    }

    public static function set(string $name, string $value): void
    {
        $form = get_option(self::FORM_OPTION, []);
        $form = is_array($form) ? $form : [];
        $form[$name] = $value;
        update_option(self::FORM_OPTION, $form);
    }

    public static function mode(): string
    {
        return self::get('mode') === 'live' ? 'live' : 'test';
    }

    /** Where the gateway is, without a slash at the end. */
    public static function address(): string
    {
        return rtrim(self::get('address'), '/');
    }

    public static function key(string $mode): string
    {
        return self::get($mode . '_key');
    }

    public static function isReady(string $mode): bool
    {
        return self::address() !== '' && self::key($mode) !== '';
    }

    public static function opensPopUp(): bool
    {
        return self::get('display') === 'popup';
    }

    /** The page of the settings. */
    public static function url(): string
    {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . self::GATEWAY);
    }

    public static function log(string $message): void
    {
        wc_get_logger()->warning($message, ['source' => 'florin']);
    }
}
