import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  openSecretWarning,
  readSecret,
  type Secret,
  type SecretFault,
  secretNamed,
} from '../../../kit/secret.ts';
import { addressOfKey } from '../addresses/key-address.ts';
import { messageHash } from '../addresses/signed-by.ts';
import type { Hex } from '../config/chains.ts';
import type { Fees } from './fees.ts';

/**
 * A key that sends and pays for gas. That of sweeps owns nothing else: what it signs can send money to the treasury
 * only. That of payouts is held back by the vault.
 */
export type GasKey = {
  address: Hex;
  /** What is wrong with its file, in words; null: nothing. */
  warning: string | null;
  sign(call: SignedCall): Promise<{ hash: Hex; signed: Hex }>;
  /** Signs a text as wallets do (EIP-191); null: the program that has the key signs transactions only. */
  signText: ((text: string) => Hex) | null;
};

export type SignedCall = {
  chainId: number;
  nonce: number;
  to: Hex;
  data: Hex;
  /** Wei that go along; none by default. */
  value?: bigint;
  gas: bigint;
  fees: Fees;
};

/** A file that cannot be used; its message never holds what is in it. */
export class KeyFault extends Error {}

/** Reads the key; a file is read again each time, so that a changed one counts at once. `what`: which file it is. */
export async function readGasKey(secret: Secret, what = 'gas key file'): Promise<GasKey> {
  const name = secretNamed(what, secret);
  const text = await readSecret(secret).catch((fault: SecretFault) => {
    throw new KeyFault(`the ${name} ${fault.message}`);
  });
  const digits = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text)?.[1];
  const key = digits === undefined ? null : Buffer.from(digits, 'hex');
  if (key === null || !secp256k1.utils.isValidPrivateKey(key)) {
    throw new KeyFault(`the ${name} must hold one private key: 64 hex digits`);
  }
  return {
    address: addressOfKey(secp256k1.getPublicKey(key)),
    warning: await openSecretWarning(secret, what),
    sign: (call) => sign(`0x${key.toString('hex')}`, call),
    signText: (text) => signText(key, text),
  };
}

function signText(key: Uint8Array, text: string): Hex {
  const signature = secp256k1.sign(messageHash(text).slice(2), key);
  return `0x${signature.toCompactHex()}${(27 + signature.recovery).toString(16)}`;
}

async function sign(secret: Hex, call: SignedCall) {
  // Loaded by those who send alone: it takes 40 MB of memory.
  const { privateKeyToAccount } = await import('viem/accounts');
  const signed = await privateKeyToAccount(secret).signTransaction(unsignedOf(call));
  const digest = keccak_256(Buffer.from(signed.slice(2), 'hex'));
  return { hash: `0x${Buffer.from(digest).toString('hex')}` as const, signed };
}

/** A call as a transaction without a signature. */
export function unsignedOf({ chainId, nonce, to, data, value = 0n, gas, fees }: SignedCall) {
  const call = { chainId, nonce, to, data, value, gas };
  return fees.tip === null
    ? ({ ...call, type: 'legacy', gasPrice: fees.maxFee } as const)
    : ({ ...call, type: 'eip1559', maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.tip } as const);
}
