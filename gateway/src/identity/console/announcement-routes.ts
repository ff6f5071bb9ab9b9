import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import {
  announce,
  announcements,
  announcementTones,
  endAnnouncement,
  rewordAnnouncement,
} from '../merchants/announcements.ts';
import { AnnouncementPage, Changed } from './answers/operators.ts';
import type { Console } from './console.ts';

const readPage = queryReader(Type.Object(pageFields));
const AnnouncementBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 300, format: 'text' }),
  tone: Type.Enum([...announcementTones]),
});
const readAnnouncement = fieldReader(AnnouncementBody);

/** Operators' announcements to everybody in the dashboard. */
export function announcementRoutes(dashboard: Console, { db, now }: { db: Database; now: Clock }): void {
  dashboard.get('operator', '/announcements', { answer: AnnouncementPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => announcements(db, rows));
    const items = page.items.map(({ created_at, ended_at, ...words }) => ({
      ...words,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    }));
    return { message: 'Announcements', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.write('POST', 'operator', '/announcements', { answer: Changed }, async (tx, { body }) => {
    const words = readAnnouncement(body);
    const id = await announce(tx, words, now());
    const change = { action: 'made an announcement', subject: subjectOf(id), after: words };
    return { message: 'Announced', data: { id }, change };
  });

  dashboard.write(
    'PATCH',
    'operator',
    '/announcements/:announcement',
    { answer: Changed },
    async (tx, { params, body }) => {
      const id = announcementIdOf(params);
      const words = readAnnouncement(body);
      const before = await rewordAnnouncement(tx, id, words);
      if (!before) throw refuse(kitErrors.not_found);
      const change = { action: 'changed the announcement', subject: subjectOf(id), before, after: words };
      return { message: 'Announcement changed', data: { id }, change };
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/announcements/:announcement/end',
    { answer: Changed },
    async (tx, { params }) => {
      const id = announcementIdOf(params);
      const before = await endAnnouncement(tx, id, now());
      if (!before) throw refuse(kitErrors.not_found);
      const change = { action: 'ended the announcement', subject: subjectOf(id), before };
      return { message: 'Announcement ended', data: { id }, change };
    },
  );
}

function subjectOf(id: string) {
  return { kind: 'announcement', id };
}

function announcementIdOf({ announcement = '' }: Record<string, string>): string {
  if (!isUuid(announcement)) throw refuse(kitErrors.not_found);
  return announcement;
}
