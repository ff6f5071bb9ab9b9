import type { HttpSender } from '../../../kit/net/safe-fetch.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { createSigningProgram, type SigningProgram } from '../../signing/signing-program.ts';
import { checksummed, keccakOf } from '../addresses/forwarders.ts';
import type { ChainConfig, Hex, VaultConfig } from '../config/chains.ts';
import { type GasKey, readGasKey, type SignedCall, unsignedOf } from '../send/key.ts';

type SignerOf = NonNullable<VaultConfig['signer']>;

/**
 * The key that pays out of a vault: of its file, or of a program that signs. Throws SendFault or KeyFault: where the
 * file cannot be used, has another key than is configured, or has the key that sweeps use.
 */
export async function readVaultKey(
  { by, address }: SignerOf,
  { sweep }: Pick<ChainConfig, 'sweep'>,
  sender: HttpSender,
): Promise<GasKey> {
  const key =
    by.kind === 'file'
      ? await readGasKey(by.keyFile, 'key file of the vault')
      : programKey(address, createSigningProgram(by, sender));
  if (address !== null && address !== key.address) {
    throw new SendFault(
      `The key file of the vault has the key of ${checksummed(key.address)}, and ${checksummed(address)} is configured`,
    );
  }
  if (sweep.gasKeyFile !== null && (await readGasKey(sweep.gasKeyFile)).address === key.address) {
    throw new SendFault('The signer of the vault is the gas key of sweeps, and must be another key');
  }
  return key;
}

function programKey(address: Hex | null, program: SigningProgram): GasKey {
  if (address === null) throw new SendFault('A vault.signer with a url needs the address of its key');
  return { address, warning: null, sign: (call) => signBy(program, address, call), signText: null };
}

/** Signs by a program. Throws SendFault unless it answers the transaction that it was sent, signed by that key. */
async function signBy(program: SigningProgram, address: Hex, call: SignedCall) {
  // Loaded by those who send alone: it takes 40 MB of memory.
  const { parseTransaction, recoverTransactionAddress, serializeTransaction } = await import('viem');
  const transaction = serializeTransaction(unsignedOf(call));
  const signed = await program.sign({ chain_id: call.chainId, transaction });
  const { r, s, v, yParity, ...content } = parse(signed);
  if (serializeTransaction(content as never) !== transaction) {
    throw new SendFault('The signer answered another transaction than it was sent');
  }
  const serializedTransaction = signed as `0x02${string}`;
  const by = await recoverTransactionAddress({ serializedTransaction }).catch(() => '0x');
  if (by.toLowerCase() !== address) {
    throw new SendFault(`The signer signed with another key than that of ${checksummed(address)}`);
  }
  return { hash: keccakOf(serializedTransaction), signed: serializedTransaction };

  function parse(text: string): Record<string, unknown> {
    try {
      return parseTransaction(text as `0x02${string}`);
    } catch {
      throw new SendFault('The signer answered what is no transaction');
    }
  }
}
