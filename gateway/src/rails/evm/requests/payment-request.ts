import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * What a customer is asked to send. `to` is the address of the payment, `amount` all that is due as a decimal without zeros at
 * its end, `deadline` in Unix seconds.
 */
export type PaymentRequest = {
  chainId: number;
  to: string;
  asset: string;
  amount: string;
  reference: string;
  deadline: number;
};

const hash = (...parts: Uint8Array[]): Buffer => Buffer.from(keccak_256(Buffer.concat(parts)));
const textHash = (text: string): Buffer => hash(Buffer.from(text));
const word = (digits: string): Buffer => Buffer.from(digits.padStart(64, '0'), 'hex');
const numberWord = (value: number): Buffer => word(value.toString(16));

const domainType = textHash('EIP712Domain(string name,string version,uint256 chainId)');
const requestType = textHash(
  'PaymentRequest(address to,string asset,string amount,string reference,uint256 deadline)',
);
const domainParts = [domainType, textHash('Florin payment request'), textHash('1')];

/** What is signed of a request (EIP-712). */
export function requestDigest({ chainId, to, asset, amount, reference, deadline }: PaymentRequest): Buffer {
  const texts = [asset, amount, reference].map(textHash);
  const request = hash(requestType, word(to.slice(2)), ...texts, numberWord(deadline));
  return hash(Buffer.of(0x19, 1), hash(...domainParts, numberWord(chainId)), request);
}

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';

/**
 * Four words that a shop and the payment's page both make of a request (contract.md#direct): 16 bits each, as proquints write them.
 * The deadline is left out (zero), because it begins anew when the customer chooses how to pay.
 */
export function requestWords(request: Omit<PaymentRequest, 'deadline'>): string {
  const digest = requestDigest({ ...request, deadline: 0 });
  return [0, 2, 4, 6].map((at) => proquint(digest.readUInt16BE(at))).join(' ');
}

function proquint(bits: number): string {
  const [a, b] = [bits >> 10, bits >> 4].map((each) => vowels.charAt(each & 3));
  const [x, y, z] = [bits >> 12, bits >> 6, bits].map((each) => consonants.charAt(each & 15));
  return `${x}${a}${y}${b}${z}`;
}
