import type { Mode } from '../identity/integration.ts';
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
    text: `INSERT INTO wallet_notices (user_id, mode, kind, asset, units, other, about_id, created_at)
           SELECT user_id, mode, kind, asset, units, other, about_id, $2 FROM json_to_recordset($1) AS t
             (user_id uuid, mode text, kind text, asset text, units numeric, other text, about_id uuid)`,
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
