import { after } from '../../../kit/clock.ts';
import type { Reader, Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { unreadableSeconds } from '../../silence.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { forwarderAddress } from './forwarders.ts';

type AddressRow = {
  address: Hex;
  owner_id: string;
  chain_ids: number[];
  is_test: boolean;
  treasury: Hex | null;
  xpub: string | null;
  key_index: number | null;
};

/**
 * Makes the addresses of payments, in the transaction that creates them: one for each treasury or extended key among
 * the chains. It calls no endpoint.
 */
export async function makeAddresses(
  tx: Tx,
  chains: readonly ChainConfig[],
  paymentIds: readonly string[],
  now: Date,
): Promise<void> {
  if (chains.length === 0) return;
  const groups = Map.groupBy(chains, ({ receiving }) => JSON.stringify(receiving));
  const rows: AddressRow[] = [];
  for (const [, sharing] of groups) {
    // No two modes share a treasury or key.
    const [{ receiving, isTest: is_test = false }] = sharing as [ChainConfig];
    const chain_ids = sharing.map(({ id }) => id);
    if (receiving.kind === 'forwarder') {
      const { treasury } = receiving;
      for (const owner_id of paymentIds) {
        const address = forwarderAddress(treasury, owner_id);
        rows.push({ address, owner_id, chain_ids, is_test, treasury, xpub: null, key_index: null });
      }
    } else {
      rows.push(...(await derive(tx, receiving.xpub, { chain_ids, is_test }, paymentIds)));
    }
  }
  await tx.query(
    `INSERT INTO evm_addresses (address, owner_id, chain_ids, is_test, treasury, xpub, key_index, created_at)
     SELECT address, owner_id, chain_ids, is_test, treasury, xpub, key_index, $2::timestamptz
     FROM json_to_recordset($1) AS t(address text, owner_id uuid, chain_ids bigint[], is_test boolean, treasury text,
       xpub text, key_index bigint)
     ORDER BY address`,
    [JSON.stringify(rows), now],
  );
}

/** Derives the next addresses of an extended key, one for each id. Its counter stays locked, so a rollback leaves no gap. */
export async function derive(
  tx: Tx,
  xpub: string,
  on: Pick<AddressRow, 'chain_ids' | 'is_test'>,
  paymentIds: readonly string[],
): Promise<AddressRow[]> {
  // Loaded only where it is needed: most installations use forwarders.
  const { derivedAddress } = await import('./derived.ts');
  const reserved = await tx.query<{ first: number }>(
    `INSERT INTO evm_key_indexes (xpub, next_index) VALUES ($1, $2)
     ON CONFLICT (xpub) DO UPDATE SET next_index = evm_key_indexes.next_index + $2
     RETURNING (next_index - $2)::float8 AS first`,
    [xpub, paymentIds.length],
  );
  const { first } = oneRow(reserved, 'next key indexes');
  return paymentIds.map((owner_id, at) => ({
    address: derivedAddress(xpub, first + at),
    owner_id,
    ...on,
    treasury: null,
    xpub,
    key_index: first + at,
  }));
}

/** Which of these addresses are deposit addresses that were given out here, on whatever chain. */
export async function ownAddresses(
  reader: Reader,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.query<{ address: string }>(
    `SELECT sent.address FROM unnest($1::text[]) AS sent (address)
     JOIN evm_addresses known ON known.address = lower(sent.address)`,
    [addresses],
  );
  return new Set(rows.map(({ address }) => address));
}

/** A chain, the assets whose contracts were found there as configured, and whether it could not be read for minutes. */
export type ShownChain = { chainId: number; assets: string[]; isUnreadable: boolean };
type ShownAddress = ShownChain & { address: Hex; isDirect: boolean };

// A transfer before the first block of the scan would never be read.
const shownSql = `c.chain_id::float8 AS "chainId", c.verified_assets AS assets,
  c.scan_fault IS NOT NULL AND c.scan_fault_at <= $2 AS "isUnreadable"`;
const isShown = 'c.verified_at IS NOT NULL AND c.final_number IS NOT NULL';

/**
 * An owner's addresses, by its id, on chains whose contracts are as configured and whose scan has begun. One for each chain: the newest, in case the treasury was changed.
 */
export async function shownAddresses(reader: Reader, ownerId: string, now: Date): Promise<ShownAddress[]> {
  const { rows } = await reader.query<ShownAddress>(
    `SELECT DISTINCT ON (c.chain_id) a.address,
       EXISTS (SELECT FROM evm_direct_places d WHERE d.address = a.treasury) AS "isDirect", ${shownSql}
     FROM evm_addresses a JOIN evm_chains c ON c.chain_id = ANY (a.chain_ids)
     WHERE a.owner_id = $1 AND ${isShown}
     ORDER BY c.chain_id, a.created_at DESC`,
    [ownerId, after(now, -unreadableSeconds)],
  );
  return rows;
}

/** Those of these chains whose contracts are as configured and whose scan has begun. */
export async function shownChains(
  reader: Reader,
  chains: readonly ChainConfig[],
  now: Date,
): Promise<ShownChain[]> {
  const { rows } = await reader.query<ShownChain>(
    `SELECT ${shownSql} FROM evm_chains c WHERE c.chain_id = ANY ($1) AND ${isShown} ORDER BY c.chain_id`,
    [chains.map(({ id }) => id), after(now, -unreadableSeconds)],
  );
  return rows;
}

/** The payment that an address was made for, or null; also null for another owner's. */
export async function paymentOfAddress(reader: Reader, address: string): Promise<string | null> {
  const lower = address.trim().toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(lower)) return null;
  const { rows } = await reader.query<{ owner_id: string }>(
    "SELECT owner_id FROM evm_addresses WHERE address = $1 AND owner_kind = 'payment'",
    [lower],
  );
  return rows[0]?.owner_id ?? null;
}
