import type { Tx } from '../../kit/db/db.ts';
import type { SendReport } from '../../rails/rail.ts';
import { type Payout, type PayoutId, type PayoutRow, type PayoutStatus, payoutOf } from '../payout/payout.ts';
import { payoutColumnsOf } from '../payout/sql.ts';
import { lockPayouts } from './locks.ts';
import { isLate, type Move, movePayouts, type PayoutDeps, unpaidEnds } from './state.ts';

/**
 * Takes what rails report of payouts, in the transaction that notes it as reported; reported twice it counts once.
 * Returns the ids of orders that are no payouts.
 */
export async function takeSendReports(
  tx: Tx,
  deps: PayoutDeps,
  reports: readonly SendReport[],
): Promise<string[]> {
  if (reports.length === 0) return [];
  const locked = await lockPayouts(tx, deps, [...new Set(reports.map(({ id }) => id))]);
  const current = new Map<string, Payout>(locked.map((payout) => [payout.id, payout]));
  for (const round of inRounds(reports)) {
    const wanted: Move[] = [];
    const noted: Noted[] = [];
    for (const report of round) {
      const payout = current.get(report.id);
      if (!payout) continue;
      const to = moveOf(payout, report);
      const { transaction } = report;
      const why = to === null ? report.why : (lateWhy(payout, to) ?? report.why);
      if (to !== null) wanted.push({ payout, to, transaction, why });
      else if (saysMore(payout, report)) noted.push({ id: payout.id, transaction, why });
    }
    for (const payout of await movePayouts(tx, deps, wanted)) current.set(payout.id, payout);
    for (const payout of await noteChanges(tx, noted)) current.set(payout.id, payout);
  }
  return [...new Set(reports.map(({ id }) => id).filter((id) => !current.has(id)))];
}

/** Each round has one report of a payout at most, in the order in which they came. */
function inRounds(reports: readonly SendReport[]): SendReport[][] {
  const count = new Map<string, number>();
  const numbered = reports.map((report) => {
    const round = count.get(report.id) ?? 0;
    count.set(report.id, round + 1);
    return { report, round };
  });
  const rounds = Math.max(0, ...count.values());
  return Array.from({ length: rounds }, (_, index) =>
    numbered.flatMap(({ report, round }) => (round === index ? [report] : [])),
  );
}

/** The move that a report makes; null: the payout is there already. Throws for what cannot be. */
function moveOf({ id, status, endedAs }: Payout, { state }: SendReport): PayoutStatus | null {
  const isBack = state === 'undone' && status === 'completed' && endedAs !== null;
  const to = isBack ? endedAs : statusAfter[state];
  if (to === status) return null;
  // A payout that had ended before it was paid has ended again.
  if (state === 'undone' && unpaidEnds.includes(status)) return null;
  const isMove = isBack || mayMoveFrom[state].includes(status);
  if (isMove) return to;
  // An old report says nothing new. But money must not move for a payout that waits for approval: somebody must look.
  if (state === 'sent' || state === 'undone')
    throw new Error(`Payout ${id} is ${status}, and its rail reports ${state}`);
  return null;
}

const statusAfter: Readonly<Record<SendReport['state'], PayoutStatus>> = {
  waiting: 'queued',
  sending: 'sending',
  sent: 'completed',
  undone: 'sending',
  failed: 'failed',
};

const mayMoveFrom: Readonly<Record<SendReport['state'], readonly PayoutStatus[]>> = {
  waiting: ['sending'],
  sending: ['queued'],
  // Somebody may have kept the signed transaction of a payout that ended.
  sent: ['queued', 'sending', ...unpaidEnds],
  undone: ['completed'],
  failed: ['queued', 'sending'],
};

/** The reason that is shown for a payout that was paid after it had ended, or that has ended again. */
function lateWhy({ status }: Payout, to: PayoutStatus): string | null {
  if (!isLate(status, to)) return null;
  return to === 'completed'
    ? `It had ended (${status}) and was paid all the same`
    : 'It had ended before it was paid, and that has left the chain';
}

type Noted = { id: PayoutId; transaction: string | null; why: string | null };

/** Whether a report that moves nothing changes what people are shown. */
function saysMore(payout: Payout, { state, transaction, why }: SendReport): boolean {
  if (state === 'waiting') return payout.status === 'queued' && payout.heldUp !== why;
  return state !== 'failed' && transaction !== null && payout.transaction !== transaction;
}

async function noteChanges(tx: Tx, noted: readonly Noted[]): Promise<Payout[]> {
  if (noted.length === 0) return [];
  const { rows } = await tx.query<PayoutRow>(
    `UPDATE payouts p SET transaction = coalesce(t.transaction, p.transaction),
       held_up = CASE WHEN p.status = 'queued' THEN t.why END
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS t (id, transaction, why)
     WHERE p.id = t.id
     RETURNING ${payoutColumnsOf('p')}`,
    [noted.map(({ id }) => id), noted.map(({ transaction }) => transaction), noted.map(({ why }) => why)],
  );
  return rows.map(payoutOf);
}
