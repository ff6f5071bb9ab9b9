import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../kit/http/answers.ts';
import { currencies } from '../money/assets.ts';

// What the dashboard's calls on a business's balances answer. Amounts are decimals in their own asset.

const text = Type.String();
const Currency = Type.Enum(currencies);

export const AssetBalance = Type.Object({
  asset: text,
  currency: Currency,
  network: text,
  available: Decimal,
  held: Decimal,
});
export type AssetBalance = Static<typeof AssetBalance>;

/**
 * `totals`: the assets of each currency together. `value`: what is available is worth now, in the accounting currency; null: there is
 * no rate. That of all is the sum of those that have one.
 */
export const Balances = Type.Object({
  items: Type.Array(AssetBalance),
  next_cursor: Type.Null(),
  totals: Type.Array(
    Type.Object({ currency: Currency, available: Decimal, held: Decimal, value: orNull(Decimal) }),
  ),
  value: Decimal,
  value_currency: text,
});
export type Balances = Static<typeof Balances>;

export const BalanceLine = Type.Object({
  id: Id,
  asset: text,
  currency: Currency,
  network: text,
  /** Negative where it went out. */
  amount: Decimal,
  /** Null where too many lines have followed to compute it. */
  balance_after: orNull(Decimal),
  cause: text,
  payment_reference: orNull(text),
  username: orNull(text),
  /** The end of the API key that asked for it, and from which address. */
  key: orNull(text),
  address: orNull(text),
  created_at: Time,
});
export type BalanceLine = Static<typeof BalanceLine>;
export const BalanceLinePage = pageSchema(BalanceLine);

/** `value`: what it was worth in its moment, in the accounting currency of that time; null where there was no rate. */
export const BusinessLine = Type.Object({
  ...BalanceLine.properties,
  value: orNull(Decimal),
  value_currency: orNull(text),
});
export type BusinessLine = Static<typeof BusinessLine>;
export const BusinessLinePage = pageSchema(BusinessLine);

/** One month of one asset; `lines` counts its entries. */
export const AssetStatement = Type.Object({
  asset: text,
  currency: Currency,
  network: text,
  opening: Decimal,
  in: Decimal,
  out: Decimal,
  fees: Decimal,
  closing: Decimal,
  /** What `closing` was worth when the month ended, or is worth now; null where there is no rate. */
  closing_value: orNull(Decimal),
  value_currency: orNull(text),
  lines: Type.Integer(),
});
export type AssetStatement = Static<typeof AssetStatement>;

/**
 * One month of what settles directly in an asset (contract.md#direct): what was on the way, what came in, what left for both
 * sides, of that (`fees`) to the host, and what is on the way.
 */
const { closing_value: _, value_currency: __, ...directStatement } = AssetStatement.properties;
const DirectStatement = Type.Object(directStatement);
export type DirectStatement = Static<typeof DirectStatement>;

/** `month` is `2026-11`. */
export const MonthStatement = Type.Object({
  month: text,
  assets: Type.Array(AssetStatement),
  direct: Type.Array(DirectStatement),
});
export type MonthStatement = Static<typeof MonthStatement>;
export const MonthStatementPage = pageSchema(MonthStatement);

/** `gross - fee = net`. `value`: what the lines were worth, each in its moment; null: of those without a value. */
const StatementKind = Type.Object({
  kind: text,
  lines: Type.Integer(),
  gross: Decimal,
  fee: Decimal,
  net: Decimal,
  value: orNull(Decimal),
  value_currency: orNull(text),
});
export type StatementKind = Static<typeof StatementKind>;

const AssetKinds = Type.Object({ asset: text, kinds: Type.Array(StatementKind) });

/** The lines of a month by kind, for each asset; `direct`: of payments that settled directly, which no balance counts. */
export const MonthKinds = Type.Object({
  month: text,
  assets: Type.Array(AssetKinds),
  direct: Type.Array(AssetKinds),
});
export type MonthKinds = Static<typeof MonthKinds>;

/** The order that waits for approval; null: the user has the money. */
export const FundedUser = orNull(Type.Object({ payout_id: Id, approvals_needed: Type.Integer() }));
export type FundedUser = Static<typeof FundedUser>;

/** `daily_limits` by asset code; an asset without one has no limit. */
export const FundingSettingsData = Type.Object({
  enabled: Type.Boolean(),
  daily_limits: Type.Record(text, Decimal),
  assets: Type.Array(text),
});
export type FundingSettingsData = Static<typeof FundingSettingsData>;

/** The currency in which the books are kept from now on. */
export const AccountingCurrency = Type.Object({ currency: text, choices: Type.Array(text) });
export type AccountingCurrency = Static<typeof AccountingCurrency>;
