import type { Tx } from '../../../kit/db/db.ts';
import { type Owner, ownerText } from '../../owner.ts';
import type { ChainConfig } from '../config/chains.ts';
import { derive } from './addresses.ts';
import { forwarderAddress } from './forwarders.ts';

/**
 * Makes the address of an owner on a chain, unless it has one there. Those of `chains`, which are all that are
 * configured, that have the same treasury or extended key share the address. It calls no endpoint.
 */
export async function makeReusable(
  tx: Tx,
  { chain, chains }: { chain: ChainConfig; chains: readonly ChainConfig[] },
  owner: Owner,
  now: Date,
): Promise<void> {
  const { receiving, isTest = false } = chain;
  const way = JSON.stringify(receiving);
  const sharing = chains.filter((each) => JSON.stringify(each.receiving) === way).map(({ id }) => id);
  const [treasury, xpub] =
    receiving.kind === 'forwarder' ? [receiving.treasury, null] : [null, receiving.xpub];
  // The newest address of a chain is shown: when a treasury is configured again, its old address becomes the newest.
  const known = await tx.query(
    `UPDATE evm_addresses SET chain_ids = $4, created_at = $5
     WHERE owner_kind = $1 AND owner_id = $2 AND coalesce(treasury, xpub) = coalesce($3::text, $6)`,
    [owner.kind, owner.id, treasury, sharing, now, xpub],
  );
  if (known.rowCount !== 0) return;
  const made =
    receiving.kind === 'forwarder'
      ? [{ address: forwarderAddress(receiving.treasury, ownerText(owner)), key_index: null }]
      : await derive(tx, receiving.xpub, { chain_ids: sharing, is_test: isTest }, [owner.id]);
  for (const { address, key_index } of made) {
    // Another process may have made it meanwhile.
    await tx.query(
      `INSERT INTO evm_addresses (address, owner_kind, owner_id, chain_ids, is_test, treasury, xpub, key_index, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
      [address, owner.kind, owner.id, sharing, isTest, treasury, xpub, key_index, now],
    );
  }
}
