import { type Database, type Reader, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { accountByEmail } from './accounts.ts';
import { mailLink } from './links.ts';

const mostAtOnce = 50;

/** Notes that somebody asked for a new password for the account of an address, whether there is one or not. */
export async function askReset(reader: Reader, email: string, now: Date): Promise<void> {
  await reader.query('INSERT INTO asked_resets (id, email, asked_at) VALUES ($1, $2, $3)', [
    newId(now),
    email,
    now,
  ]);
}

/** Mails the links that were asked for, where there are accounts. Any number of processes may call it. */
export async function mailAskedResets(db: Database, baseUrl: string): Promise<void> {
  const { rowCount } = await db.query('SELECT FROM asked_resets LIMIT 1');
  if (rowCount === 0) return;
  await transaction(db, async (tx) => {
    const { rows } = await tx.query<{ email: string; asked_at: Date }>(
      `DELETE FROM asked_resets WHERE id IN (
         SELECT id FROM asked_resets ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING email, asked_at`,
      [mostAtOnce],
    );
    for (const { email, asked_at } of rows) {
      const account = await accountByEmail(tx, email);
      if (!account) continue;
      const link = { accountId: account.id, purpose: 'reset_password', email, newEmail: null } as const;
      await mailLink(tx, baseUrl, link, asked_at);
    }
  });
}
