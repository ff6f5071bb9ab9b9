import { HDKey } from '@scure/bip32';
import type { Hex } from '../config/chains.ts';
import { addressOfKey } from './key-address.ts';

/**
 * The address at `index` below an extended public key (BIP-32, not hardened). Only the wallet of that key has its
 * private key. Lower case. Throws for a text that is not an extended key.
 */
export function derivedAddress(xpub: string, index: number): Hex {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(index);
  if (!publicKey) throw new Error('The extended key has no public key');
  return addressOfKey(publicKey);
}
