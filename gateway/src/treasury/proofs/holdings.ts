import type { ProvedAddress, ProvedBalance } from '../../../../web/proof/statement.ts';
import type { Reader } from '../../kit/db/db.ts';
import {
  factoryAddress,
  forwarderInitCodeHash,
  forwarderSalt,
  ownerWord,
} from '../../rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import type { ChainSnapshot } from '../../rails/evm/reserves/snapshot.ts';
import type { Agreement } from '../../rails/evm/scan/blocks/agreement.ts';
import { agreedBalances, holdingKey } from '../../rails/evm/scan/final/balances.ts';
import { type OwnerKind, ownerText } from '../../rails/owner.ts';

/** No statement can be made now; the message says why, for people. */
export class ProofRefused extends Error {}

type Origin = { address: Hex; owner_kind: OwnerKind; owner_id: string; treasury: Hex | null };

/** Where the addresses of a chain come from that hold something by its snapshot. Read in the same snapshot. */
export async function originsOf(reader: Reader, { expected }: ChainSnapshot): Promise<Map<Hex, Origin>> {
  const { rows } = await reader.query<Origin>(
    'SELECT address, owner_kind, owner_id, treasury FROM evm_addresses WHERE address = ANY ($1)',
    [[...new Set(expected.map(({ address }) => address))]],
  );
  return new Map(rows.map((row) => [row.address, row]));
}

/**
 * The addresses of a chain that hold something at the snapshot's final block, as its contracts say, each with the reason why
 * it is ours; and the treasuries that its forwarders send to. Throws ProofRefused, or RpcFault where the chain cannot be asked.
 */
export async function holdingsOf(
  agreement: Agreement,
  snapshot: ChainSnapshot,
  origins: Map<Hex, Origin>,
): Promise<ProvedAddress[]> {
  const { chain, block, expected, unread } = snapshot;
  if (unread.size > 0) throw new ProofRefused(`${chain.name} has not been read yet`);
  const balances =
    expected.length === 0
      ? new Map<string, { units: bigint }>()
      : (await agreedBalances(agreement, expected, { seen: block, final: block })).balances;
  const held = new Map<Hex, ProvedBalance[]>();
  for (const each of expected) {
    const balance = balances.get(holdingKey(each));
    if (!balance) throw new ProofRefused(`endpoints of ${chain.name} disagree about balances`);
    if (balance.units === 0n) continue;
    const known = held.get(each.address) ?? [];
    held.set(each.address, [...known, { asset: each.asset, units: balance.units.toString() }]);
  }
  const vaults = new Set(expected.filter(({ place }) => place === 'vault').map(({ address }) => address));
  if (chain.vault) vaults.add(chain.vault.address);
  for (const address of [...held.keys()]) {
    const treasury = origins.get(address)?.treasury;
    if (treasury && !held.has(treasury)) held.set(treasury, []);
  }
  return [...held]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([address, own]) => {
      const named = { chain_id: chain.id, address, balances: own };
      const origin = origins.get(address);
      if (origin?.treasury)
        return { ...named, kind: 'forwarder' as const, ...derivationOf(origin, origin.treasury) };
      return { ...named, kind: vaults.has(address) ? ('vault' as const) : ('wallet' as const) };
    });
}

function derivationOf({ owner_kind, owner_id }: Origin, treasury: Hex) {
  const owner = ownerText({ kind: owner_kind, id: owner_id });
  return {
    factory: factoryAddress,
    init_code_hash: forwarderInitCodeHash,
    salt: forwarderSalt(treasury, owner),
    treasury,
    owner: ownerWord(owner),
  };
}
