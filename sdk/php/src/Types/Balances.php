<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: balances.
 *
 * Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`, `usdt-bep20`
 * ...
 * @phpstan-type FundUserInput array{
 *     username: string,
 *     amount: string|int,
 *     currency: string,
 * }
 *
 * The business balance in one asset; decimal strings. `held` waits for the answer of another
 * system.
 * @phpstan-type Balance array{
 *     asset: string,
 *     available: string,
 *     held: string,
 * }
 *
 * A line of the ledger with what caused it; `amount` is a signed decimal string.
 * @phpstan-type BalanceEntry array{
 *     id: string,
 *     asset: string,
 *     amount: string,
 *     cause: string,
 *     cause_id: string|null,
 *     value: string|null,
 *     value_currency: string|null,
 *     created_at: string,
 * }
 *
 * @phpstan-type User array{
 *     username: string,
 * }
 *
 * Which lines of the ledger, and which page.
 * @phpstan-type BalanceEntryFilter array{
 *     asset?: string,
 *     cursor?: string,
 *     limit?: int,
 * }
 */
final class Balances
{
}
