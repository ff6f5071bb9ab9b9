import type { Tx } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import type { Block } from '../rpc/block.ts';
import type { Agreement } from '../scan/blocks/agreement.ts';
import { type Cursor, finalBlock, moveCursor, readCursor } from './cursor.ts';
import type { PayoutDeps } from './deps.ts';
import { leftOut, noteEvents, noteGoneAbove, noteWindow } from './events.ts';
import { reopen, reopenLeftOut, settleOrders } from './settle.ts';
import { createVaultWindows, type NextVaultWindow, type VaultWindow } from './vault-windows.ts';

/** How many blocks are read again after a reorg: no chain takes back more. */
const blocksBack = 1_000n;

/** One reading of a chain's vaults, under the sender lock. */
type VaultReading = PayoutDeps & { lock: Lease; nextWindow: NextVaultWindow };

/**
 * Makes the function that reads the events of a chain's vaults in final blocks, up to the final block of the scan. Two
 * endpoints must show the same. Events and the new states of their orders are written together; events that must
 * exist and were left out are read again. Returns how far it has read. Throws RpcFault, Disagreement, LeaseLost.
 */
export function createVaultReader(
  deps: PayoutDeps,
  agreement: Agreement,
): (lock: Lease) => Promise<Cursor | null> {
  const nextWindow = createVaultWindows(deps, agreement);
  return async (lock) => {
    const reading: VaultReading = { ...deps, lock, nextWindow };
    const cursor = await readOn(reading);
    if (cursor) await readLeftOut(reading, cursor);
    return cursor;
  };
}

/** Reads from the cursor on up to the last final block. */
async function readOn(reading: VaultReading): Promise<Cursor | null> {
  const { db, chain, nextWindow } = reading;
  const final = await finalBlock(db, chain.id);
  if (!final) return null;
  let cursor = (await readCursor(db, chain.id)) ?? (await firstCursor(reading, final));
  const isReplaced = cursor.number === final.number && cursor.hash !== null && cursor.hash !== final.hash;
  if (cursor.number > final.number || isReplaced) {
    cursor = await stepBack(reading, cursor.number > final.number ? final.number : cursor.number);
  }
  while (cursor.number < final.number) {
    const window = await nextWindow(cursor, final.number);
    if (window === 'moved') {
      cursor = await stepBack(reading, cursor.number);
      continue;
    }
    // The scan has not seen this reorg yet: its final block must change first.
    if (window.end.number === final.number && window.end.hash !== final.hash) return cursor;
    cursor = await writeWindow(reading, cursor, window);
  }
  return cursor;
}

/** Where the reading of a chain begins: far enough before the first order. */
async function firstCursor({ db, chain, lock, now }: VaultReading, final: Block): Promise<Cursor> {
  const cursor = back(final.number);
  await writeUnderLease(db, lock, (tx) => moveCursor(tx, chain.id, cursor, now()));
  return cursor;
}

async function stepBack(reading: VaultReading, from: bigint): Promise<Cursor> {
  const { db, chain, lock, now, log } = reading;
  const cursor = back(from);
  log.warn(
    { chain: chain.id, from: `${from}` },
    'the events of the vault are read again: final blocks have left',
  );
  await writeUnderLease(db, lock, async (tx) => {
    const gone = await noteGoneAbove(tx, chain.id, from);
    await reopen(tx, chain.id, cursor.number);
    await settleAll(reading, tx, gone);
    await moveCursor(tx, chain.id, cursor, now());
  });
  return cursor;
}

async function writeWindow(
  reading: VaultReading,
  after: Cursor,
  { end, events }: VaultWindow,
): Promise<Cursor> {
  const { db, chain, lock, now } = reading;
  await writeUnderLease(db, lock, async (tx) => {
    const changed = await noteWindow(tx, chain.id, { after: after.number, to: end.number, events });
    await settleAll(reading, tx, changed);
    await moveCursor(tx, chain.id, end, now());
  });
  return end;
}

/** Reads blocks again in which events were left out. Events that are noted already stay. */
async function readLeftOut(reading: VaultReading, cursor: Cursor): Promise<void> {
  const { db, chain, lock, nextWindow } = reading;
  const { firstBlock, isSaid } = await leftOut(db, chain.id, cursor.number);
  if (firstBlock === null && !isSaid) return;
  // In which block the vault paid an order that it says it has paid is not known.
  let after = isSaid ? back(cursor.number).number : cursor.number;
  if (firstBlock !== null && firstBlock - 1n < after) after = firstBlock - 1n;
  while (after < cursor.number) {
    const window = await nextWindow({ number: after, hash: null }, cursor.number);
    // The next round handles the reorg.
    if (window === 'moved') return;
    const { end, events } = window;
    if (end.number === cursor.number && end.hash !== cursor.hash) return;
    await writeUnderLease(db, lock, async (tx) => {
      await settleAll(reading, tx, await noteEvents(tx, chain.id, events));
    });
    after = end.number;
  }
  // Transactions whose events are still missing are under way again.
  await writeUnderLease(db, lock, (tx) => reopenLeftOut(tx, chain.id, cursor.number));
}

/** Writes the new states of the orders whose events changed. */
async function settleAll(
  { chain, now, log }: VaultReading,
  tx: Tx,
  changed: readonly bigint[],
): Promise<void> {
  const late = await settleOrders(tx, chain.id, changed, now());
  if (late.length > 0) log.error({ chain: chain.id, late }, 'the vault paid what had ended');
}

const back = (from: bigint): Cursor => ({ number: from > blocksBack ? from - blocksBack : 0n, hash: null });
