import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { endParser, queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageFields } from '../../kit/http/page-query.ts';
import { type Balance, balancesOf } from '../../ledger/ledger.ts';
import { linesOf } from '../../ledger/lines.ts';
import { type Asset, type Assets, type Currency, currencies, fineScale } from '../../money/assets.ts';
import { decimalOf, rescale, unitsOfDecimal } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';
import { rateUnits } from '../../money/rates.ts';
import { accountingCurrencyOf, readPastRates } from '../../rates/history.ts';
import { valuesOf } from '../books/values.ts';
import { Balances, BusinessLinePage } from '../console-answers.ts';
import { lineViews } from '../described-lines.ts';

export type WalletConsoleDeps = { db: Database; assets: Assets; now: Clock };

const EntriesQuery = Type.Object({
  asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  cause: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  from: Type.Optional(Type.String({ format: 'date-time' })),
  to: Type.Optional(Type.String({ format: 'date-time' })),
  ...pageFields,
});
const readEntriesQuery = queryReader(EntriesQuery, {}, { to: endParser('to') });

/** What a business has, and what moved it. */
export function walletConsoleRoutes(dashboard: Console, { db, assets, now }: WalletConsoleDeps): void {
  dashboard.get('mode', '/balances', { may: 'read', answer: Balances }, async ({ integration, owner }) => {
    const { mode } = owner;
    const stored = await balancesOf(db, { kind: 'business', owner: integration.id, mode });
    const found = new Map(stored.map((balance) => [balance.asset, balance]));
    const known = assets.of(mode);
    const items = known.all.map((asset) => balanceView(asset, found.get(asset.code)));
    const sums = currencies.map((currency) => {
      const own = known.ofCurrency(currency);
      return {
        currency,
        available: total(own, (code) => found.get(code)?.available),
        held: total(own, (code) => found.get(code)?.held),
      };
    });
    const worth = await worthNow(db, owner, sums, now());
    const totals = sums.map((sum, index) => ({ ...sum, value: worth.values[index] ?? null }));
    const { value, value_currency } = worth;
    return { message: 'Balances', data: { items, next_cursor: null, totals, value, value_currency } };
  });

  dashboard.get(
    'mode',
    '/balance-entries',
    { may: 'read', answer: BusinessLinePage },
    async ({ integration, owner, query }) => {
      const { cursor, limit = defaultPageLimit, from, to, ...filter } = readEntriesQuery(query);
      const [before] = cursor === undefined ? [] : decodeCursor(cursor, [/^\d{1,18}$/]);
      const lines = await linesOf(
        db,
        { kind: 'business', owner: integration.id, mode: owner.mode },
        { ...filter, from: timeOf(from), to: timeOf(to) },
        { beforeSeq: before === undefined ? null : BigInt(before), limit: limit + 1 },
      );
      const page = pageOf(lines, limit, ({ seq }) => encodeCursor([seq]));
      const values = await valuesOf({ db, assets }, owner, page.items);
      const items = (await lineViews(db, assets, page.items)).map((line, index) => ({
        ...line,
        value: values[index]?.net ?? null,
        value_currency: values[index]?.currency ?? null,
      }));
      return { message: 'Balance entries', data: { items, next_cursor: page.next_cursor } };
    },
  );
}

function balanceView({ code, currency, network, scale }: Asset, balance: Balance | undefined) {
  return {
    asset: code,
    currency,
    network,
    available: decimalOf(balance?.available ?? 0n, scale),
    held: decimalOf(balance?.held ?? 0n, scale),
  };
}

/** What amounts are worth now in the accounting currency, each as a decimal or null, and the sum of all that have a rate. */
async function worthNow(
  reader: Reader,
  owner: Owner,
  sums: readonly { currency: Currency; available: string }[],
  now: Date,
) {
  const currency = await accountingCurrencyOf(reader, owner.integrationId, now);
  const wanted = sums.map((sum) => ({ currency: sum.currency, at: now }));
  const rates = await readPastRates(reader, owner, wanted, currency);
  const digits = minorDigits(currency);
  const units = sums.map(({ available }, index) => {
    const rate = rateUnits(rates[index]?.rate ?? '');
    const fine = unitsOfDecimal(available, fineScale);
    return rate === null || fine === null ? null : worthAt(fine, fineScale, rate, digits);
  });
  return {
    values: units.map((each) => (each === null ? null : decimalOf(each, digits))),
    value: decimalOf(
      units.reduce<bigint>((all, each) => all + (each ?? 0n), 0n),
      digits,
    ),
    value_currency: currency,
  };
}

/** Exact over networks whose assets differ in their decimals. */
function total(own: Asset[], unitsOf: (code: string) => bigint | undefined): string {
  const fine = own.map(({ code, scale }) => rescale(unitsOf(code) ?? 0n, scale, fineScale));
  return decimalOf(
    fine.reduce((sum, units) => sum + units, 0n),
    fineScale,
  );
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
