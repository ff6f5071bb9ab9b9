<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/**
 * Brings an order up to date with what the gateway says of its payment. Webhooks, the customer's return and a schedule
 * all come here; what they carry is never believed, the payment is read from the API.
 */
final class OrderUpdates
{
    private const SCHEDULED = 'florin_look_again';
    /** Minutes after the payment was made; what a lost webhook would have told is known by then. */
    private const LOOKS = [15, 60, 360, 1440];

    public static function register(): void
    {
        add_action(self::SCHEDULED, [self::class, 'look'], 10, 2);
        add_action('template_redirect', [self::class, 'onReturn']);
        add_action('woocommerce_order_status_changed', [self::class, 'onStatus'], 10, 4);
        add_action('woocommerce_checkout_order_processed', [self::class, 'onCheckout'], 10, 3);
        add_action('woocommerce_store_api_checkout_order_processed', [self::class, 'onBlockCheckout']);
    }

    public static function lookAgainLater(int $orderId, int $look): void
    {
        if (isset(self::LOOKS[$look]) && function_exists('as_schedule_single_action')) {
            $wait = self::LOOKS[$look] - ($look === 0 ? 0 : self::LOOKS[$look - 1]);
            as_schedule_single_action(time() + 60 * $wait, self::SCHEDULED, [$orderId, $look], 'florin');
        }
    }

    public static function look(int $orderId, int $look = 0): void
    {
        try {
            self::refresh($orderId);
        } catch (\RuntimeException $error) {
            Settings::log('Order ' . $orderId . ': ' . $error->getMessage());
        }
        $order = wc_get_order($orderId);
        if ($order instanceof \WC_Order && !$order->is_paid()) {
            self::lookAgainLater($orderId, $look + 1);
        }
    }

    /** The customer came back: the page of the order shows what is so now, also where the webhook has not come yet. */
    public static function onReturn(): void
    {
        if (!function_exists('is_order_received_page') || !is_order_received_page()) {
            return;
        }
        $order = wc_get_order(absint(get_query_var('order-received')));
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        if (!$order instanceof \WC_Order || !hash_equals($order->get_order_key(), $key) || $order->is_paid()) {
            return;
        }
        self::look($order->get_id(), count(self::LOOKS));
    }

    /** Paid or given up by another way: a payment that is still open must not be paid too. */
    public static function onStatus(int $orderId, string $from, string $to, \WC_Order $order): void
    {
        $isElsewhere = $order->get_payment_method() !== Settings::GATEWAY && in_array($to, wc_get_is_paid_statuses(), true);
        if ($isElsewhere || $to === 'cancelled') {
            OrderPayments::cancel($order);
        }
    }

    /** @param mixed $posted */
    public static function onCheckout(int $orderId, $posted, \WC_Order $order): void
    {
        self::onBlockCheckout($order);
    }

    public static function onBlockCheckout(\WC_Order $order): void
    {
        if ($order->get_payment_method() !== Settings::GATEWAY) {
            OrderPayments::cancel($order);
        }
    }

    /**
     * Reads each payment of an order and applies what it shows.
     *
     * @throws ApiError
     */
    public static function refresh(int $orderId): void
    {
        OrderLock::with($orderId, static function (\WC_Order $order): void {
            foreach (OrderPayments::all($order) as $kept) {
                $payment = OrderPayments::read($kept);
                if ($payment !== null) {
                    self::apply($order, $payment, $kept);
                }
            }
        });
    }

    /**
     * The caller holds the order's lock.
     *
     * @param array<string, mixed> $payment as the API shows it
     * @param array<string, string> $kept what the shop asked for
     */
    public static function apply(\WC_Order $order, array $payment, array $kept): void
    {
        $current = OrderPayments::current($order);
        $isCurrent = $current !== null && $current['reference'] === $kept['reference'];
        switch ((string) $payment['payment_status']) {
            case 'completed':
                self::complete($order, $payment, $kept);
                break;
            case 'pending':
                self::hold($order, $kept, 'pending', __('money was seen; it counts once it is final.', 'florin-for-woocommerce'));
                break;
            case 'in-appeal':
                self::hold($order, $kept, 'appeal', sprintf(
                    /* translators: %s: a reason, such as "late" */
                    __('somebody has to look at the payment in Florin (%s).', 'florin-for-woocommerce'),
                    (string) ($payment['reason'] ?? '')
                ));
                break;
            case 'failed':
            case 'abandoned':
                if ($isCurrent && $order->has_status(['pending', 'on-hold'])) {
                    $words = __('the payment was not made in time, or failed. It can be paid anew.', 'florin-for-woocommerce');
                    $order->update_status('failed', OrderNotes::of($kept, $words));
                }
                break;
        }
        OrderRefunds::record($order, $payment, $kept);
    }

