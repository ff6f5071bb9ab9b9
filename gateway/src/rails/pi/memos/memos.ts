import { randomBytes } from 'node:crypto';
import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { Owner } from '../../owner.ts';
import { muxedIdOf } from '../horizon/account.ts';
import type { PiConfig } from '../horizon/network.ts';
import { memoOf, readMemo } from './memo-code.ts';

/**
 * Gives live payments memos of their own, in the transaction that creates them. They are random, so that a restored database
 * does not give a memo out again.
 */
export async function openMemos(
  tx: Tx,
  paymentIds: readonly string[],
  now: Date,
  draw = randomNumber,
): Promise<void> {
  let open = [...paymentIds];
  while (open.length > 0) {
    const numbers = open.map(() => draw());
    const { rows } = await tx.query<{ owner_id: string }>(
      `INSERT INTO pi_memos (memo, kind, owner_id, number, created_at)
       SELECT memo, 'transfer', owner_id, number, $4
       FROM unnest($1::text[], $2::uuid[], $3::bigint[]) AS t (memo, owner_id, number) ORDER BY memo
       ON CONFLICT (memo) DO NOTHING RETURNING owner_id`,
      [numbers.map(memoOf), open, numbers.map(String), now],
    );
    const done = new Set(rows.map(({ owner_id }) => owner_id));
    // A payment whose memo is another one's draws again: one in a million with a million payments.
    open = open.filter((id) => !done.has(id));
  }
}

/** Gives an owner its memo on the network of a mode, unless it has one. */
export async function openMemoOf(
  tx: Tx,
  { kind, id }: Owner,
  { isTest = false }: Pick<PiConfig, 'isTest'>,
  now: Date,
): Promise<void> {
  while ((await memoOfOwner(tx, id, { isTest })) === null) {
    const number = randomNumber();
    // A conflict: another owner has the number, or another process made the memo of this owner at the same time.
    await tx.query(
      `INSERT INTO pi_memos (memo, kind, owner_kind, owner_id, number, is_test, created_at)
       VALUES ($1, 'transfer', $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [memoOf(number), kind, id, number.toString(), isTest, now],
    );
  }
}

/** Below 2^40: as many as eight characters can name. */
const randomNumber = (): bigint => BigInt(`0x${randomBytes(5).toString('hex')}`);

/**
 * Notes the identifier that the Pi platform writes as memo into its transfer to a payment. It must be committed before
 * the platform is asked for the next step. Throws where it is another payment's.
 */
export async function addPlatformMemo(
  tx: Tx,
  { paymentId, identifier, isTest = false }: { paymentId: string; identifier: string; isTest?: boolean },
  now: Date,
): Promise<void> {
  const { rowCount } = await tx.query(
    `INSERT INTO pi_memos AS m (memo, kind, owner_id, is_test, created_at) VALUES ($1, 'platform', $2, $3, $4)
     ON CONFLICT (memo) DO UPDATE SET kind = m.kind
     WHERE m.kind = 'platform' AND m.owner_id = excluded.owner_id`,
    [identifier, paymentId, isTest, now],
  );
  if (rowCount !== 1) throw new Error(`The memo ${identifier} is another payment's`);
}

/** Locks a memo until the transaction ends, so that no movement with it is recorded. The platform's rows are locked later. */
export async function lockMemo(tx: Tx, memo: string): Promise<void> {
  await tx.query('SELECT FROM pi_memos WHERE memo = $1 FOR UPDATE', [memo]);
}

/** The memo of the transfers to a payment or to another owner, on the network of a mode; null where it has none. */
export async function memoOfOwner(
  reader: Reader,
  ownerId: string,
  { isTest = false }: Pick<PiConfig, 'isTest'> = {},
): Promise<string | null> {
  const { rows } = await reader.query<{ memo: string }>(
    "SELECT memo FROM pi_memos WHERE owner_id = $1 AND kind = 'transfer' AND is_test = $2",
    [ownerId, isTest],
  );
  return rows[0]?.memo ?? null;
}

/** The parts of a transfer that may name its owner, and the mode of the network that shows it. */
export type Mark = { memoType: string; memo: string | null; muxedId: bigint | null; isTest: boolean };

/** The owner of a transfer, and the memo that named it. */
export type Marked = { ownerId: string; memo: string; kind: 'transfer' | 'platform' };

type MemoRow = { memo: string; kind: Marked['kind']; owner_id: string };

/**
 * The owner that a transfer names: by its memo, or else by the part of the account that it was sent to. The memo's row
 * stays locked, so that the state of a platform payment does not change until the transaction ends.
 */
export async function markedOwner(tx: Tx, mark: Mark): Promise<Marked | null> {
  const { rows } = await tx.query<MemoRow>({
    name: 'find-pi-memo',
    text: `SELECT memo, kind, owner_id FROM pi_memos
     WHERE ((memo = $1 AND kind = 'platform') OR (memo = $2 AND kind = 'transfer') OR number = $3) AND is_test = $4
     FOR SHARE`,
    values: [mark.memo, textOf(mark), numberIn(mark), mark.isTest],
  });
  const byMemo = rows.find(({ memo }) => memo === mark.memo || memo === textOf(mark));
  const found = byMemo ?? rows[0];
  return found ? { ownerId: found.owner_id, memo: found.memo, kind: found.kind } : null;
}

/** A memo of digits alone may be sent as a number. */
function textOf({ memoType, memo }: Omit<Mark, 'isTest'>): string | null {
  return memo !== null && (memoType === 'text' || memoType === 'id') ? readMemo(memo) : null;
}

/** Numbers of ours are below 2^40; a larger one would not fit the column. */
const numberIn = ({ muxedId }: Pick<Mark, 'muxedId'>): string | null =>
  muxedId !== null && muxedId < 1n << 40n ? muxedId.toString() : null;

/** The payment that a memo, a platform's identifier or a part of the account names, or null. */
export async function paymentOfMemo(reader: Reader, account: string, text: string): Promise<string | null> {
  const exact = text.trim();
  const memo = readMemo(exact);
  const number = muxedIdOf(account, exact.toUpperCase());
  // A platform's identifier is no longer than a memo of the network.
  if (memo === null && number === null && !/^[\w-]{8,28}$/.test(exact)) return null;
  const { rows } = await reader.query<{ owner_id: string }>(
    `SELECT owner_id FROM pi_memos
     WHERE ((memo = $1 AND kind = 'platform') OR (memo = $2 AND kind = 'transfer') OR number = $3)
       AND owner_kind = 'payment'
     ORDER BY kind DESC LIMIT 1`,
    [exact, memo, numberIn({ muxedId: number })],
  );
  return rows[0]?.owner_id ?? null;
}
