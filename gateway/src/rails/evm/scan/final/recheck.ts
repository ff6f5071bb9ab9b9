import { after } from '../../../../kit/clock.ts';
import type { Reader } from '../../../../kit/db/db.ts';
import type { Hex } from '../../config/chains.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { Disagreement } from '../blocks/agreement.ts';
import { type Held, writeHeld } from '../blocks/held-chain.ts';
import { isSameLog, keyOf, sameTransfers } from '../blocks/match.ts';
import type { Cursors } from '../blocks/reorg.ts';
import { markGone, type NotedTransfer, notedBetween, noteSeen } from '../blocks/transfers.ts';
import { changeUnconfirmed, newUnconfirmed } from '../blocks/unconfirmed.ts';
import { readAllTransfers } from '../blocks/window.ts';
import { checkBacking } from './backing.ts';
import { bookTransfers } from './booking.ts';
import { backingOf, type FinalPass } from './final.ts';

/** Blocks of one round. */
const blocksAtMost = 10;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;
/** While a transfer of the block is seen and not final: see planNext. */
const unclearPauseSeconds = 50;
const unclearTries = 3;
/** After days of trying it is given up. */
const triesAtMost = 60;

/**
 * Reads blocks again that both cursors may have passed, and notes or books transfers that were missed in them. A
 * transfer that was booked with another content than two endpoints show now is reversed, and booked again. Two
 * endpoints must agree, as for every booking. A fault of one block does not hold up the others.
 */
export async function recheckDue(pass: FinalPass, held: Held, cursors: Cursors): Promise<void> {
  const { rows } = await pass.db.query<DueRow>(
    `SELECT block_number, tries, expects, transactions FROM evm_rechecks
     WHERE chain_id = $1 AND due_at <= $2 AND block_number <= $3 ORDER BY due_at LIMIT $4`,
    [held.chainId, pass.now, cursors.seen.number, blocksAtMost],
  );
  for (const { block_number: number, tries, expects, transactions } of rows) {
    const isLast = tries >= triesAtMost;
    let isDone = isLast;
    try {
      const isRead = await recheckBlock(pass, held, { number, transactions }, cursors);
      const lacking = await notFinal(pass.db, held.chainId, number, expects);
      isDone ||= isRead && lacking.length === 0;
      if (isLast && lacking.length > 0) {
        const facts = { chain: held.chainId, block: `${number}`, transactions, lacking };
        pass.log.error(facts, 'transfers that an endpoint showed are given up: no two endpoints show them');
      }
    } catch (error) {
      if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
    }
    await planNext(pass, held, { number, tries, isDone, final: cursors.final.number });
  }
}

type DueRow = { block_number: bigint; tries: number; expects: string[]; transactions: Hex[] };

/**
 * Which of the expected transfers are not final yet. Two endpoints may both lack for a while what a third one showed,
 * and the final cursor leaves out again what their answers leave out.
 */
async function notFinal(
  reader: Reader,
  chainId: number,
  number: bigint,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const noted = await notedBetween(reader, chainId, number - 1n, number);
  const final = new Set(noted.filter(({ state }) => state === 'final').map(keyOf));
  return keys.filter((key) => !final.has(key));
}

type Rechecked = { number: bigint; tries: number; isDone: boolean; final: bigint };

