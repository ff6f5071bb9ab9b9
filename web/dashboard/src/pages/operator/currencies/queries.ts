import type { Rates } from '../../../../../../gateway/src/operations/console-answers.ts';
import type { CurrencyView as CurrencyTerms } from '../../../../../../gateway/src/payments/api/console-answers/operators.ts';
import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';

export type { CurrencyTerms, Rates };

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

export const useRates = () => useRead<Rates>(`${root}/rates`);
