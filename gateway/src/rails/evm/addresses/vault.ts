import type { Hex } from '../config/chains.ts';
import { deployedAddress, keccakOf } from './forwarders.ts';
import artifact from './payout-vault.json' with { type: 'json' };

/** Keccak-256 of the code that must be found at a vault's address: it is the same for every admin. */
export const vaultCodeHash: Hex = keccakOf(artifact.runtime as Hex);

/** What deploys the vault of an admin. */
export function vaultCode(admin: Hex): Hex {
  return `${artifact.bytecode as Hex}${admin.slice(2).padStart(64, '0')}`;
}

/** The address of the vault that was deployed for an admin: the same on every chain, whoever is its admin now. */
export function vaultAddress(admin: Hex): Hex {
  return deployedAddress(vaultCode(admin));
}
