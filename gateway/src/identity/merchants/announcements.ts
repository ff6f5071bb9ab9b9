import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';

export type Announcement = { id: string; text: string; tone: 'quiet' | 'waiting' | 'lost' };

/** The current announcement to everybody in the dashboard, if there is one. */
export async function currentAnnouncement(reader: Reader): Promise<Announcement | null> {
  const { rows } = await reader.query<Announcement>(
    'SELECT id, text, tone FROM announcements WHERE ended_at IS NULL ORDER BY created_at DESC LIMIT 1',
  );
  return rows[0] ?? null;
}

export const announcementTones = [
  'quiet',
  'waiting',
  'lost',
] as const satisfies readonly Announcement['tone'][];

export type PastAnnouncement = Announcement & { created_at: Date; ended_at: Date | null };

/** All announcements, newest first, before the announcement `before`. */
export async function announcements(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<PastAnnouncement[]> {
  const { rows } = await reader.query<PastAnnouncement>(
    `SELECT id, text, tone, created_at, ended_at FROM announcements
     WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

type Words = Pick<Announcement, 'text' | 'tone'>;

/** Starts an announcement, which ends the current one. */
export async function announce(tx: Tx, { text, tone }: Words, now: Date): Promise<string> {
  // One at a time: two operators must not start two.
  await tx.query('LOCK TABLE announcements IN SHARE ROW EXCLUSIVE MODE');
  await tx.query('UPDATE announcements SET ended_at = $1 WHERE ended_at IS NULL', [now]);
  const id = newId(now);
  await tx.query('INSERT INTO announcements (id, text, tone, created_at) VALUES ($1, $2, $3, $4)', [
    id,
    text,
    tone,
    now,
  ]);
  return id;
}

/** Changes the text of the current announcement and returns the old text; null when it has ended. */
export async function rewordAnnouncement(tx: Tx, id: string, { text, tone }: Words): Promise<Words | null> {
  const { rows } = await tx.query<Words>(
    'SELECT text, tone FROM announcements WHERE id = $1 AND ended_at IS NULL FOR UPDATE',
    [id],
  );
  const before = rows[0];
  if (!before) return null;
  await tx.query('UPDATE announcements SET text = $2, tone = $3 WHERE id = $1', [id, text, tone]);
  return before;
}

/** Ends an announcement and returns its text; null when it has ended or is unknown. */
export async function endAnnouncement(tx: Tx, id: string, now: Date): Promise<Words | null> {
  const { rows } = await tx.query<Words>(
    'UPDATE announcements SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL RETURNING text, tone',
    [id, now],
  );
  return rows[0] ?? null;
}
