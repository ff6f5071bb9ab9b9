import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';

const root = '/console/operator';

export type Network = { asset: string; network: string; decimals: number; offered: boolean };
export type CurrencyTerms = {
  currency: string;
  offered: boolean;
  minimum_usd: string;
  default_asset: string;
  networks: Network[];
};

export const useCurrencies = () => useList<CurrencyTerms>(`${root}/currencies`);
export const currenciesPath = `${root}/currencies`;

export type NewTerms = {
  offered: boolean;
  minimum_usd: string;
  default_asset: string;
  hidden_assets: string[];
};

export const sendCurrency = (currency: string, body: NewTerms) =>
  api(`${root}/currencies/${currency}`, { method: 'PUT', body });

export type Rates = {
  kind: 'configuration' | 'sources';
  source: string | null;
  refreshed_at: string | null;
  rates: { currency: string; usd: string; is_known: boolean }[];
  sources: { origin: string; fault: string | null; asked_at: string | null }[];
};

export const useRates = () => useRead<Rates>(`${root}/rates`);
