import type { UseQueryResult } from '@tanstack/react-query';
import type {
  AssetBalance,
  AssetStatement,
  BalanceLine,
  Balances,
  MonthStatement,
} from '../../../../../gateway/src/wallets/console-answers.ts';
import { dayRange } from '../../api/day-range.ts';
import { type Page, useList, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { useZone } from '../../format/time-zone.ts';
import type { BalancesSearch } from './search.ts';

export type { AssetBalance, AssetStatement, BalanceLine, Balances, MonthStatement };

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
