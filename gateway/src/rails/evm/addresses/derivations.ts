import type { Reader } from '../../../kit/db/db.ts';
import type { Assets } from '../../../money/assets.ts';
import type { Derivation } from '../../direct.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { checksummed, factoryAddress, forwarderInitCodeHash, forwarderSalt } from './forwarders.ts';

type AddressRow = {
  address: Hex;
  chain_ids: number[];
  destination: Hex;
  merchant: Hex | null;
  host: Hex | null;
  basis_points: number | null;
};

/**
 * By what the addresses of a payment in its currency can be recomputed, one for each chain, as customers are shown them.
 * Those below an extended key are left out: its owner alone can recompute them.
 */
export async function derivationsOf(
  reader: Reader,
  { id, currency }: { id: string; currency: string },
  { chains, assets }: { chains: readonly ChainConfig[]; assets: Assets },
): Promise<Derivation[]> {
  const { rows } = await reader.query<AddressRow>(
    `SELECT a.address, a.chain_ids::float8[] AS chain_ids, a.treasury AS destination, d.merchant, d.host, d.basis_points
     FROM evm_addresses a LEFT JOIN evm_direct_places d ON d.address = a.treasury
     WHERE a.owner_kind = 'payment' AND a.owner_id = $1 AND a.treasury IS NOT NULL
     ORDER BY a.created_at DESC, a.address`,
    [id],
  );
  return chains.flatMap((chain) => {
    const asset = chain.tokens.find((token) => assets.get(token.asset).currency === currency)?.asset;
    // The newest of a chain is shown.
    const found = rows.find(({ chain_ids }) => chain_ids.includes(chain.id));
    return asset !== undefined && found ? [derivationOf({ asset, chainId: chain.id, id }, found)] : [];
  });
}

function derivationOf(
  { asset, chainId, id }: { asset: string; chainId: number; id: string },
  { address, destination, merchant, host, basis_points: basisPoints }: AddressRow,
): Derivation {
  const isSplit = merchant !== null && host !== null && basisPoints !== null;
  return {
    ...{ asset, chainId, address: checksummed(address) },
    ...{ factory: checksummed(factoryAddress), initCodeHash: forwarderInitCodeHash },
    ...{ salt: forwarderSalt(destination, id), destination: checksummed(destination) },
    split: isSplit ? { merchant: checksummed(merchant), host: checksummed(host), basisPoints } : null,
  };
}
