import { after } from '../../../kit/clock.ts';
import type { Reader, Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { unreadableSeconds } from '../../rail.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { forwarderAddress } from './forwarders.ts';

type AddressRow = {
  address: Hex;
  owner_id: string;
  chain_ids: number[];
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
    const [{ receiving }] = sharing as [ChainConfig];
    const chain_ids = sharing.map(({ id }) => id);
    if (receiving.kind === 'forwarder') {
      const { treasury } = receiving;
      for (const owner_id of paymentIds) {
        const address = forwarderAddress(treasury, owner_id);
        rows.push({ address, owner_id, chain_ids, treasury, xpub: null, key_index: null });
      }
    } else {
      rows.push(...(await derive(tx, receiving.xpub, chain_ids, paymentIds)));
    }
  }
  await tx.query(
    `INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, xpub, key_index, created_at)
     SELECT address, owner_id, chain_ids, treasury, xpub, key_index, $2::timestamptz
     FROM json_to_recordset($1) AS t(address text, owner_id uuid, chain_ids bigint[], treasury text,
       xpub text, key_index bigint)
     ORDER BY address`,
    [JSON.stringify(rows), now],
  );
}

/** Which of these have addresses already. */
export async function ownersOpened(reader: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await reader.query<{ owner_id: string }>(
    'SELECT DISTINCT owner_id FROM evm_addresses WHERE owner_id = ANY ($1)',
    [ids],
  );
  return new Set(rows.map(({ owner_id }) => owner_id));
}

/** Derives the next addresses of an extended key, one for each id. Its counter stays locked, so a rollback leaves no gap. */
export async function derive(
  tx: Tx,
  xpub: string,
  chain_ids: number[],
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
    chain_ids,
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

/**
 * An address of a payment on one chain, the assets whose contracts were found there as configured, and whether the chain
 * could not be read for minutes.
 */
export type ShownAddress = { address: Hex; chainId: number; assets: string[]; isUnreadable: boolean };

/**
 * An owner's addresses, by its id, on chains whose contracts are as configured and whose scan has begun: a transfer before the
 * first block of the scan would never be read. One for each chain: the newest, in case the treasury was changed.
 */
export async function shownAddresses(reader: Reader, ownerId: string, now: Date): Promise<ShownAddress[]> {
  const { rows } = await reader.query<ShownAddress>(
    `SELECT DISTINCT ON (c.chain_id) a.address, c.chain_id::float8 AS "chainId", c.verified_assets AS assets,
       c.scan_fault IS NOT NULL AND c.scan_fault_at <= $2 AS "isUnreadable"
     FROM evm_addresses a JOIN evm_chains c ON c.chain_id = ANY (a.chain_ids)
     WHERE a.owner_id = $1 AND c.verified_at IS NOT NULL AND c.final_number IS NOT NULL
     ORDER BY c.chain_id, a.created_at DESC`,
    [ownerId, after(now, -unreadableSeconds)],
  );
  return rows;
}

/** The chains on which addresses are shown, with the assets whose contracts were found there. */
export async function shownChains(
  reader: Reader,
  now: Date,
): Promise<Pick<ShownAddress, 'chainId' | 'assets' | 'isUnreadable'>[]> {
  const { rows } = await reader.query<Pick<ShownAddress, 'chainId' | 'assets' | 'isUnreadable'>>(
    `SELECT c.chain_id::float8 AS "chainId", c.verified_assets AS assets,
       c.scan_fault IS NOT NULL AND c.scan_fault_at <= $1 AS "isUnreadable"
     FROM evm_chains c WHERE c.verified_at IS NOT NULL AND c.final_number IS NOT NULL ORDER BY c.chain_id`,
    [after(now, -unreadableSeconds)],
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
