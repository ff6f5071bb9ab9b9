import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { afterCommit, type Database, type Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type FieldJudge, fieldReader, invalid } from '../../kit/http/fields.ts';
import { type Assets, type Currency, currencies, isCurrency } from '../../money/assets.ts';
import { unitsOfDecimal } from '../../money/money.ts';
import { dollarsOf } from '../payment/amount.ts';
import {
  type CurrencyTerms,
  type CurrencyTermsCache,
  readCurrencyTerms,
  writeCurrencyTerms,
} from '../payment/currency-terms.ts';
import { paymentErrors } from '../payment/errors.ts';
import { CurrencyPage, CurrencyView } from './console-answers/operators.ts';

export type CurrencyRouteDeps = {
  db: Database;
  hints: Hints;
  assets: Assets;
  currencyTerms: CurrencyTermsCache;
};

const centScale = 2;
const maxCents = 100_000_000n;

const TermsBody = Type.Object({
  offered: Type.Boolean(),
  minimum_usd: Type.String({ maxLength: 20 }),
  default_asset: Type.String({ maxLength: 60 }),
  hidden_assets: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 }),
  /** As before where it is absent. */
  quote_decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 })),
});

const minimumJudge: FieldJudge = (value) => {
  const cents = typeof value === 'string' ? unitsOfDecimal(value, centScale) : null;
  return cents !== null && cents <= maxCents
    ? null
    : invalid('minimum_usd', 'must be 0 to 1000000 dollars with at most two decimals');
};

/** Reads the terms of one currency; its networks say what may be the default and what may be hidden. */
function termsReader(assets: Assets, currency: Currency) {
  const codes = assets
    .of('live')
    .ofCurrency(currency)
    .map(({ code }) => code);
  const isOwn = (code: unknown) => typeof code === 'string' && codes.includes(code);
  return fieldReader(TermsBody, {
    minimum_usd: minimumJudge,
    default_asset: (value) =>
      isOwn(value) ? null : invalid('default_asset', `must be one of ${codes.join(', ')}`),
    hidden_assets: (value, { default_asset }) => {
      if (!Array.isArray(value) || !value.every(isOwn)) {
        return invalid('hidden_assets', `must hold some of ${codes.join(', ')}`);
      }
      return value.includes(default_asset)
        ? invalid('hidden_assets', 'must leave the default network to choose')
        : null;
    },
  });
}

/** Which currencies new payments may ask for, their minimums and their networks. */
export function currencyRoutes(dashboard: Console, deps: CurrencyRouteDeps): void {
  const { db, hints, assets, currencyTerms } = deps;
  dashboard.get('operator', '/currencies', { answer: CurrencyPage }, async () => {
    const terms = await readCurrencyTerms(db);
    const items = currencies.map((currency) => termsView(assets, currency, terms[currency]));
    return { message: 'Currencies', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'PUT',
    'operator',
    '/currencies/:currency',
    { fresh: true, answer: CurrencyView },
    async (tx, call) => {
      const { currency } = call.params;
      if (!isCurrency(currency)) throw refuse(kitErrors.not_found);
      const input = termsReader(assets, currency)(call.body);
      const wanted = {
        offered: input.offered,
        minimumCents: Number.parseInt(`${unitsOfDecimal(input.minimum_usd, centScale)}`, 10),
        defaultAsset: input.default_asset,
        hiddenAssets: [...new Set(input.hidden_assets)],
        ...(input.quote_decimals !== undefined && { quoteDecimals: input.quote_decimals }),
      };
      const { before, terms } = await changeTerms(tx, hints, currency, wanted);
      afterCommit(tx, () => currencyTerms.apply(currency, terms));
      const after = termsView(assets, currency, terms);
      return {
        message: 'Currency changed',
        data: after,
        change: {
          action: 'changed the terms of a currency',
          subject: { kind: 'currency', id: currency },
          before: summaryOf(termsView(assets, currency, before)),
          after: summaryOf(after),
        },
      };
    },
  );
}

/** Writes the terms unless they would leave nothing to pay in; returns them, and those before. */
async function changeTerms(
  tx: Tx,
  hints: Hints,
  currency: Currency,
  wanted: Omit<CurrencyTerms, 'quoteDecimals'> & Partial<CurrencyTerms>,
): Promise<{ before: CurrencyTerms; terms: CurrencyTerms }> {
  // One at a time: two operators together must not take the last two currencies away.
  await tx.query('LOCK TABLE currency_terms IN SHARE ROW EXCLUSIVE MODE');
  const all = await readCurrencyTerms(tx);
  const others = currencies.filter((each) => each !== currency);
  const terms = { ...all[currency], ...wanted };
  if (!terms.offered && !others.some((each) => all[each].offered)) throw refuse(paymentErrors.currency_last);
  await writeCurrencyTerms(tx, hints, currency, terms);
  return { before: all[currency], terms };
}

function termsView(assets: Assets, currency: Currency, terms: CurrencyTerms) {
  const fallback = assets.configuredDefaultOf(currency).code;
  return {
    currency,
    offered: terms.offered,
    minimum_usd: dollarsOf(terms.minimumCents),
    default_asset: terms.defaultAsset ?? fallback,
    quote_decimals: terms.quoteDecimals,
    networks: assets
      .of('live')
      .ofCurrency(currency)
      .map(({ code, network, scale }) => ({
        asset: code,
        network,
        decimals: scale,
        offered: !terms.hiddenAssets.includes(code),
      })),
  };
}

function summaryOf({
  offered,
  minimum_usd,
  default_asset,
  quote_decimals,
  networks,
}: ReturnType<typeof termsView>) {
  const hidden_assets = networks.filter((each) => !each.offered).map(({ asset }) => asset);
  return { offered, minimum_usd, default_asset, quote_decimals, hidden_assets };
}
