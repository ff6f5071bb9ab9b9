import type { Reader } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import type { AssetCode } from '../money/money.ts';
import type { StoredKind } from './accounts.ts';

/** The kinds of account whose owners are owed their balance by the host, and can ask for it by themselves. */
const owedKinds = ['business', 'user'] as const satisfies StoredKind[];
export type OwedKind = (typeof owedKinds)[number];

/** An account that is owed something. `held`: what of that is promised to payouts. */
export type OwedBalance = {
  account: bigint;
  kind: OwedKind;
  owner: string;
  asset: AssetCode;
  units: bigint;
  held: bigint;
};

/** Every live account whose owner is owed something, in the order of their ids. */
export async function owedBalances(reader: Reader): Promise<OwedBalance[]> {
  const { rows } = await reader.query<OwedBalance>(
    `SELECT id AS account, kind, owner, asset, balance AS units, held FROM ledger_accounts
     WHERE mode = 'live' AND kind = ANY ($1) AND balance > 0 ORDER BY id`,
    [owedKinds],
  );
  return rows;
}

/** The number of the newest entry; 0: there is none. */
export async function newestEntry(reader: Reader): Promise<bigint> {
  const found = await reader.query<{ seq: bigint }>(
    'SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries',
  );
  return oneRow(found, 'newest entry').seq;
}
