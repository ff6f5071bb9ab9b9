import type { CurrencyView as CurrencyTerms } from '../../../../../../gateway/src/payments/api/console-answers/operators.ts';
import type {
  RatePair,
  Rates,
  SourceAnswer,
  TypedRate,
} from '../../../../../../gateway/src/rates/console-answers.ts';
import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';
import type { Outcome } from '../../../ui/toast/done.ts';

export type { CurrencyTerms, RatePair, Rates, SourceAnswer };

const root = '/console/operator';

export const useCurrencies = () => useList<CurrencyTerms>(`${root}/currencies`);
export const currenciesPath = `${root}/currencies`;

export type NewTerms = {
  offered: boolean;
  minimum_usd: string;
  default_asset: string;
  hidden_assets: string[];
  quote_decimals: number;
};

export const sendCurrency = (currency: string, body: NewTerms) =>
  api(`${root}/currencies/${currency}`, { method: 'PUT', body });

export const ratesPath = `${root}/rates`;
export const useRates = () => useRead<Rates>(ratesPath);

export type Pair = Pick<RatePair, 'currency' | 'price_currency'>;

/** Types a rate for some days, or takes it back with null. */
export const typeRate = (
  { currency, price_currency }: Pair,
  body: { rate: string; days: number } | { rate: null },
) => api<Outcome<TypedRate | null>>(`${ratesPath}/${currency}/${price_currency}`, { method: 'PUT', body });
