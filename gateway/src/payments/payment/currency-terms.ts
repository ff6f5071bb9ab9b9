import { afterCommit, type Database, type Reader, type Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { type Currency, currencies, isCurrency, type NetworkChoice } from '../../money/assets.ts';
import { builtinMinimumCents } from './amount.ts';

/** The rules for new payments in a currency. */
export type CurrencyTerms = NetworkChoice & {
  offered: boolean;
  /** The least that a payment is worth, in US cents. */
  minimumCents: number;
  /** The decimals of what a price comes to in the currency. */
  quoteDecimals: number;
};

export type TermsOf = (currency: Currency) => CurrencyTerms;

/** So that people can type what they are asked for. */
const builtinQuoteDecimals: Readonly<Record<Currency, number>> = { PI: 4, USDC: 2, USDT: 2, CSK: 2 };

/** The terms of an installation whose operators changed nothing. */
export const builtinTerms: TermsOf = (currency) => ({
  offered: true,
  minimumCents: builtinMinimumCents[currency],
  quoteDecimals: builtinQuoteDecimals[currency],
  defaultAsset: null,
  hiddenAssets: [],
});

type TermsRow = {
  currency: Currency;
  offered: boolean;
  minimum_cents: number;
  default_asset: string | null;
  hidden_assets: string[];
  quote_decimals: number | null;
};

/** The terms of every currency as the database has them. */
export async function readCurrencyTerms(reader: Reader): Promise<Record<Currency, CurrencyTerms>> {
  const { rows } = await reader.query<TermsRow>(
    'SELECT currency, offered, minimum_cents, default_asset, hidden_assets, quote_decimals FROM currency_terms',
  );
  const changed = new Map<string, CurrencyTerms>(rows.map((row) => [row.currency, termsOfRow(row)]));
  return Object.fromEntries(
    currencies.map((currency) => [currency, changed.get(currency) ?? builtinTerms(currency)]),
  ) as Record<Currency, CurrencyTerms>;
}

function termsOfRow(row: TermsRow): CurrencyTerms {
  const { currency, offered, minimum_cents, default_asset, hidden_assets, quote_decimals } = row;
  return {
    offered,
    minimumCents: minimum_cents,
    quoteDecimals: quote_decimals ?? builtinQuoteDecimals[currency],
    defaultAsset: default_asset,
    hiddenAssets: hidden_assets,
  };
}

const topic = 'currencies';

/** Writes a currency's terms; every process is notified once this commits. */
export async function writeCurrencyTerms(
  tx: Tx,
  hints: Hints,
  currency: Currency,
  terms: CurrencyTerms,
): Promise<void> {
  await tx.query(
    `INSERT INTO currency_terms (currency, offered, minimum_cents, default_asset, hidden_assets, quote_decimals)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (currency) DO UPDATE SET offered = excluded.offered, minimum_cents = excluded.minimum_cents,
       default_asset = excluded.default_asset, hidden_assets = excluded.hidden_assets,
       quote_decimals = excluded.quote_decimals`,
    [
      ...[currency, terms.offered, terms.minimumCents, terms.defaultAsset, terms.hiddenAssets],
      terms.quoteDecimals,
    ],
  );
  afterCommit(tx, () => hints.send(topic, currency));
}

/** The terms as this process last read them, so that no query is needed to create a payment. */
export type CurrencyTermsCache = {
  termsOf: TermsOf;
  /** Reads them anew: at start, every second, and when another process hints. */
  refresh(reader: Reader): Promise<void>;
  /** Sets the terms that this process has just written. */
  apply(currency: Currency, terms: CurrencyTerms): void;
};

export function createCurrencyTermsCache(): CurrencyTermsCache {
  let known: Partial<Record<Currency, CurrencyTerms>> = {};
  let asked = 0;
  let heard = 0;
  return {
    termsOf: (currency) => known[currency] ?? builtinTerms(currency),
    async refresh(reader) {
      asked += 1;
      const turn = asked;
      const read = await readCurrencyTerms(reader);
      // An answer to an earlier query is older than what is known now.
      if (turn < heard) return;
      heard = turn;
      known = read;
    },
    apply(currency, terms) {
      asked += 1;
      heard = asked;
      known = { ...known, [currency]: terms };
    },
  };
}

/** A cache that is read anew when another process hints at a change; `stop` ends that. */
export type FollowedTerms = CurrencyTermsCache & { stop(): void };

/** Reads the terms, and follows them. */
export async function followCurrencyTerms(db: Database, hints: Hints): Promise<FollowedTerms> {
  const cache = createCurrencyTermsCache();
  // Without a database nothing is created either, and a loop reads again.
  const read = () => cache.refresh(db).catch(() => {});
  await read();
  const stop = hints.on(topic, (currency) => {
    if (isCurrency(currency)) void read();
  });
  return { ...cache, stop };
}
