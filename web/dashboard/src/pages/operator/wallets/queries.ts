import type { BalanceLine } from '../../../../../../gateway/src/wallets/console-answers.ts';
import type {
  UserWithdrawal,
  WalletUser,
  WalletUserDetail,
} from '../../../../../../gateway/src/wallets/operators/answers.ts';
import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';

export type { BalanceLine, UserWithdrawal, WalletUser, WalletUserDetail };

/** What is stale after a change of a user. */
export const usersPath = '/console/operator/users';

type Find = { search: string | undefined; frozen: 'yes' | undefined; cursor: string | undefined };

export const useUsers = (find: Find) => useList<WalletUser>(usersPath, find);
export const useUser = (id: string) => useRead<WalletUserDetail>(`${usersPath}/${id}`, {});
export const useUserLines = (id: string, mode: string, cursor: string | undefined) =>
  useList<BalanceLine>(`${usersPath}/${id}/lines`, { mode, cursor });
export const useUserWithdrawals = (id: string, mode: string) =>
  useList<UserWithdrawal>(`${usersPath}/${id}/withdrawals`, { mode });

/** What an operator does with a wallet. */
export type UserAct = 'freeze' | 'unfreeze' | 'level' | 'ask-level' | 'end-sessions';

export const actOnUser = (id: string, act: UserAct, body: object) =>
  api<unknown>(`${usersPath}/${id}/${act}`, { method: 'POST', body });
