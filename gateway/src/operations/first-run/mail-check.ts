import { queueMail } from '../../identity/mail/mail.ts';
import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { checkCode, checkHash } from './check-secret.ts';

const goodSeconds = 30 * 60;
const mostTries = 5;

/** Mails a person a code, which shows that mails of the gateway arrive. The code before it ends. */
export async function openMailCheck(
  tx: Tx,
  { by, to, now }: { by: string; to: string; now: Date },
): Promise<string> {
  const [id, code] = [newId(now), checkCode()];
  await tx.query(`DELETE FROM setup_checks WHERE made_by = $1 AND step = 'mail'`, [by]);
  await tx.query(
    `INSERT INTO setup_checks (id, step, secret_hash, made_by, expires_at) VALUES ($1, 'mail', $2, $3, $4)`,
    [id, checkHash(code, id), by, after(now, goodSeconds)],
  );
  const text = `Mails of this installation arrive. The code for the page that sent this: ${code}\n\nIt gives access to nothing.\n`;
  await queueMail(tx, { to, kind: 'test', subject: `Florin: your code is ${code}`, text });
  return id;
}

/** Whether this is the code of a person's newest mail. After five wrong ones no code is right any more. */
export async function isMailCode(
  tx: Tx,
  { by, code, now }: { by: string; code: string; now: Date },
): Promise<boolean> {
  const { rows } = await tx.query<{ id: string; secret_hash: string; tries: number }>(
    `SELECT id, secret_hash, tries FROM setup_checks
     WHERE made_by = $1 AND step = 'mail' AND expires_at > $2 FOR UPDATE`,
    [by, now],
  );
  const [check] = rows;
  if (!check || check.tries >= mostTries) return false;
  if (checkHash(code.replace(/\s/g, ''), check.id) === check.secret_hash) {
    await tx.query('DELETE FROM setup_checks WHERE id = $1', [check.id]);
    return true;
  }
  await tx.query('UPDATE setup_checks SET tries = tries + 1 WHERE id = $1', [check.id]);
  return false;
}
