import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db.ts';
import { RpcFault } from '../rpc-fault.ts';
import { Disagreement } from './agreement.ts';
import { unbacked } from './backing.ts';
import { bookTransfers, type FinalPass } from './final.ts';
import { type Held, writeHeld } from './lease.ts';
import { keyOf, type OurTransfer, sameTransfers } from './match.ts';
import type { Cursors } from './reorg.ts';
import { notedBetween, noteSeen } from './transfers.ts';
import { readEverybodys } from './window.ts';

/** Blocks of one round. */
const blocksAtMost = 10;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;
/** After days of trying nobody waits for it any more. */
const triesAtMost = 60;

/**
 * Reads blocks again that both cursors may have passed, and notes or books what was missed in them; what counts
 * needs the same agreement as ever. One block's fault holds up no other.
 */
export async function recheckDue(pass: FinalPass, held: Held, cursors: Cursors): Promise<void> {
  const { rows } = await pass.db.query<{ block_number: bigint; tries: number; expects: string[] }>(
    `SELECT block_number, tries, expects FROM evm_rechecks
     WHERE chain_id = $1 AND due_at <= $2 AND block_number <= $3 ORDER BY due_at LIMIT $4`,
    [held.chainId, pass.now, cursors.seen.number, blocksAtMost],
  );
  for (const { block_number: number, tries, expects } of rows) {
    let isDone = tries >= triesAtMost;
    try {
      const isRead = await recheckBlock(pass, held, number, cursors);
      isDone ||= isRead && (await areNoted(pass.db, held.chainId, number, expects));
    } catch (error) {
      if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
    }
    await writeHeld(pass.db, held, async (tx) => {
      const pause = Math.min(firstPauseSeconds * 2 ** tries, longestPauseSeconds);
      const [text, values] = isDone
        ? ['DELETE FROM evm_rechecks WHERE chain_id = $1 AND block_number = $2', []]
        : [
            'UPDATE evm_rechecks SET tries = tries + 1, due_at = $3 WHERE chain_id = $1 AND block_number = $2',
            [after(pass.now, pause)],
          ];
      await tx.query(text, [held.chainId, number, ...values]);
    });
  }
}

/** Two endpoints may both leave out for a while what a third one told of. */
async function areNoted(
  reader: Reader,
  chainId: number,
  number: bigint,
  keys: readonly string[],
): Promise<boolean> {
  if (keys.length === 0) return true;
  const noted = new Set((await notedBetween(reader, chainId, number - 1n, number)).map(keyOf));
  return keys.every((key) => noted.has(key));
}

/** Answers whether the block need not be looked at again. */
async function recheckBlock(pass: FinalPass, held: Held, number: bigint, cursors: Cursors): Promise<boolean> {
  const { db, search, agreement, head, now } = pass;
  const agreed = await agreement.agree({
    ask: async (endpoint) => (await readEverybodys(endpoint, search, number, number)).ours,
    same: sameTransfers,
    about: `the transfers of block ${number}`,
  });
  const noted = await notedBetween(db, held.chainId, number - 1n, number);
  const known = new Set(noted.map(keyOf));
  const missed = agreed.filter((each) => !known.has(keyOf(each)));
  if (missed.length === 0) return true;
  const isFinal = number <= cursors.final.number;
  const missing = isFinal ? await unbackedNow(pass, held, missed, cursors) : [];
  const without = new Set(missing.map(keyOf));
  const found = missed.filter((each) => !without.has(keyOf(each)));
  await writeHeld(db, held, async (tx) => {
    await noteSeen(tx, search.chain, found, head.number, now);
    // The final pass will not come here again.
    if (isFinal) await bookTransfers(tx, pass, found, []);
  });
  return missing.length === 0;
}

async function unbackedNow(pass: FinalPass, held: Held, missed: OurTransfer[], cursors: Cursors) {
  const { db, agreement } = pass;
  return await unbacked(
    { reader: db, chainId: held.chainId, ask: (work) => agreement.askAnother([], work) },
    missed.filter(({ kind }) => kind === 'deposit'),
    cursors,
  );
}
