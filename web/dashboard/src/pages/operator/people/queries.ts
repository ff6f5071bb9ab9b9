import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';
import type { Account } from '../../../api/session.ts';

const root = '/console/operator';

export type AccountLine = Account & {
  created_at: string;
  sessions: number;
  last_seen_at: string | null;
  merchants: { id: string; name: string; role: string }[];
};

export const accountsPath = `${root}/accounts`;

export const useAccounts = (find: {
  search: string | undefined;
  kind: string | undefined;
  cursor: string | undefined;
}) => useList<AccountLine>(accountsPath, find);

export const setOperator = (id: string, isOperator: boolean) =>
  api(`${accountsPath}/${id}/operator`, { method: 'PUT', body: { is_operator: isOperator } });

export const endSessions = (id: string) => api(`${accountsPath}/${id}/sessions`, { method: 'DELETE' });

export type StaffEntry = {
  id: string;
  at: string;
  actor: { kind: string; name: string; as_operator: boolean; address: string | null };
  integration_id: string | null;
  action: string;
  subject: { kind: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export const useStaffLog = (query: Record<string, string | undefined>) =>
  useList<StaffEntry>(`${root}/audit`, query);
