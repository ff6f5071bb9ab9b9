import type { Reader, Tx } from '../../../../kit/db/db.ts';
import { smallNumber } from '../../../../money/small-number.ts';

/** Blocks that were booked because a single endpoint showed them, while no other one answered. */
export type Unconfirmed = {
  /** The block before the first one. */
  after: bigint;
  /** The last block. */
  to: bigint;
  /** The endpoint that showed them. */
  endpoint: string;
  /** How often they were read again without a result. */
  tries: number;
  dueAt: Date;
  /** Two endpoints show different transfers of them. */
  disputed: boolean;
};

/** The same as the chain's row stores it. */
export type StoredUnconfirmed = Omit<Unconfirmed, 'after' | 'to' | 'dueAt'> & {
  after: number;
  to: number;
  dueAt: string;
};

export function unconfirmedOf({ after, to, dueAt, ...rest }: StoredUnconfirmed): Unconfirmed {
  return { ...rest, after: BigInt(after), to: BigInt(to), dueAt: new Date(dueAt) };
}

export async function readUnconfirmed(reader: Reader, chainId: number): Promise<Unconfirmed[]> {
  const { rows } = await reader.query<{ unconfirmed: StoredUnconfirmed[] }>(
    'SELECT unconfirmed FROM evm_chains WHERE chain_id = $1',
    [chainId],
  );
  return (rows[0]?.unconfirmed ?? []).map(unconfirmedOf);
}

/** Changes the stored blocks of a chain, whose row the transaction has locked. */
export async function changeUnconfirmed(
  tx: Tx,
  chainId: number,
  change: (kept: Unconfirmed[]) => Unconfirmed[],
): Promise<void> {
  const changed = change(await readUnconfirmed(tx, chainId));
  const stored = changed.map((each) => ({
    ...each,
    after: smallNumber(each.after),
    to: smallNumber(each.to),
  }));
  await tx.query('UPDATE evm_chains SET unconfirmed = $2 WHERE chain_id = $1', [
    chainId,
    JSON.stringify(stored),
  ]);
}

/** Blocks that were booked just now because this endpoint showed them. */
export function newUnconfirmed(
  window: Pick<Unconfirmed, 'after' | 'to' | 'endpoint'>,
  now: Date,
): Unconfirmed {
  return { ...window, tries: 0, dueAt: now, disputed: false };
}

/** The parts of them up to a block, included. */
export const upToBlock = (kept: readonly Unconfirmed[], number: bigint): Unconfirmed[] =>
  kept
    .filter(({ after }) => after < number)
    .map((each) => (each.to > number ? { ...each, to: number } : each));

/** Adds the blocks that the final cursor has just passed, in place of what was kept of them and of later ones. */
export function withNext(kept: readonly Unconfirmed[], next: Unconfirmed): Unconfirmed[] {
  const before = upToBlock(kept, next.after);
  const last = before.at(-1);
  const isSame = last && last.to === next.after && last.endpoint === next.endpoint && last.tries === 0;
  return isSame ? [...before.slice(0, -1), { ...last, to: next.to }] : [...before, next];
}
