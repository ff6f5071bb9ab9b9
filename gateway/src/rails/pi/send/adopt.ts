import type { Tx } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import type { SendDeps } from './deps.ts';
import { contentOf } from './envelope.ts';
import type { Twin } from './fate.ts';
import type { Place } from './order.ts';
import { endOrder } from './outcome.ts';
import { endEnvelope, insertEnvelope, type Ready } from './record.ts';

/**
 * Takes a transaction with the identifier of a platform payment for the one of its order, of which nothing is known
 * here: the database was put back to an earlier state. It settles the order unless the reader has told of it.
 */
export async function adopt(deps: SendDeps, lock: Lease, { id }: Ready, twin: Twin): Promise<void> {
  const { db, pi, now, log } = deps;
  const content = await contentOf(pi.passphrase, twin.envelope);
  await writeUnderLease(db, lock, async (tx) => {
    const isTold = await wasTold(tx, pi, twin.hash);
    await insertEnvelope(tx, pi, {
      hash: twin.hash,
      sendId: id,
      envelope: twin.envelope,
      sequence: content!.sequence,
      maxFee: twin.fee,
      maxTime: twin.at,
      createdAt: now(),
    });
    await endEnvelope(tx, twin.hash, { state: 'applied', fee: twin.fee, at: now() });
    if (isTold)
      await endOrder(tx, deps, id, `Transaction ${twin.hash} sent it, and is booked without an order`);
  });
  log.warn({ send: id, hash: twin.hash }, 'a send was on the network already');
}

/** Whether the reader told what this transaction moved; from here on it waits until ours commits. */
async function wasTold(tx: Tx, { passphrase, account }: Place, hash: string): Promise<boolean> {
  await tx.query('SELECT 1 FROM pi_accounts WHERE passphrase = $1 AND account = $2 FOR UPDATE', [
    passphrase,
    account,
  ]);
  const { rowCount } = await tx.query(
    'SELECT 1 FROM pi_records WHERE transaction = $1 AND told_state IS NOT NULL',
    [hash],
  );
  return rowCount !== 0;
}
