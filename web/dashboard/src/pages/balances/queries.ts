import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  AccountingCurrency,
  AssetBalance,
  AssetStatement,
  BusinessLine as BalanceLine,
  Balances,
  DirectStatement,
  FundedUser,
  MonthKinds,
  MonthStatement,
  StatementKind,
} from '../../../../../gateway/src/wallets/console-answers.ts';
import { api } from '../../api/client.ts';
import { dayRange } from '../../api/day-range.ts';
import { everyMs, type Page, useList } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { isSome } from '../../format/decimals.ts';
import { useZone } from '../../format/time-zone.ts';
import type { BalancesSearch } from './search.ts';

export type {
  AccountingCurrency,
  AssetBalance,
  AssetStatement,
  BalanceLine,
  Balances,
  DirectStatement,
  FundedUser,
  MonthStatement,
  StatementKind,
};

/** The balances; read again while something is held, which leaves or comes back by itself. */
export function useBalances(): UseQueryResult<Balances> {
  const path = useScope().path('/balances');
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => api<Balances>(path, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.totals.some(({ held }) => isSome(held)) ? everyMs : false,
  });
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

export function useKinds(month: string): UseQueryResult<MonthKinds> {
  const path = useScope().path(`/statements/${month}/kinds`);
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => api<MonthKinds>(path, { signal }) });
}

export function useAccountingCurrency(): UseQueryResult<AccountingCurrency> {
  const path = useScope().integrationPath('/accounting-currency');
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => api<AccountingCurrency>(path, { signal }) });
}
