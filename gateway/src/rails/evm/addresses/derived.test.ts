import { HDKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { derivedAddress } from './derived.ts';
import { checksummed } from './forwarders.ts';

// BIP-39: https://github.com/trezor/python-mnemonic/blob/master/vectors.json
const seed = Buffer.from(
  'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  'hex',
);

test('an address derived from the public key is that of the private key at the same place', () => {
  const wallet = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  for (const index of [0, 1, 77, 2 ** 31 - 1]) {
    const key = Buffer.from(wallet.deriveChild(index).privateKey!).toString('hex');
    const { address } = privateKeyToAccount(`0x${key}`);
    expect(checksummed(derivedAddress(wallet.publicExtendedKey, index))).toBe(address);
  }
});
