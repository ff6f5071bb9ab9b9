<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: payment links.
 *
 * @phpstan-import-type Price from \Florin\Types\Payments
 * @phpstan-import-type Currency from \Florin\Types\Payments
 *
 * A payment link. Amounts are decimal strings in `currency`.
 * @phpstan-type PaymentLink array{
 *     id: string,
 *     url: string,
 *     status: 'active'|'used'|'expired'|'stopped',
 *     title: string,
 *     description: string|null,
 *     currency: string,
 *     amount: string|null,
 *     paid_currency: Currency|null,
 *     currencies: list<Currency>|null,
 *     min_amount: string|null,
 *     max_amount: string|null,
 *     one_use: bool,
 *     success_url: string|null,
 *     expires_at: string|null,
 *     uses: int,
 *     revenue: string,
 *     created_at: string,
 * }
 *
 * Body of `paymentLinks.create`. Without `amount` the customer says how much.
 * @phpstan-type PaymentLinkInput array{
 *     title: string,
 *     currency?: Currency,
 *     amount?: string|int,
 *     price?: Price,
 *     currencies?: list<Currency>,
 *     min_amount?: string|int,
 *     max_amount?: string|int,
 *     one_use?: bool,
 *     description?: string,
 *     expires_at?: string,
 *     success_url?: string,
 * }
 *
 * Which page of payment links.
 * @phpstan-type LinkFilter array{
 *     cursor?: string,
 *     limit?: int,
 * }
 *
 * @phpstan-type PaymentLinkChange array{
 *     active: bool,
 * }
 */
final class PaymentLinks
{
}