/** A transfer that is seen in a final block is never given up: nothing else would check it. */
async function planNext(
  { db, now }: FinalPass,
  held: Held,
  { number, tries, isDone, final }: Rechecked,
): Promise<void> {
  await writeHeld(db, held, async (tx) => {
    const { rows } = await tx.query(
      `SELECT FROM evm_transfers
       WHERE chain_id = $1 AND block_number = $2 AND block_number <= $3 AND state = 'seen' LIMIT 1`,
      [held.chainId, number, final],
    );
    const isUnclear = rows.length > 0;
    if (isDone && !isUnclear) {
      await tx.query('DELETE FROM evm_rechecks WHERE chain_id = $1 AND block_number = $2', [
        held.chainId,
        number,
      ]);
      return;
    }
    const longest = isUnclear ? unclearPauseSeconds : longestPauseSeconds;
    const pause = Math.min(firstPauseSeconds * 2 ** tries, longest);
    // Looks at unclear transfers are not counted, so that lacking ones still get days.
    const count = isUnclear ? Math.min(tries + 1, unclearTries) : tries + 1;
    await tx.query(
      'UPDATE evm_rechecks SET tries = $3, due_at = $4 WHERE chain_id = $1 AND block_number = $2',
      [held.chainId, number, count, after(now, pause)],
    );
  });
}

/** Returns whether the block need not be read again. */
async function recheckBlock(
  pass: FinalPass,
  held: Held,
  { number, transactions }: { number: bigint; transactions: readonly Hex[] },
  cursors: Cursors,
): Promise<boolean> {
  const { db, search, agreement, head, now } = pass;
  const asked = new Set<string>();
  const agreed = await agreement.agree({
    ask: async (endpoint) => {
      asked.add(endpoint.name);
      return (await readAllTransfers(endpoint, search, { from: number, to: number, transactions })).ours;
    },
    same: sameTransfers,
    about: `the transfers of block ${number}`,
  });
  const before = await notedBetween(db, held.chainId, number - 1n, number);
  const noted = new Map(before.map((each) => [keyOf(each), each.state]));
  if (number > cursors.final.number) {
    const missed = agreed.filter((each) => !noted.has(keyOf(each)));
    await writeHeld(db, held, (tx) => noteSeen(tx, search.chain, missed, { head: head.number, now }));
    return true;
  }
  // The final cursor will not come here again.
  const right = new Map(agreed.map((each) => [keyOf(each), each]));
  const misread = before.filter((each) => {
    const twin = right.get(keyOf(each));
    return twin && !isSameLog(each, twin);
  });
  if (misread.length > 0) {
    const isTwo = asked.size > 1 || search.chain.rpcUrls.length === 1;
    if (isTwo) await reverse(pass, held, misread);
    // Each is noted again after it was reported as gone.
    return false;
  }
  const open = agreed.filter((each) => noted.get(keyOf(each)) !== 'final');
  const verdicts = await checkBacking(backingOf(pass), open, cursors);
  const { backed, lacking, unclear, doubted } = verdicts;
  await writeHeld(db, held, async (tx) => {
    const found = [...backed.map(({ transfer }) => transfer), ...unclear, ...doubted];
    await noteSeen(tx, search.chain, found, { head: head.number, now });
    const left = lacking.filter((each) => noted.has(keyOf(each)));
    await bookTransfers(tx, pass, { ...verdicts, lacking: left });
    const [endpoint] = asked;
    if (backed.length > 0 && endpoint !== undefined && asked.size === 1 && search.chain.rpcUrls.length > 1) {
      const block = newUnconfirmed({ after: number - 1n, to: number, endpoint }, now);
      await changeUnconfirmed(tx, held.chainId, (kept) => [...kept, block]);
    }
  });
  const unbooked = await notFinal(
    db,
    held.chainId,
    number,
    backed.map(({ transfer }) => keyOf(transfer)),
  );
  return lacking.length === 0 && unbooked.length === 0;
}

/** Reverses transfers that endpoints had shown wrong. */
async function reverse({ db, log }: FinalPass, held: Held, misread: readonly NotedTransfer[]): Promise<void> {
  await writeHeld(db, held, (tx) => markGone(tx, held.chainId, misread));
  for (const { transaction, token, address, units, ownerId } of misread) {
    log.error(
      { chain: held.chainId, transaction, token, address, units: `${units}`, ownerId },
      'a transfer was read wrong: it is reversed, and booked as two endpoints show it now',
    );
  }
}
