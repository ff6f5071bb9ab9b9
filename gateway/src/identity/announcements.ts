import type { Reader } from '../kit/db.ts';

export type Announcement = { id: string; text: string; tone: 'quiet' | 'waiting' | 'lost' };

/** What operators tell everybody who works in the dashboard at this moment, if anything. */
export async function currentAnnouncement(reader: Reader): Promise<Announcement | null> {
  const { rows } = await reader.query<Announcement>(
    'SELECT id, text, tone FROM announcements WHERE ended_at IS NULL ORDER BY created_at DESC LIMIT 1',
  );
  return rows[0] ?? null;
}
