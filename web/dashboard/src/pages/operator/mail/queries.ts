import type {
  Announcement,
  MailLine,
  MailPage,
  OpenedMail,
} from '../../../../../../gateway/src/identity/console/answers/operators.ts';
import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';

export type { Announcement, MailLine, OpenedMail };

const root = '/console/operator';

export type AnnouncementTone = Announcement['tone'];

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
    done: t('The announcement has ended.'),
  });

export const mailsPath = `${root}/mails`;

export const useMails = (find: { state: string | undefined; cursor: string | undefined }) =>
  useRead<MailPage>(mailsPath, find);

export const openMail = (id: string) => api<OpenedMail>(`${mailsPath}/${id}/open`, { method: 'POST' });

export const useRetryMail = () =>
  useAct((id: string) => api(`${mailsPath}/${id}/retry`, { method: 'POST' }), {
    changes: [mailsPath],
    done: t('The mail is tried again now.'),
  });

export const sendTestMail = (to: string) => api(`${mailsPath}/test`, { body: { to } });
