import type { Explorer, Explorers } from '../payments/read/explorers.ts';
import { type ChainConfig, railOf } from '../rails/evm/config/chains.ts';
import { type PiNetworks, piCodeOf, pisOf } from '../rails/pi/horizon/network.ts';

/** The block explorers of the installation's networks that have one, by the network's rail. */
export function explorersOf(chains: readonly ChainConfig[], pis: PiNetworks): Explorers {
  const explorers = new Map<string, Explorer>();
  for (const { id, explorer } of chains) {
    if (explorer === null) continue;
    explorers.set(railOf(id), { transactions: `${explorer}/tx`, accounts: `${explorer}/address` });
  }
  for (const pi of pisOf(pis)) {
    const { explorer } = pi;
    if (explorer === null) continue;
    explorers.set(piCodeOf(pi), { transactions: `${explorer}/tx`, accounts: `${explorer}/account` });
  }
  return explorers;
}
