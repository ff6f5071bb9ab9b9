<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** The coins that Florin takes. */
final class Coins
{
    private const ALL = ['PI', 'USDC', 'USDT', 'CSK'];

    /** Whether a shop's currency is one of them, which needs no price. */
    public static function has(string $currency): bool
    {
        return in_array($currency, self::ALL, true);
    }

    /** The coin of an asset: `USDC` of `usdc-base`, since the network stands beside it or does not matter. */
    public static function nameOf(string $asset): string
    {
        return strtoupper(explode('-', $asset)[0]);
    }
}
