import type { Mode } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import type { AssetCode } from '../money/money.ts';

/**
 * Kinds whose balance is stored and may not go negative; a receivable's, which is what its owner owes, may not
 * go above zero. That of `direct`, which mirrors addresses that are not the gateway's, goes where these go.
 */
export const storedKinds = [
  'business',
  'user',
  'suspense',
  'payable',
  'receivable',
  'fees_out',
  'direct',
] as const;

/** Kinds of accounts that the ledger lets go as far below zero as they are asked to. */
export const unlimitedKinds: ReadonlySet<string> = new Set(['external', 'fees', 'receivable', 'direct']);

export type StoredKind = (typeof storedKinds)[number];
/** Kinds whose balance is the sum of their entries. */
export type SummedKind = 'fees' | 'external';

/** One side of a transfer, within the transfer's mode and asset. */
export type Party = {
  kind: StoredKind | SummedKind;
  /** An integration's id, a user's id, a rail's name (external), or '' (fees and fees_out). */
  owner: string;
};

export type AccountRef = Party & { mode: Mode; asset: AssetCode };

/** An account as the key of a map. */
export const accountName = ({ kind, owner, mode, asset }: AccountRef): string =>
  `${kind} ${owner} ${mode} ${asset}`;

/** Makes the accounts that do not exist yet. */
export async function openAccounts(tx: Tx, refs: AccountRef[]): Promise<void> {
  if (refs.length === 0) return;
  await tx.query(
    `INSERT INTO ledger_accounts (kind, owner, mode, asset, stored)
     SELECT DISTINCT kind, owner, mode, asset, kind = ANY($5)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t(kind, owner, mode, asset)
     -- An INSERT would wait for a transaction that is changing the row that it conflicts with.
     WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.owner = t.owner AND a.kind = t.kind
       AND a.mode = t.mode AND a.asset = t.asset)
     ORDER BY owner, kind, mode, asset
     ON CONFLICT DO NOTHING`,
    [...columnsOf(refs), storedKinds],
  );
}

function columnsOf(refs: AccountRef[]): string[][] {
  return [
    refs.map((ref) => ref.kind),
    refs.map((ref) => ref.owner),
    refs.map((ref) => ref.mode),
    refs.map((ref) => ref.asset),
  ];
}

/** Locks accounts in the order of their ids, if all of them exist; returns those that are missing. */
const lockAccountsSql = `
WITH wanted AS MATERIALIZED (
  SELECT t.n, a.id, a.stored
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS t(kind, owner, mode, asset, n)
  LEFT JOIN ledger_accounts a ON a.owner = t.owner AND a.kind = t.kind AND a.mode = t.mode AND a.asset = t.asset
), locked AS MATERIALIZED (
  SELECT a.id FROM ledger_accounts a
  WHERE a.id IN (SELECT id FROM wanted WHERE stored) AND NOT EXISTS (SELECT FROM wanted WHERE id IS NULL)
  ORDER BY a.id
  FOR UPDATE
)
SELECT array(SELECT n::int FROM wanted WHERE id IS NULL) AS missing, (SELECT count(*) FROM locked) AS locked`;

/**
 * Opens the accounts that do not exist yet, and then locks all that store a balance, in the order of their ids,
 * until the end of the transaction. To be called with all accounts that the transaction may touch, before it
 * touches the first.
 */
export async function lockAccounts(tx: Tx, refs: AccountRef[]): Promise<void> {
  if (refs.length === 0) return;
  for (;;) {
    const locked = await tx.query<{ missing: number[] }>({
      name: 'lock-accounts',
      text: lockAccountsSql,
      values: columnsOf(refs),
    });
    const places = oneRow(locked, 'lock accounts').missing;
    const missing = refs.filter((_, index) => places.includes(index + 1));
    if (missing.length === 0) return;
    await openAccounts(tx, missing);
  }
}
