import type { Mode } from '../identity/integration.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import { type AccountRef, openAccounts, type Party, type StoredKind } from './accounts.ts';
import { balancesSql, entriesSql, type PostedRow, postTransfersSql } from './sql.ts';

export { type AccountRef, lockAccounts, type Party } from './accounts.ts';

/** An API key, and the address from which it was used. */
export type Caller = { keyId: string; address: string };

/** In which mode something is booked, and when. */
export type BookedAt = { mode: Mode; now: Date };

/** Units moving from one account to another within one mode and asset. The id is the idempotency key. */
export type Transfer = {
  id: string;
  mode: Mode;
  asset: AssetCode;
  units: bigint;
  debit: Party;
  credit: Party;
  cause: string;
  causeId: string | null;
  /** Who asked for it, where an API key did. */
  caller?: Caller | undefined;
};

/** `exists`: posted before with the same content; `conflict`: posted before with another. */
export type PostOutcome = 'posted' | 'exists' | 'conflict' | 'insufficient';

/**
 * Posts transfers and returns the outcome of each, in order. They are decided in that order, and none is `insufficient`
 * because of another one that failed itself. The only writer of balances, with the holds of `holds.ts`.
 *
 * All transactions must lock accounts in one order, or they can deadlock. One call of this function does; a caller that
 * posts or holds more than once calls `lockAccounts` before.
 */
export async function postTransfers(tx: Tx, transfers: Transfer[], now: Date): Promise<PostOutcome[]> {
  const outcomes: PostOutcome[] = [];
  const short = new Set<number>();
  let open = transfers.map((transfer, n) => ({ transfer, n }));
  while (open.length > 0) {
    const round = untilRepeat(open);
    const rows = await post(tx, round, now);
    const unopened = new Set(rows.filter(isUnopened).map(({ n }) => n));
    if (unopened.size > 0) {
      const refs = round.flatMap(({ transfer, n }) => (unopened.has(n) ? accountsOf(transfer) : []));
      await openAccounts(tx, refs);
      continue;
    }
    for (const row of rows) {
      const outcome = outcomeOf(row);
      // The statement may have begun before a transfer with the same id committed. The account is locked now, so a
      // second try is certain.
      if (outcome === 'insufficient' && !short.has(row.n)) short.add(row.n);
      else if (outcome) outcomes[row.n] = outcome;
    }
    // Left are rows that fit now because others did not, and second tries.
    open = open.filter(({ n }) => outcomes[n] === undefined);
  }
  return outcomes;
}

/** Posts transfers that must all succeed; a refusal of one is a fault of ours and rolls everything back. */
export async function postAll(tx: Tx, transfers: Transfer[], now: Date): Promise<void> {
  const outcomes = await postTransfers(tx, transfers, now);
  for (const [index, { id, cause }] of transfers.entries()) {
    const outcome = outcomes[index];
    if (outcome === 'insufficient' || outcome === 'conflict') {
      throw new Error(`Ledger transfer ${id} (${cause}): ${outcome}`);
    }
  }
}

type Numbered = { transfer: Transfer; n: number };

/** The items before the first repeated id: the repeated one is decided after the first one with its id. */
function untilRepeat(items: Numbered[]): Numbered[] {
  const ids = new Set<string>();
  const repeat = items.findIndex(({ transfer: { id } }) => ids.has(id) || !ids.add(id));
  return repeat === -1 ? items : items.slice(0, repeat);
}

/** A transfer as a record of the JSON that the statements read. */
export function recordOf(transfer: Transfer) {
  return {
    id: transfer.id,
    units: transfer.units.toString(),
    cause: transfer.cause,
    cause_id: transfer.causeId,
    key_id: transfer.caller?.keyId,
    address: transfer.caller?.address,
    mode: transfer.mode,
    asset: transfer.asset,
    debit_kind: transfer.debit.kind,
    debit_owner: transfer.debit.owner,
    credit_kind: transfer.credit.kind,
    credit_owner: transfer.credit.owner,
  };
}

async function post(tx: Tx, items: Numbered[], now: Date): Promise<PostedRow[]> {
  const input = items.map(({ transfer, n }) => ({ n, ...recordOf(transfer) }));
  const { rows } = await tx.query<PostedRow>({
    name: 'post-transfers',
    text: postTransfersSql,
    values: [JSON.stringify(input), now],
  });
  return rows;
}

function isUnopened(row: PostedRow): boolean {
  return row.unopened && !row.known;
}

function outcomeOf(row: PostedRow): PostOutcome | undefined {
  if (row.posted) return 'posted';
  if (row.known) return row.same ? 'exists' : 'conflict';
  return row.fits ? undefined : 'insufficient';
}

/** The accounts of both sides. */
export function accountsOf({
  mode,
  asset,
  debit,
  credit,
}: Pick<Transfer, 'mode' | 'asset' | 'debit' | 'credit'>): AccountRef[] {
  return [debit, credit].map((party): AccountRef => ({ ...party, mode, asset }));
}

export type Balance = { asset: AssetCode; available: bigint; held: bigint };

/** Every balance of one owner, in units of each asset. */
export async function balancesOf(
  reader: Reader,
  owner: { kind: StoredKind; owner: string; mode: Mode },
): Promise<Balance[]> {
  const { rows } = await reader.query<Balance>(balancesSql, [owner.owner, owner.kind, owner.mode]);
  return rows;
}

export type Entry = {
  seq: bigint;
  asset: AssetCode;
  units: bigint;
  transfer: string;
  cause: string;
  cause_id: string | null;
  created_at: Date;
};

/** An owner's entries, newest first, before `beforeSeq`. */
export async function entriesOf(
  reader: Reader,
  owner: { kind: StoredKind; owner: string; mode: Mode },
  filter: { asset: AssetCode | null; beforeSeq: bigint | null; limit: number },
): Promise<Entry[]> {
  const { rows } = await reader.query<Entry>(entriesSql, [
    owner.owner,
    owner.kind,
    owner.mode,
    filter.asset,
    filter.beforeSeq,
    filter.limit,
  ]);
  return rows;
}
