import type { Tx } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import type { SendDeps } from './deps.ts';
import type { Twin } from './fate.ts';
import type { Place } from './order.ts';
import { endOrder } from './outcome.ts';
import { endEnvelope, insertEnvelope, type Ready } from './record.ts';

/**
 * Notes a transaction on the network as the one of an order, by the identifier of its platform payment. It is unknown
 * here where the database was restored to an earlier state. It settles the order unless it was reported before.
 */
export async function adopt(deps: SendDeps, lock: Lease, { id }: Ready, twin: Twin): Promise<void> {
  const { db, pi, now, log } = deps;
  await writeUnderLease(db, lock, async (tx) => {
    const isReported = await wasReported(tx, pi, twin.hash);
    await insertEnvelope(tx, pi, {
      hash: twin.hash,
      sendId: id,
      envelope: twin.envelope,
      sequence: twin.sequence,
      maxFee: twin.fee,
      maxTime: twin.at,
      createdAt: now(),
    });
    await endEnvelope(tx, twin.hash, { state: 'applied', fee: twin.fee, at: now() });
    if (isReported)
      await endOrder(tx, deps, id, `Transaction ${twin.hash} sent it, and is booked without an order`);
  });
  log.warn({ send: id, hash: twin.hash }, 'a send was on the network already');
}

/** Whether a transaction was reported. It is then neither read nor reported until the caller's transaction ends. */
async function wasReported(tx: Tx, { passphrase, account }: Place, hash: string): Promise<boolean> {
  await tx.query('SELECT 1 FROM pi_accounts WHERE passphrase = $1 AND account = $2 FOR UPDATE', [
    passphrase,
    account,
  ]);
  const { rows } = await tx.query<{ reported_state: string | null }>(
    'SELECT reported_state FROM pi_records WHERE transaction = $1 FOR UPDATE',
    [hash],
  );
  return rows.some(({ reported_state }) => reported_state !== null);
}
