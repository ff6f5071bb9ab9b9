import { recoverMessageAddress } from 'viem/utils';
import type { Hex } from '../config/chains.ts';

/** The length of a signature's r, s and v in hexadecimal digits. */
const signaturePattern = /^(?:0x)?([0-9a-f]{130})$/i;

/**
 * The address, in lower case, whose key signed a text as wallets sign messages (EIP-191, `personal_sign`); null: what was
 * given is no signature. The signature of another text gives some address that nobody has.
 */
export async function signedBy(message: string, signature: string): Promise<Hex | null> {
  const digits = signaturePattern.exec(signature)?.[1];
  if (digits === undefined) return null;
  try {
    const address = await recoverMessageAddress({ message, signature: `0x${digits.toLowerCase()}` });
    return address.toLowerCase() as Hex;
  } catch {
    // There is no point of the curve for these numbers.
    return null;
  }
}
