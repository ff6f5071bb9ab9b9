<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** What the plug-in says of a payment in the notes of its order, each fact once. */
final class OrderNotes
{
    private const TOLD_META = '_florin_told';

    /** @param array<string, string> $kept */
    public static function of(array $kept, string $words): string
    {
        $test = $kept['mode'] === 'test' ? __('test mode', 'florin-for-woocommerce') . ', ' : '';
        return 'Florin (' . $test . $kept['reference'] . '): ' . $words;
    }

    public static function tellOnce(\WC_Order $order, string $fact, string $note): void
    {
        $told = $order->get_meta(self::TOLD_META);
        if (is_array($told) && in_array($fact, $told, true)) {
            return;
        }
        $order->add_order_note($note);
        self::markTold($order, $fact);
    }

    public static function markTold(\WC_Order $order, string $fact): void
    {
        $told = $order->get_meta(self::TOLD_META);
        $told = is_array($told) ? $told : [];
        $told[] = $fact;
        $order->update_meta_data(self::TOLD_META, array_values(array_unique($told)));
        $order->save();
    }
}
