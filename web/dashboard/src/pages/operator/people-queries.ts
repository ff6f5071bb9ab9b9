import { api } from '../../api/client.ts';
import { type Page, useList, useRead } from '../../api/list.ts';
import type { Account } from '../../api/session.ts';
import { useAct } from '../../ui/toast/act.ts';

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

export const announcementTones = ['quiet', 'waiting', 'lost'] as const;
export type AnnouncementTone = (typeof announcementTones)[number];

export type Announcement = {
  id: string;
  text: string;
  tone: AnnouncementTone;
  created_at: string;
  ended_at: string | null;
};

export const announcementsPath = `${root}/announcements`;

export const useAnnouncements = (cursor: string | undefined) =>
  useList<Announcement>(announcementsPath, { cursor });

export const sendAnnouncement = (id: string | undefined, body: { text: string; tone: string }) =>
  id === undefined
    ? api(announcementsPath, { body })
    : api(`${announcementsPath}/${id}`, { method: 'PATCH', body });

export const useEndAnnouncement = () =>
  useAct((id: string) => api(`${announcementsPath}/${id}/end`, { method: 'POST' }), {
    changes: [announcementsPath, 'session'],
    done: 'The announcement has ended.',
  });

export type MailLine = {
  id: string;
  recipient: string;
  subject: string;
  state: 'waiting' | 'sent' | 'failed';
  created_at: string;
  sent_at: string | null;
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  has_text: boolean;
};

export const mailsPath = `${root}/mails`;

export const useMails = (find: { state: string | undefined; cursor: string | undefined }) =>
  useRead<Page<MailLine> & { has_server: boolean }>(mailsPath, find);

export const openMail = (id: string) =>
  api<{ recipient: string; subject: string; text: string }>(`${mailsPath}/${id}/open`, { method: 'POST' });

export const useRetryMail = () =>
  useAct((id: string) => api(`${mailsPath}/${id}/retry`, { method: 'POST' }), {
    changes: [mailsPath],
    done: 'The mail is tried again now.',
  });

export const sendTestMail = (to: string) => api(`${mailsPath}/test`, { body: { to } });

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