    /**
     * @param array<string, mixed> $payment
     * @param array<string, string> $kept
     */
    private static function complete(\WC_Order $order, array $payment, array $kept): void
    {
        if ($order->get_transaction_id() === $kept['reference']) {
            return;
        }
        if ($order->is_paid() || $order->has_status('refunded')) {
            OrderNotes::tellOnce($order, 'twice-' . $kept['reference'], OrderNotes::of($kept, __(
                'it was paid too, though the order was paid already. Refund one of the two.',
                'florin-for-woocommerce'
            )));
            return;
        }
        $isAsAsked = (string) (float) $payment['amount'] === (string) (float) $kept['amount']
            && $payment['currency'] === $kept['currency'];
        $isAsOrdered = $kept['amount'] === OrderPayments::amountOf($order) && $kept['currency'] === $order->get_currency();
        if (!$isAsAsked || !$isAsOrdered) {
            self::hold($order, $kept, 'changed', sprintf(
                /* translators: 1: what was paid, 2: what the order comes to now */
                __('%1$s were paid, but the order now comes to %2$s. Decide by hand.', 'florin-for-woocommerce'),
                $kept['amount'] . ' ' . $kept['currency'],
                OrderPayments::amountOf($order) . ' ' . $order->get_currency()
            ));
            return;
        }
        $order->set_payment_method(Settings::GATEWAY);
        $order->add_order_note(OrderNotes::of($kept, self::paidWords($payment)));
        // Saves the order, and does nothing a second time: the reference is its transaction.
        $order->payment_complete($kept['reference']);
    }

    /** @param array<string, mixed> $payment */
    private static function paidWords(array $payment): string
    {
        $words = [__('paid.', 'florin-for-woocommerce')];
        $quote = $payment['quote'] ?? null;
        if (is_array($quote)) {
            $words[] = sprintf(
                /* translators: 1: amount and coin, 2: rate, 3: currency of the shop, 4: coin */
                __('%1$s, at %2$s %3$s for one %4$s.', 'florin-for-woocommerce'),
                $quote['amount'] . ' ' . $quote['currency'],
                $quote['rate'],
                $payment['currency'],
                $quote['currency']
            );
        }
        if (!empty($payment['short'])) {
            $words[] = sprintf(
                /* translators: %s: amount and coin */
                __('It is a little short, within your tolerance: %s came.', 'florin-for-woocommerce'),
                (string) $payment['amount_received']
            );
        }
        foreach ((array) ($payment['transfers'] ?? []) as $transfer) {
            $name = $transfer['amount'] . ' ' . Coins::nameOf($transfer['asset']) . ', ' . $transfer['network'];
            $url = (string) ($transfer['transaction_url'] ?? '');
            $words[] = $url === ''
                ? esc_html($name . ': ' . $transfer['transaction'])
                : sprintf('<a href="%s">%s</a>', esc_url($url), esc_html($name));
        }
        return implode(' ', $words);
    }

    /**
     * An order that is not paid waits, and says why once.
     *
     * @param array<string, string> $kept
     */
    private static function hold(\WC_Order $order, array $kept, string $what, string $words): void
    {
        $note = OrderNotes::of($kept, $words);
        if ($order->has_status(['pending', 'failed'])) {
            $order->update_status('on-hold', $note);
            OrderNotes::markTold($order, $what . '-' . $kept['reference']);
            return;
        }
        OrderNotes::tellOnce($order, $what . '-' . $kept['reference'], $note);
    }
}
