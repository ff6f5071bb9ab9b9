<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** Refunds of an order, asked for in the shop or made in Florin. The customer names the address on a page of the gateway. */
final class OrderRefunds
{
    private const META = '_florin_refund_id';

    /**
     * Asks the gateway for a refund of so much of the order's currency. The caller holds the order's lock.
     *
     * @throws ApiError
     */
    public static function make(\WC_Order $order, string $amount, string $reason): bool
    {
        $kept = OrderPayments::find($order, $order->get_transaction_id());
        if ($kept === null) {
            throw new ApiError(__('This order was not paid with Florin.', 'florin-for-woocommerce'));
        }
        $made = self::madeSoFar($order);
        // WooCommerce forgets a refund whose answer was lost, so its number tells nothing. A second try of the same
        // refund has the same key; the next refund has another.
        $key = sprintf('refund-%s-%d-%s', $kept['reference'], count($made), $amount);
        $isPriced = !Coins::has($kept['currency']);
        $refund = Api::of($kept['mode'])->refund(
            $kept['reference'],
            array_filter([$isPriced ? 'price_amount' : 'amount' => $amount, 'reason' => $reason]),
            $key
        );
        self::mark($order, $made, $amount, (string) $refund['id']);
        self::tell($order, $refund);
        return true;
    }

    /** @return array<string, \WC_Order_Refund> by the id of the gateway's refund */
    private static function madeSoFar(\WC_Order $order): array
    {
        $made = [];
        foreach ($order->get_refunds() as $refund) {
            $id = (string) $refund->get_meta(self::META);
            if ($id !== '') {
                $made[$id] = $refund;
            }
        }
        return $made;
    }

    /** @param array<string, \WC_Order_Refund> $made */
    private static function mark(\WC_Order $order, array $made, string $amount, string $id): void
    {
        if (isset($made[$id])) {
            throw new ApiError(__('This refund was made already.', 'florin-for-woocommerce'));
        }
        foreach ($order->get_refunds() as $refund) {
            $isNew = (string) $refund->get_meta(self::META) === '';
            if ($isNew && (string) (float) $refund->get_amount() === (string) (float) $amount) {
                $refund->update_meta_data(self::META, $id);
                $refund->save();
                return;
            }
        }
    }

    /** @param array<string, mixed> $refund */
    private static function tell(\WC_Order $order, array $refund): void
    {
        $amount = $refund['amount'] . ' ' . Coins::nameOf($refund['asset']);
        if (empty($refund['claim_url'])) {
            $order->add_order_note(sprintf(
                /* translators: 1: amount and coin, 2: its status */
                __('Florin: a refund of %1$s was made: %2$s.', 'florin-for-woocommerce'),
                $amount,
                (string) $refund['status']
            ));
            return;
        }
        // A note for the customer is mailed to them by WooCommerce.
        $order->add_order_note(sprintf(
            /* translators: 1: amount and coin, 2: a link */
            __('A refund of %1$s is ready for you. Say where it should go: %2$s', 'florin-for-woocommerce'),
            $amount,
            esc_url_raw((string) $refund['claim_url'])
        ), 1);
    }

    /**
     * Refunds that were made in Florin are refunds of the order too, once they left. Those that the order asked for are
     * there already; one of these that will never be sent is said so.
     *
     * @param array<string, mixed> $payment
     * @param array<string, string> $kept
     */
    public static function record(\WC_Order $order, array $payment, array $kept): void
    {
        $known = [];
        foreach ($order->get_refunds() as $refund) {
            $known[(string) $refund->get_meta(self::META)] = true;
        }
        foreach ((array) ($payment['refunds'] ?? []) as $refund) {
            $id = (string) $refund['id'];
            $status = (string) $refund['status'];
            $amount = $refund['amount'] . ' ' . Coins::nameOf($refund['asset']);
            if (isset($known[$id])) {
                if (in_array($status, ['cancelled', 'rejected', 'failed'], true)) {
                    OrderNotes::tellOnce($order, 'unsent-' . $id, OrderNotes::of($kept, sprintf(
                        /* translators: %s: amount and coin */
                        __('the refund of %s was not sent. Remove it from this order, or make it again.', 'florin-for-woocommerce'),
                        $amount
                    )));
                } elseif ($status === 'completed') {
                    OrderNotes::tellOnce($order, 'refunded-' . $id, OrderNotes::of($kept, sprintf(
                        /* translators: %s: amount and coin */
                        __('the refund of %s arrived.', 'florin-for-woocommerce'),
                        $amount
                    )));
                }
            } elseif ($status === 'completed' && $order->get_transaction_id() === $kept['reference']) {
                self::recordRefund($order, $payment, $refund);
            }
        }
    }

    /**
     * @param array<string, mixed> $payment
     * @param array<string, mixed> $refund
     */
    private static function recordRefund(\WC_Order $order, array $payment, array $refund): void
    {
        $left = (float) $order->get_remaining_refund_amount();
        $rate = is_array($payment['quote'] ?? null) ? (float) $payment['quote']['rate'] : 1.0;
        // The gateway rounds what it sends down, so that the value may be a cent below what was meant.
        $value = min($left, round((float) $refund['amount'] * $rate, wc_get_price_decimals()));
        if ($value <= 0) {
            return;
        }
        $made = wc_create_refund([
            'order_id' => $order->get_id(),
            'amount' => (string) $value,
            'reason' => (string) ($refund['reason'] ?? '') ?: __('Refunded in Florin', 'florin-for-woocommerce'),
            'refund_payment' => false,
        ]);
        if ($made instanceof \WC_Order_Refund) {
            $made->update_meta_data(self::META, (string) $refund['id']);
            $made->save();
        }
    }
}
