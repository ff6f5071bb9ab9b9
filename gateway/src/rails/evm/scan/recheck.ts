import { after } from '../../../kit/clock.ts';
import type { Endpoint, Endpoints } from '../endpoints.ts';
import { RpcFault } from '../rpc-fault.ts';
import { Disagreement } from './agreement.ts';
import { unbacked } from './backing.ts';
import type { Block } from './block.ts';
import { headerCall, requireHeader } from './block.ts';
import { bookTransfers, type FinalPass, sameTransfers } from './final.ts';
import { type Held, writeHeld } from './lease.ts';
import { logCalls, rawTransfers } from './logs.ts';
import type { OurTransfer } from './match.ts';
import { keyOf, notedBetween, noteSeen } from './transfers.ts';

/** Blocks of one round. */
const blocksAtMost = 10;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;
/** After days of trying nobody waits for it any more. */
const triesAtMost = 60;

export type RecheckPass = FinalPass & { endpoints: Endpoints };

/**
 * Reads blocks again that both cursors may have passed, and notes or books what was missed in them; what counts
 * needs the same agreement as ever. One block's fault holds up no other. Answers how many were done.
 */
export async function recheckDue(pass: RecheckPass, held: Held, seen: Block, final: Block): Promise<number> {
  const { rows } = await pass.db.query<{ block_number: bigint; tries: number }>(
    `SELECT block_number, tries FROM evm_rechecks
     WHERE chain_id = $1 AND due_at <= $2 AND block_number <= $3 ORDER BY due_at LIMIT $4`,
    [held.chainId, pass.now, seen.number, blocksAtMost],
  );
  for (const { block_number: number, tries } of rows) {
    let isDone = tries >= triesAtMost;
    try {
      isDone = (await recheckBlock(pass, held, number, seen, final)) || isDone;
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
  return rows.length;
}

/** Answers whether the block need not be looked at again. */
async function recheckBlock(
  pass: RecheckPass,
  held: Held,
  number: bigint,
  seen: Block,
  final: Block,
): Promise<boolean> {
  const { db, search, second, endpoints, head, now } = pass;
  const { value: one, endpoint } = await endpoints.use((asked) => readBlock(asked, pass, number));
  const noted = await notedBetween(db, held.chainId, number - 1n, number);
  const known = new Set(noted.filter(({ state }) => state === 'final').map(keyOf));
  const missed = one.filter((each) => !known.has(keyOf(each)));
  if (missed.length === 0) return true;
  if (number > final.number) {
    // It is only to be seen now: the final pass comes to it.
    await writeHeld(db, held, (tx) => noteSeen(tx, search.chain, missed, head.number, now));
    return true;
  }
  const { value: two, endpoint: other } = await second.ask(endpoint.name, (asked) =>
    readBlock(asked, pass, number),
  );
  if (!sameTransfers(one, two)) throw second.disagree(endpoint.name, other, `block ${number}`);
  const missing = await unbacked(
    { reader: db, chainId: held.chainId, ask: (work) => second.ask(endpoint.name, work) },
    missed.filter(({ kind }) => kind === 'deposit'),
    { final: final.number, seen: seen.number },
  );
  const without = new Set(missing.map(keyOf));
  const found = missed.filter((each) => !without.has(keyOf(each)));
  await writeHeld(db, held, async (tx) => {
    await noteSeen(tx, search.chain, found, head.number, now);
    await bookTransfers(tx, pass, found, []);
  });
  return missing.length === 0;
}

/** All of ours in one block, whoever is watched now. */
async function readBlock(
  endpoint: Endpoint,
  { search }: RecheckPass,
  number: bigint,
): Promise<OurTransfer[]> {
  const logs = logCalls(search.chain.tokens, 'all', number, number);
  const answers = await endpoint.batch([...logs, headerCall(number)]);
  const { hash } = requireHeader(answers.at(-1), number);
  const ours = await search.match(rawTransfers(answers.slice(0, -1)));
  if (ours.some((each) => each.blockHash !== hash || each.blockNumber !== number)) {
    throw new RpcFault('nonsense', `answered with logs of another block than ${number}`);
  }
  return ours;
}
