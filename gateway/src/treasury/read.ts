import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { Place } from '../ledger/places.ts';
import { isUnordered } from './orders.ts';

/** A move as operators see it, in units of its asset. */
export type MoveLine = {
  id: string;
  mode: Mode;
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
  source: Place;
  target: Place;
  sender: string | null;
  receiver: string;
  at: Date;
  state: 'final' | 'gone';
  payout_id: string | null;
  /** Ids under which the vault paid this in its transaction, and that belong to no payout. */
  unknown_vault_ids: string[];
  owner_kind: 'operator' | 'business' | 'user' | null;
  /** The integration's name, or the user's. */
  owner_name: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
};

// A transaction may pay the same amount to one address under several ids: all of them are listed.
const unknownVaultIds = `
  SELECT v.vault_id::text FROM evm_vault_events v
  WHERE m.source = 'vault' AND m.payout_id IS NULL AND m.state = 'final'
    AND v.chain_id = nullif(split_part(m.rail, ':', 2), '')::bigint AND v.transaction = m.transaction
    AND v.kind = 'paid' AND v.state = 'final' AND v.vault = m.sender AND v.receiver = m.receiver AND v.units = m.units
    AND NOT EXISTS (SELECT FROM evm_payouts p WHERE p.vault_id = v.vault_id)
  ORDER BY v.log_index`;

/** Moves below `before`, the newest first. `open`: only those without an order and without a decision. */
export async function moveLines(
  reader: Reader,
  which: 'open' | 'all',
  { before, limit }: { before: string | null; limit: number },
): Promise<MoveLine[]> {
  const { rows } = await reader.query<MoveLine>(
    `SELECT m.ledger_id AS id, m.mode, m.rail, m.transaction, m.asset, m.units, m.source, m.target, m.sender, m.receiver, m.at,
       m.state, m.payout_id, m.owner_kind, coalesce(i.name, u.username) AS owner_name, m.decided_at,
       a.name AS decided_by, m.reason,
       ARRAY(${unknownVaultIds}) AS unknown_vault_ids
     FROM treasury_moves m
     LEFT JOIN integrations i ON m.owner_kind = 'business' AND i.id::text = m.owner_id
     LEFT JOIN users u ON m.owner_kind = 'user' AND u.id::text = m.owner_id
     LEFT JOIN accounts a ON a.id = m.decided_by
     WHERE ($1::uuid IS NULL OR m.ledger_id < $1) ${which === 'open' ? `AND ${isUnordered}` : ''}
     ORDER BY m.ledger_id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** How many transfers left without an order and are not assigned yet, by rail and asset. */
export async function unorderedCounts(
  reader: Reader,
): Promise<{ rail: string; asset: string; count: number; units: bigint }[]> {
  const { rows } = await reader.query<{ rail: string; asset: string; count: number; units: bigint }>(
    `SELECT m.rail, m.asset, count(*)::float8 AS count, sum(m.units) AS units FROM treasury_moves m
     WHERE ${isUnordered} GROUP BY m.rail, m.asset ORDER BY 1, 2`,
  );
  return rows;
}
