<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/**
 * The payments of an order: which was made last, whether it still fits, and a new one where it does not. Callers hold the
 * order's lock.
 *
 * @phpstan-type Kept array{reference: string, mode: string, amount: string, currency: string, url: string}
 */
final class OrderPayments
{
    private const META = '_florin_payments';
    private const CANCELLABLE = ['unlinked', 'linked'];

    /** @return array<int, array<string, string>> the oldest first */
    public static function all(\WC_Order $order): array
    {
        $kept = $order->get_meta(self::META);
        return is_array($kept) ? array_values($kept) : [];
    }

    /** @return array<string, string>|null */
    public static function current(\WC_Order $order): ?array
    {
        $all = self::all($order);
        return $all === [] ? null : $all[count($all) - 1];
    }

    /** @return array<string, string>|null the payment with this reference, if it is the order's */
    public static function find(\WC_Order $order, string $reference): ?array
    {
        foreach (self::all($order) as $kept) {
            if ($kept['reference'] === $reference) {
                return $kept;
            }
        }
        return null;
    }

    /** The order that a reference names, or 0; whether the order knows the reference is for the caller to ask. */
    public static function orderIdOf(string $reference): int
    {
        return preg_match('/^wc-[0-9a-f]{8}-(\d{1,18})-\d{1,6}$/D', $reference, $found) === 1 ? (int) $found[1] : 0;
    }

    /**
     * The payment by which the customer pays now. The last one is used again while it fits the order; one that does not
     * is cancelled first, so that no two of them can be paid.
     *
     * @return array<string, string>
     * @throws ApiError
     */
    public static function open(\WC_Order $order): array
    {
        $all = self::all($order);
        $last = array_pop($all);
        if ($last === null) {
            return self::make($order, []);
        }
        $payment = self::read($last);
        if ($payment === null) {
            // It was asked for, and never made: so it is asked for again by the same reference.
            return self::make($order, $all);
        }
        if ($last['url'] === '') {
            $last['url'] = (string) $payment['PaymentURL'];
            self::keep($order, array_merge($all, [$last]));
        }
        OrderUpdates::apply($order, $payment, $last);
        $status = (string) $payment['payment_status'];
        if (self::fits($order, $last, $status)) {
            return $last;
        }
        self::cancelKept($order, $last, $status);
        return self::make($order, array_merge($all, [$last]));
    }

    /**
     * @param array<string, string> $kept
     * @return array<string, mixed>|null null: there is no such payment
     * @throws ApiError
     */
    public static function read(array $kept): ?array
    {
        try {
            return Api::of($kept['mode'])->payment($kept['reference']);
        } catch (ApiError $error) {
            // A 404 that is not Florin's says nothing of the payment.
            if ($error->status === 404 && $error->error !== '') {
                return null;
            }
            throw $error;
        }
    }

    /** @param array<int, array<string, string>> $all */
    private static function keep(\WC_Order $order, array $all): void
    {
        $order->update_meta_data(self::META, $all);
        $order->save();
    }

    /** Cancels the last payment where nobody has paid it yet: the customer chose another way to pay. */
    public static function cancel(\WC_Order $order): void
    {
        $last = self::current($order);
        if ($last === null) {
            return;
        }
        try {
            $payment = self::read($last);
            self::cancelKept($order, $last, (string) ($payment['payment_status'] ?? ''));
        } catch (ApiError $error) {
            Settings::log('The payment ' . $last['reference'] . ' was not cancelled: ' . $error->getMessage());
        }
    }

    /** @param array<string, string> $kept */
    private static function fits(\WC_Order $order, array $kept, string $status): bool
    {
        // Money that is on its way counts for what was asked: a second payment would take it twice.
        if (in_array($status, ['pending', 'completed', 'in-appeal'], true)) {
            return true;
        }
        return in_array($status, self::CANCELLABLE, true)
            && $kept['mode'] === Settings::mode()
            && $kept['amount'] === self::amountOf($order)
            && $kept['currency'] === $order->get_currency();
    }

    /** @param array<string, string> $kept */
    private static function cancelKept(\WC_Order $order, array $kept, string $status): void
    {
        if (!in_array($status, self::CANCELLABLE, true)) {
            return;
        }
        Api::of($kept['mode'])->cancelPayment($kept['reference']);
        $order->add_order_note(sprintf(
            /* translators: %s: a payment's reference */
            __('Florin: the payment %s was cancelled before anybody paid it.', 'florin-for-woocommerce'),
            $kept['reference']
        ));
    }

    /**
     * @param array<int, array<string, string>> $before the payments of the order so far
     * @return array<string, string>
     * @throws ApiError
     */
    private static function make(\WC_Order $order, array $before): array
    {
        $kept = [
            'reference' => sprintf('wc-%s-%d-%d', self::site(), $order->get_id(), count($before) + 1),
            'mode' => Settings::mode(),
            'amount' => self::amountOf($order),
            'currency' => $order->get_currency(),
            'url' => '',
        ];
        // Kept before it is asked for: where the answer is lost, the next try finds it by its reference.
        self::keep($order, array_merge($before, [$kept]));
        $asked = Coins::has($kept['currency'])
            ? ['amount' => (float) $kept['amount'], 'currency' => $kept['currency']]
            : ['price' => ['amount' => $kept['amount'], 'currency' => $kept['currency']]];
        $made = Api::of($kept['mode'])->createPayment($asked + array_filter([
            'payment_type' => 'deposit',
            'payment_reference' => $kept['reference'],
            'success_url' => $order->get_checkout_order_received_url(),
            'failure_url' => $order->get_checkout_payment_url(),
            'customer_email' => $order->get_billing_email(),
            'customer_reference' => $order->get_customer_id() > 0 ? (string) $order->get_customer_id() : '',
            'payment_note' => sprintf(
                /* translators: %s: an order's number */
                __('Order %s', 'florin-for-woocommerce'),
                $order->get_order_number()
            ),
            'meta_data' => wp_json_encode(['order' => $order->get_id(), 'number' => $order->get_order_number()]),
        ]));
        $kept['url'] = (string) $made['PaymentURL'];
        self::keep($order, array_merge($before, [$kept]));
        OrderUpdates::lookAgainLater($order->get_id(), 0);
        return $kept;
    }

    /** The total with the digits of the shop's currency, such as 49.90. */
    public static function amountOf(\WC_Order $order): string
    {
        return number_format((float) $order->get_total(), wc_get_price_decimals(), '.', '');
    }

    /** Tells the shops of one integration apart, whose orders may have the same numbers. */
    private static function site(): string
    {
        return substr(md5(home_url() . '|' . get_current_blog_id()), 0, 8);
    }
}
