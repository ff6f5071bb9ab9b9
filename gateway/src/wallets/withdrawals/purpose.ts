import type { Tx } from '../../kit/db/db.ts';
import type { Party } from '../../ledger/ledger.ts';
import { unpaidEnds } from '../../payouts/lifecycle/state.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import type { Moved, Purpose } from '../../payouts/payout/purposes.ts';
import { walletErrors } from '../errors.ts';
import { releaseUses } from '../limits.ts';
import { type Notice, type NoticeKind, recordNotices } from '../notices.ts';
import type { UserId } from '../users.ts';

/**
 * Payouts out of a user's balance, which pays first what they owe. What one that ends unpaid took of limits is released;
 * users are told of each end.
 */
export const withdrawalPurpose: Purpose = {
  cause: 'withdrawal',
  repays: true,
  short: walletErrors.balance_short,
  moved,
  late,
};

async function moved(tx: Tx, all: readonly Moved[], now: Date): Promise<void> {
  const payouts = all.map(({ payout }) => payout);
  const unpaid = payouts.filter(({ status }) => unpaidEnds.includes(status));
  const sent = payouts.filter(({ status }) => status === 'completed');
  await releaseUses(
    tx,
    unpaid.map(({ debit: { owner: userId }, mode, asset, units, createdAt: at }) => {
      return { userId, mode, action: 'withdraw', asset, units, at };
    }),
  );
  const ends = [...unpaid, ...(await notToldYet(tx, sent))];
  await recordNotices(tx, ends.map(noticeOf), now);
}

function noticeOf({ id: aboutId, status, debit, mode, asset, units, to, transaction }: Payout): Notice {
  const kind = noticeKinds[status] ?? 'withdrawal_failed';
  const other = status === 'completed' ? (transaction ?? to) : to;
  return { userId: debit.owner as UserId, mode, kind, asset, units, other, aboutId };
}

/** What left though it had ended is the user's to pay; they are told that it left. */
async function late(tx: Tx, { payout }: Moved, now: Date): Promise<Party> {
  const sent = payout.status === 'completed' ? await notToldYet(tx, [payout]) : [];
  await recordNotices(tx, sent.map(noticeOf), now);
  return payout.debit;
}

const noticeKinds: Readonly<Partial<Record<Payout['status'], NoticeKind>>> = {
  completed: 'withdrawal_sent',
  cancelled: 'withdrawal_cancelled',
  rejected: 'withdrawal_failed',
  failed: 'withdrawal_failed',
};

async function notToldYet(tx: Tx, sent: readonly Payout[]): Promise<Payout[]> {
  if (sent.length === 0) return [];
  const { rows } = await tx.query<{ payout_id: string }>(
    `UPDATE withdrawals SET told_sent = true WHERE payout_id = ANY ($1) AND NOT told_sent RETURNING payout_id`,
    [sent.map(({ id }) => id)],
  );
  const untold = new Set(rows.map(({ payout_id }) => payout_id));
  return sent.filter(({ id }) => untold.has(id));
}
