import type { Seal } from '../../../kit/seal.ts';
import { checksummed } from '../addresses/forwarders.ts';
import { type PaymentRequest, requestDigest } from './payment-request.ts';

/** The address of the installation's key for payment requests. It stays when the master key is rotated. */
export async function requestSigner(seal: Seal): Promise<string> {
  const [{ secp256k1 }, { addressOfKey }] = await code();
  return checksummed(addressOfKey(secp256k1.getPublicKey(seal.derive('payment requests'))));
}

/** The signature of a request by that key (EIP-712): r, s and v in hexadecimal. */
export async function signRequest(seal: Seal, request: PaymentRequest): Promise<string> {
  const [{ secp256k1 }] = await code();
  const signed = secp256k1.sign(requestDigest(request), seal.derive('payment requests'));
  return `0x${signed.toCompactHex()}${(27 + signed.recovery).toString(16)}`;
}

/** The curve's code is loaded by the first that is signed. */
const code = () =>
  Promise.all([import('@noble/curves/secp256k1'), import('../addresses/key-address.ts')] as const);
