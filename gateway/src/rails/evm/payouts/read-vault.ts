import type { Tx } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import type { Hex } from '../config/chains.ts';
import { type Block, headerCall, hexNumber, requireHeader } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import type { Agreement } from '../scan/blocks/agreement.ts';
import { payoutTopics, type VaultEvent, vaultEvents } from './calls.ts';
import { type Cursor, finalBlock, moveCursor, readCursor, vaultsOf } from './cursor.ts';
import type { PayoutDeps } from './deps.ts';
import { leftOut, noteEvents, noteGoneAbove, noteWindow } from './events.ts';
import { reopen, reopenLeftOut, settleOrders } from './settle.ts';

/** So many blocks are read again where the chain is another one than it was: no chain takes back more. */
const blocksBack = 1_000n;
const spanAtMost = 1_000n;

type Window = { end: Block; events: VaultEvent[] } | 'moved';

/**
 * Makes what reads the events of a chain's vaults in final blocks, up to where the scan says that it is final. Two
 * endpoints must show the same. What is read is written with what becomes of the orders; what must be there and was
 * left out is read again. Returns how far it is. Throws RpcFault, Disagreement, LeaseLost.
 */
export function createVaultReader(
  deps: PayoutDeps,
  agreement: Agreement,
): (lock: Lease) => Promise<Cursor | null> {
  const { db, chain, vault, now } = deps;
  let span = spanAtMost;

  async function readWindow(endpoint: Endpoint, vaults: Hex[], after: Cursor, to: bigint): Promise<Window> {
    const answers = await endpoint.batch([
      headerCall(to),
      headerCall(after.number),
      {
        method: 'eth_getLogs',
        params: [
          {
            fromBlock: hexNumber(after.number + 1n),
            toBlock: hexNumber(to),
            address: vaults,
            topics: [payoutTopics],
          },
        ],
      },
      headerCall(to),
    ]);
    const begin = requireHeader(answers[0], to);
    const end = requireHeader(answers[3], to);
    const before = requireHeader(answers[1], after.number);
    if (begin.hash !== end.hash || (after.hash !== null && before.hash !== after.hash)) return 'moved';
    const events = vaults.flatMap((each) => vaultEvents(answers[2], each));
    if (events.some(({ blockNumber }) => blockNumber <= after.number || blockNumber > to)) {
      throw new RpcFault('nonsense', 'answered with logs of other blocks');
    }
    return { end: { number: end.number, hash: end.hash }, events };
  }

  async function askWindow(after: Cursor, to: bigint): Promise<Window> {
    const vaults = await vaultsOf(db, chain.id, vault.address);
    try {
      const window = await agreement.agree({
        about: `what the vault did in blocks ${after.number + 1n} to ${to}`,
        ask: (endpoint) => readWindow(endpoint, vaults, after, to),
        same: (one, other) => textOf(one) === textOf(other),
      });
      span = span * 2n < spanAtMost ? span * 2n : spanAtMost;
      return window;
    } catch (error) {
      // Endpoints take different numbers of blocks at once.
      if (error instanceof RpcFault && span > 1n) span /= 2n;
      throw error;
    }
  }

  async function settleAll(tx: Tx, changed: readonly bigint[]): Promise<void> {
    const late = await settleOrders(tx, chain.id, changed, now());
    if (late.length > 0) deps.log.error({ chain: chain.id, late }, 'the vault paid what had ended');
  }

  async function stepBack(lock: Lease, from: bigint): Promise<Cursor> {
    const cursor = back(from);
    deps.log.warn(
      { chain: chain.id, from: `${from}` },
      'the events of the vault are read again: final blocks have left',
    );
    await writeUnderLease(db, lock, async (tx) => {
      const gone = await noteGoneAbove(tx, chain.id, from);
      await reopen(tx, chain.id, cursor.number);
      await settleAll(tx, gone);
      await moveCursor(tx, chain.id, cursor, now());
    });
    return cursor;
  }

  async function take(
    lock: Lease,
    after: Cursor,
    { end, events }: Exclude<Window, 'moved'>,
  ): Promise<Cursor> {
    await writeUnderLease(db, lock, async (tx) => {
      const changed = await noteWindow(tx, chain.id, { after: after.number, to: end.number, events });
      await settleAll(tx, changed);
      await moveCursor(tx, chain.id, end, now());
    });
    return end;
  }

  /** Reads again what was left out before; nothing that is noted is taken back by that. */
  async function readAgain(lock: Lease, cursor: Cursor): Promise<void> {
    const { firstBlock, isSaid } = await leftOut(db, chain.id, cursor.number);
    if (firstBlock === null && !isSaid) return;
    // Of what the vault says it paid, nobody knows in which block.
    let after = isSaid ? back(cursor.number).number : cursor.number;
    if (firstBlock !== null && firstBlock - 1n < after) after = firstBlock - 1n;
    while (after < cursor.number) {
      const to = after + span < cursor.number ? after + span : cursor.number;
      const window = await askWindow({ number: after, hash: null }, to);
      // A reorg is seen by the next round.
      if (window === 'moved' || (to === cursor.number && window.end.hash !== cursor.hash)) return;
      const { events } = window;
      await writeUnderLease(db, lock, async (tx) => {
        await settleAll(tx, await noteEvents(tx, chain.id, events));
      });
      after = to;
    }
    // What is still not there is followed anew.
    await writeUnderLease(db, lock, (tx) => reopenLeftOut(tx, chain.id, cursor.number));
  }

  async function readOn(lock: Lease): Promise<Cursor | null> {
    const final = await finalBlock(db, chain.id);
    if (!final) return null;
    let cursor = await readCursor(db, chain.id);
    if (!cursor) {
      // Long before the first order there is nothing that concerns one.
      cursor = back(final.number);
      const start = cursor;
      await writeUnderLease(db, lock, (tx) => moveCursor(tx, chain.id, start, now()));
    }
    const isElsewhere =
      cursor.number > final.number ||
      (cursor.number === final.number && cursor.hash !== null && cursor.hash !== final.hash);
    if (isElsewhere)
      cursor = await stepBack(lock, cursor.number > final.number ? final.number : cursor.number);
    while (cursor.number < final.number) {
      const to = cursor.number + span < final.number ? cursor.number + span : final.number;
      const window = await askWindow(cursor, to);
      if (window === 'moved') {
        cursor = await stepBack(lock, cursor.number);
        continue;
      }
      // The scan has not seen a reorg yet, and goes back first.
      if (to === final.number && window.end.hash !== final.hash) return cursor;
      cursor = await take(lock, cursor, window);
    }
    return cursor;
  }

  return async (lock) => {
    const cursor = await readOn(lock);
    if (cursor) await readAgain(lock, cursor);
    return cursor;
  };
}

const textOf = (window: Window): string =>
  JSON.stringify(window, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));

const back = (from: bigint): Cursor => ({ number: from > blocksBack ? from - blocksBack : 0n, hash: null });
