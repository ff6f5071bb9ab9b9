import type { Clock } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import type { RailFault } from '../../health.ts';
import type { Sending } from '../../rail.ts';
import { ownAddresses } from '../addresses/addresses.ts';
import { evmDestinationFault } from '../addresses/destination.ts';
import { factoryAddress } from '../addresses/forwarders.ts';
import { type ChainConfig, type Hex, railOf, type VaultConfig } from '../config/chains.ts';
import { createVaultByHand } from './by-hand.ts';
import { cancelPayout, orderPayout } from './order.ts';
import { createPlainByHand } from './plain-by-hand.ts';

/** How the rest of the gateway orders tokens to be paid out of the vault of a chain. */
export function createEvmSending(chain: ChainConfig, vault: VaultConfig, now: Clock): Sending {
  return {
    ...sendingOf(chain, now, [[vault.address, 'is the vault that it would be paid from']]),
    unavailable: (reader) => vaultFault(reader, chain.id),
    byHand: createVaultByHand(chain, vault, now),
  };
}

/** The same of a chain without a vault, where an operator pays by hand out of the treasury. */
export function createPlainSending(chain: ChainConfig, treasury: Hex, now: Clock): Sending {
  return {
    ...sendingOf(chain, now, []),
    unavailable: async () => null,
    byHand: createPlainByHand(chain, treasury, now),
  };
}

function sendingOf(
  chain: ChainConfig,
  now: Clock,
  more: readonly (readonly [string, string])[],
): Omit<Sending, 'unavailable'> {
  const { id, isTest, tokens, receiving } = chain;
  const rail = railOf(id);
  const ours = new Map<string, string>([
    ...tokens.map(({ address }) => [address, "is a token's contract, where money is lost"] as const),
    [factoryAddress, 'is a contract that cannot give it back'],
    ...more,
    ...(receiving.kind === 'forwarder' ? [[receiving.treasury, 'is our own treasury'] as const] : []),
  ]);
  return {
    rail,
    mode: isTest ? 'test' : 'live',
    // What leaves the vault or treasury is booked by its transfers, to the operator: a payout books from there.
    outside: { kind: 'external', owner: `${rail}:operator` },
    assets: tokens.map(({ asset }) => asset),
    faultOf(order) {
      const why = ours.get(order.to.toLowerCase());
      return evmDestinationFault(order) ?? (why === undefined ? null : { field: 'to', why });
    },
    ownOf: ownAddresses,
    order: (tx, order) => orderPayout(tx, chain, order, now()),
    cancel: (tx, payout) => cancelPayout(tx, payout, now()),
  };
}

/** What was found wrong with the vault's contract; null: nothing. */
async function vaultFault(reader: Reader, chainId: number): Promise<string | null> {
  const { rows } = await reader.query<{ faults: RailFault[] }>(
    'SELECT faults FROM evm_chains WHERE chain_id = $1',
    [chainId],
  );
  const faults = rows[0]?.faults ?? [];
  return faults.find(({ code }) => code === 'no_vault' || code === 'wrong_vault')?.message ?? null;
}
