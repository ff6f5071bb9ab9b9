import { HDKey } from '@scure/bip32';
import type { Hex } from '../config/chains.ts';
import { addressOfKey } from './key-address.ts';

/**
 * The address at `index` below an extended public key (BIP-32, not hardened): its private key is known only to
 * whoever holds the wallet that the key is of. Lower case. Throws for a text that is no extended key.
 */
export function derivedAddress(xpub: string, index: number): Hex {
  return addressOfKey(HDKey.fromExtendedKey(xpub).deriveChild(index).publicKey!);
}
