<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: rates.
 *
 * @phpstan-import-type Currency from \Florin\Types\Payments
 *
 * @phpstan-type RateSource array{
 *     name: string,
 *     rate: string,
 *     at: string,
 * }
 *
 * The rate of a currency in a price currency, with the sources that it follows from.
 * @phpstan-type Rate array{
 *     currency: Currency,
 *     price_currency: string,
 *     rate: string,
 *     at: string,
 *     sources: list<RateSource>,
 * }
 *
 * @phpstan-type RateList array{
 *     items: list<Rate>,
 * }
 */
final class Rates
{
}
