import { utf8 } from './bytes.ts';
import {
  type AgreedDestination,
  badTerms,
  destinationAddress,
  keccakOf,
  toHex,
  word,
} from './destination-address.ts';
import { keccak256 } from './keccak.ts';

/** What `paymentWords` makes its words of. */
export type PaymentWordsInput = {
  /** `PaymentData.id`. */
  paymentId: string;
  /** What you know, and not what the gateway answers. */
  agreed: AgreedDestination;
  chainId: number;
  /** An asset code, such as `usdc-base`. */
  asset: string;
  /** All that is due, as a decimal: `amount_due` of `payments.get`. */
  amount: string;
  /** The payment's reference. */
  reference: string;
};

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';
const textHash = (text: string): string => toHex(keccak256(utf8(text)));

/**
 * The four words that the payment's page shows beside the address, made of what you know: show them on your own page, so that
 * customers can compare (docs/direct-settlement.md). They are the first 64 bits of what the gateway signs (EIP-712), the deadline as 0.
 * @throws DestinationError `bad_terms`
 */
export function paymentWords({
  paymentId,
  agreed,
  chainId,
  asset,
  amount,
  reference,
}: PaymentWordsInput): string {
  const [, whole, rest] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(amount) ?? [];
  if (whole === undefined) throw badTerms('amount is not a decimal');
  const address = destinationAddress(paymentId, agreed).slice(2);
  const texts = [asset, whole + (rest ? `.${rest}` : ''), reference].map(textHash);
  const type = 'PaymentRequest(address to,string asset,string amount,string reference,uint256 deadline)';
  const request = keccakOf(textHash(type) + word(address) + texts.join('') + word(''));
  const names = ['EIP712Domain(string name,string version,uint256 chainId)', 'Florin payment request', '1'];
  const domain = keccakOf(names.map(textHash).join('') + word(chainId.toString(16)));
  const digest = keccakOf(`1901${domain}${request}`);
  return [0, 4, 8, 12].map((at) => proquint(Number.parseInt(digest.slice(at, at + 4), 16))).join(' ');
}

/** 16 bits as a word that can be spoken (a proquint). */
function proquint(bits: number): string {
  const consonant = (by: number) => consonants.charAt((bits >> by) & 15);
  const vowel = (by: number) => vowels.charAt((bits >> by) & 3);
  return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0);
}
