import type { AccountLine } from '../../../../../../gateway/src/identity/console/answers/operators.ts';
import type { AuditEntry as StaffEntry } from '../../../../../../gateway/src/identity/console/answers/team.ts';
import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';

export type { AccountLine, StaffEntry };

const root = '/console/operator';

export const accountsPath = `${root}/accounts`;

export const useAccounts = (find: {
  search: string | undefined;
  kind: string | undefined;
  cursor: string | undefined;
}) => useList<AccountLine>(accountsPath, find);

export const setOperator = (id: string, isOperator: boolean) =>
  api(`${accountsPath}/${id}/operator`, { method: 'PUT', body: { is_operator: isOperator } });

export const endSessions = (id: string) => api(`${accountsPath}/${id}/sessions`, { method: 'DELETE' });

export const closeAccount = (id: string) => api(`${accountsPath}/${id}`, { method: 'DELETE' });

export const useStaffLog = (query: Record<string, string | undefined>) =>
  useList<StaffEntry>(`${root}/audit`, query);
