<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** Florin as a way to pay: its settings, and what WooCommerce asks of it. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = Settings::GATEWAY;
        $this->method_title = 'Florin';
        $this->method_description = __(
            'Takes PI, USDC, USDT and CSK through your own Florin payment gateway, at the prices of your shop.',
            'florin-for-woocommerce'
        );
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->icon = Plugin::asset('florin.svg');
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        if (Settings::mode() === 'test') {
            $this->description .= ' ' . __('Test mode: nobody pays for real.', 'florin-for-woocommerce');
        }
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
        add_action('woocommerce_receipt_' . $this->id, [PopUp::class, 'show']);
    }

    public function init_form_fields(): void
    {
        $key = static fn (string $title, string $mode): array => [
            'title' => $title,
            'type' => 'password',
            'description' => Pairing::button($mode),
            'custom_attributes' => ['autocomplete' => 'off'],
        ];
        $this->form_fields = [
            'enabled' => [
                'title' => __('Enable', 'florin-for-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Customers can pay with Florin', 'florin-for-woocommerce'),
                'default' => 'no',
            ],
            'address' => [
                'title' => __('Address of your gateway', 'florin-for-woocommerce'),
                'type' => 'url',
                'placeholder' => 'https://pay.example.com',
                'description' => __('Save it first; then connect below, or paste a key of the integration.', 'florin-for-woocommerce'),
            ],
            'mode' => [
                'title' => __('Mode', 'florin-for-woocommerce'),
                'type' => 'select',
                'options' => [
                    'test' => __('Test: nobody pays for real', 'florin-for-woocommerce'),
                    'live' => __('Live', 'florin-for-woocommerce'),
                ],
                'default' => 'test',
                'description' => __('Of new orders. Orders of the other mode go on as they are.', 'florin-for-woocommerce'),
            ],
            'test_key' => $key(__('Test key', 'florin-for-woocommerce'), 'test'),
            'live_key' => $key(__('Live key', 'florin-for-woocommerce'), 'live'),
            'display' => [
                'title' => __('The page to pay on', 'florin-for-woocommerce'),
                'type' => 'select',
                'options' => [
                    'redirect' => __('Opens in place of the shop', 'florin-for-woocommerce'),
                    'popup' => __('Opens over the shop', 'florin-for-woocommerce'),
                ],
                'default' => 'redirect',
            ],
            'title' => [
                'title' => __('Title', 'florin-for-woocommerce'),
                'type' => 'text',
                'default' => __('PI, USDC and other coins', 'florin-for-woocommerce'),
                'description' => __('What customers read at the checkout.', 'florin-for-woocommerce'),
            ],
            'description' => [
                'title' => __('Description', 'florin-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('You choose a coin on the next page, at the rate of that moment.', 'florin-for-woocommerce'),
            ],
        ];
    }

    public function is_available(): bool
    {
        return parent::is_available() && Settings::isReady(Settings::mode());
    }

    /** Saves the form, tries each key, and makes the webhook endpoints. */
    public function process_admin_options(): bool
    {
        $saved = parent::process_admin_options();
        foreach (Settings::MODES as $mode) {
            foreach (self::faultsOf($mode) as $fault) {
                \WC_Admin_Settings::add_error($fault);
            }
        }
        return $saved;
    }

    /** @return string[] */
    private static function faultsOf(string $mode): array
    {
        $key = Settings::key($mode);
        if ($key === '') {
            return [];
        }
        $name = $mode === 'test' ? __('Test key', 'florin-for-woocommerce') : __('Live key', 'florin-for-woocommerce');
        if (strncmp($key, 'sk_' . $mode . '_', 8) !== 0) {
            /* translators: 1: which key, 2: how it begins */
            return [sprintf(__('%1$s: it must begin with %2$s.', 'florin-for-woocommerce'), $name, 'sk_' . $mode . '_')];
        }
        try {
            Endpoints::ensure($mode);
            return [];
        } catch (ApiError $error) {
            return [$name . ': ' . $error->getMessage()];
        }
    }

    /**
     * @param int $orderId
     * @return array<string, string>
     */
    public function process_payment($orderId): array
    {
        try {
            return OrderLock::with((int) $orderId, static function (\WC_Order $order): array {
                $kept = OrderPayments::open($order);
                if ($order->is_paid()) {
                    return ['result' => 'success', 'redirect' => $order->get_checkout_order_received_url()];
                }
                $url = Settings::opensPopUp() ? $order->get_checkout_payment_url(true) : $kept['url'];
                return ['result' => 'success', 'redirect' => $url];
            });
        } catch (\RuntimeException $error) {
            Settings::log('Order ' . $orderId . ': ' . $error->getMessage());
            $isRefusal = $error instanceof ApiError && in_array($error->status, [400, 503], true);
            $words = __('The payment could not be started. Please try again, or choose another way to pay.', 'florin-for-woocommerce');
            wc_add_notice($isRefusal ? $words . ' (' . esc_html($error->getMessage()) . ')' : $words, 'error');
            return ['result' => 'failure'];
        }
    }

    /**
     * @param int $orderId
     * @param float|string|null $amount
     * @param string $reason
     * @return bool|\WP_Error
     */
    public function process_refund($orderId, $amount = null, $reason = '')
    {
        try {
            return OrderLock::with((int) $orderId, static function (\WC_Order $order) use ($amount, $reason): bool {
                return OrderRefunds::make($order, number_format((float) $amount, wc_get_price_decimals(), '.', ''), (string) $reason);
            });
        } catch (\RuntimeException $error) {
            return new \WP_Error('florin', $error->getMessage());
        }
    }
}
