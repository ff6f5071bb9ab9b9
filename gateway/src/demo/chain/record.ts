import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { secp256k1 } from '@noble/curves/secp256k1';
import { addressOfKey } from '../../rails/evm/addresses/key-address.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';

/** What an installation keeps of its demo chain beside its blocks. The keys are of no use anywhere else. */
export type ChainRecord = {
  chain_id: number;
  port: number;
  /** Contracts by asset. */
  tokens: Record<string, Hex>;
  /** The contract that pays out. */
  vault: Hex;
  /**
   * Private keys: of the paying wallet, the treasury, the gas key of sweeps, the vault's admin and its signer; and of direct
   * settlement the host's and the merchant's own.
   */
  keys: Record<'payer' | 'treasury' | 'gas' | 'admin' | 'signer' | 'host' | 'merchant', Hex>;
};

/** A record of an older version, which may lack later fields. */
export type KeptRecord = Omit<ChainRecord, 'vault' | 'keys'> & {
  vault?: Hex;
  keys: Pick<ChainRecord['keys'], 'payer' | 'treasury' | 'gas'> & Partial<ChainRecord['keys']>;
};

/**
 * A new number for every chain, so that the records of one chain are never taken for records of a later one. None of
 * the numbers belongs to a public chain, and all fit into the 31 bits that some wallets have room for.
 */
export function freshChainId(): number {
  return 1_000_000_000 + randomInt(1_000_000_000);
}

export function freshKeys(): ChainRecord['keys'] {
  const key = (): Hex => `0x${randomBytes(32).toString('hex')}`;
  return {
    ...{ payer: key(), treasury: key(), gas: key(), admin: key(), signer: key() },
    ...{ host: key(), merchant: key() },
  };
}

/** The address of a private key; lower case. */
export function addressOf(privateKey: Hex): Hex {
  return addressOfKey(secp256k1.getPublicKey(privateKey.slice(2)));
}

/** Null where there is none yet. */
export async function readRecord(path: string): Promise<KeptRecord | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as KeptRecord);
}

/** For its owner alone. */
export async function writeRecord(path: string, record: ChainRecord): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
