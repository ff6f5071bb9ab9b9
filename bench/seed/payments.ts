import type { Owner } from '../../gateway/src/identity/owner.ts';
import type { Tx } from '../../gateway/src/kit/db/db.ts';
import { bulkTransfersTable, postInBulk } from '../../gateway/src/ledger/bulk.ts';
import type { Assets } from '../../gateway/src/money/assets.ts';
import {
  bookSql,
  drawSql,
  insertAppealsSql,
  insertDisputesSql,
  insertMovesSql,
  insertSql,
  insertTransfersSql,
  movesSql,
} from './payments-sql.ts';

export type SeedBatch = {
  count: number;
  /** The payments are spread evenly over this span. */
  from: Date;
  to: Date;
  /** The number of the first one, which is in its order number. */
  number: number;
  /** How many customers there are; some buy often. */
  customers: number;
  feeBps: number;
};

/**
 * Writes invented test payments with everything that belongs to them, as if they had been created and paid: statuses,
 * transfers and moves. `seedEvents` and `bookPayments` read the temporary tables `seed_payments` and `seed_moves` next.
 */
export async function seedPayments(
  tx: Tx,
  { integrationId, assets }: Pick<Owner, 'integrationId'> & { assets: Assets },
  batch: SeedBatch,
  now: Date,
): Promise<void> {
  const owner = [integrationId, 'test'];
  const { count, from, to, number, customers, feeBps } = batch;
  const codes = JSON.stringify(assets.all.map(({ code, currency, scale }) => ({ code, currency, scale })));
  const [begin, end, moment] = [from, to, now].map((date) => date.getTime());
  await tx.query(drawSql, [count, begin, end, number, customers, moment, feeBps, codes]);
  await tx.query(movesSql);
  await tx.query(insertSql, owner);
  await tx.query(insertMovesSql);
  await tx.query(insertAppealsSql, owner);
  await tx.query(insertTransfersSql);
  await tx.query(insertDisputesSql);
}

/** Books the payments of `seedPayments`. It locks the accounts until the transaction ends, so it must be called last. */
export async function bookPayments(tx: Tx, { integrationId }: Pick<Owner, 'integrationId'>): Promise<void> {
  await tx.query(bulkTransfersTable);
  await tx.query(bookSql, [integrationId, 'test']);
  await postInBulk(tx);
}
