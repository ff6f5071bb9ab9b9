import type { UseQueryResult } from '@tanstack/react-query';
import { dayRange } from '../../api/day-range.ts';
import { type Page, useList, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { useZone } from '../../format/time-zone.ts';
import type { BalancesSearch } from './search.ts';

/** What a business has of one asset; amounts are decimal strings. */
export type AssetBalance = {
  asset: string;
  currency: string;
  network: string;
  available: string;
  held: string;
};

export type Balances = Page<AssetBalance> & {
  totals: { currency: string; available: string; held: string }[];
};

export type BalanceLine = {
  id: string;
  asset: string;
  currency: string;
  network: string;
  /** Negative where it went out. */
  amount: string;
  /** Null where too many lines have followed to tell. */
  balance_after: string | null;
  cause: string;
  payment_reference: string | null;
  username: string | null;
  created_at: string;
};

export type AssetStatement = {
  asset: string;
  opening: string;
  in: string;
  out: string;
  fees: string;
  closing: string;
  lines: number;
};

export type MonthStatement = { month: string; assets: AssetStatement[] };

export function useBalances(): UseQueryResult<Balances> {
  return useRead<Balances>(useScope().path('/balances'));
}

export function useLines({
  asset,
  cause,
  from,
  to,
  cursor,
}: BalancesSearch): UseQueryResult<Page<BalanceLine>> {
  return useList<BalanceLine>(useScope().path('/balance-entries'), {
    asset,
    cause,
    ...dayRange(from, to, useZone()),
    cursor,
  });
}

export function useStatements({ cursor }: BalancesSearch): UseQueryResult<Page<MonthStatement>> {
  return useList<MonthStatement>(useScope().path('/statements'), { cursor });
}
