import { api } from '../../../api/client.ts';
import { type Page, useList, useRead } from '../../../api/list.ts';
import { useAct } from '../../../ui/toast/act.ts';

const root = '/console/operator';

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
