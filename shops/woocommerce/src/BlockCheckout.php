<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Florin at a checkout that is made of blocks. */
final class BlockCheckout extends AbstractPaymentMethodType
{
    protected $name = Settings::GATEWAY;

    public function initialize(): void
    {
        $this->settings = get_option(Settings::FORM_OPTION, []);
    }

    public function is_active(): bool
    {
        return Settings::get('enabled') === 'yes' && Settings::isReady(Settings::mode());
    }

    /** @return string[] */
    public function get_payment_method_script_handles(): array
    {
        wp_register_script(
            'florin-block-checkout',
            Plugin::asset('block-checkout.js'),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'],
            Plugin::version(),
            true
        );
        return ['florin-block-checkout'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        $gateway = new Gateway();
        return [
            'title' => $gateway->title,
            'description' => $gateway->description,
            'icon' => Plugin::asset('florin.svg'),
            'supports' => $gateway->supports,
        ];
    }
}
