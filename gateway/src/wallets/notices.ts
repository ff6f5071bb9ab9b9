import type { Mode } from '../identity/integration.ts';
import { after } from '../kit/clock.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import type { UserId } from './users.ts';

/** What users are told of: money of theirs that moved, and what was decided about their wallet. */
export type NoticeKind =
  | 'sent'
  | 'received'
  | 'funded'
  | 'paid'
  | 'deposit'
  | 'deposit_gone'
  | 'address_added'
  | 'withdrawal_ordered'
  | 'withdrawal_sent'
  | 'withdrawal_cancelled'
  | 'withdrawal_failed'
  | 'frozen'
  | 'unfrozen'
  | 'level';

/** One thing that a user is told. */
export type Notice = {
  userId: UserId;
  /** Null: it concerns test and live money. */
  mode: Mode | null;
  kind: NoticeKind;
  asset?: string;
  units?: bigint;
  /** The other side as people read it: a user's name, an address. */
  other?: string | null;
  /** What it is about, such as a send or a payout. */
  aboutId?: string | null;
};

/** Writes notices in the transaction that causes them. */
export async function recordNotices(tx: Tx, notices: readonly Notice[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  const input = notices.map((notice) => ({
    user_id: notice.userId,
    mode: notice.mode,
    kind: notice.kind,
    asset: notice.asset ?? null,
    units: notice.units?.toString() ?? null,
    other: notice.other ?? null,
    about_id: notice.aboutId ?? null,
  }));
  await tx.query({
    name: 'record-wallet-notices',
    text: `INSERT INTO wallet_notices (user_id, mode, kind, asset, units, other, about_id, created_at, mail_due)
           SELECT t.user_id, t.mode, t.kind, t.asset, t.units, t.other, t.about_id, $2, u.email_confirmed
           FROM json_to_recordset($1) AS t
             (user_id uuid, mode text, kind text, asset text, units numeric, other text, about_id uuid)
           JOIN users u ON u.id = t.user_id`,
    values: [JSON.stringify(input), now],
  });
}

export type NoticeRow = {
  seq: bigint;
  mode: Mode | null;
  kind: NoticeKind;
  asset: string | null;
  units: bigint | null;
  other: string | null;
  about_id: string | null;
  created_at: Date;
};

/** A user's notices of a mode and of both, newest first, before the notice `before`. */
export async function noticesOf(
  reader: Reader,
  userId: UserId,
  mode: Mode,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await reader.query<NoticeRow>(
    `SELECT seq, mode, kind, asset, units, other, about_id, created_at FROM wallet_notices
     WHERE user_id = $1 AND (mode IS NULL OR mode = $2) AND ($3::bigint IS NULL OR seq < $3)
     ORDER BY seq DESC LIMIT $4`,
    [userId, mode, before, limit],
  );
  return rows;
}

/** A notice that is to be mailed, and whom to. */
export type NoticeMail = NoticeRow & { userId: UserId; username: string; email: string; locale: string };

const mailedAtOnce = 100;
const mailedWithinSeconds = 24 * 3600;

/**
 * Takes notices that are still to be mailed, the oldest first, a hundred at most, in the transaction that queues their mails.
 * One whose user has no confirmed address any more is dropped, as is one from which a day has passed.
 */
export async function takeNoticeMails(tx: Tx, now: Date): Promise<{ mails: NoticeMail[]; isLast: boolean }> {
  const { rows } = await tx.query<NoticeMail & { email: string | null; is_due: boolean }>(
    `WITH due AS (
       SELECT seq FROM wallet_notices WHERE mail_due ORDER BY seq LIMIT ${mailedAtOnce} FOR UPDATE SKIP LOCKED)
     UPDATE wallet_notices n SET mail_due = false FROM due, users u
     WHERE n.seq = due.seq AND u.id = n.user_id
     RETURNING n.seq, n.mode, n.kind, n.asset, n.units, n.other, n.about_id, n.created_at, n.user_id AS "userId",
       u.username, u.email, u.locale, u.email_confirmed AND n.created_at > $1 AS is_due`,
    [after(now, -mailedWithinSeconds)],
  );
  const mails = rows.filter(({ is_due, email }) => is_due && email !== null);
  return { mails: mails.toSorted((a, b) => (a.seq < b.seq ? -1 : 1)), isLast: rows.length < mailedAtOnce };
}
