import { fromHex, utf8 } from './bytes.ts';
import { DestinationError } from './errors.ts';
import { keccak256 } from './keccak.ts';

/** What you agreed on with the host of a direct settlement: your own address, the host's, and its part (0 to 9999). */
export type AgreedSplit = { merchant: string; host: string; basisPoints: number };

/** The host's treasury, for payments that are credited to your balance. */
export type AgreedTreasury = { treasury: string };

export type AgreedDestination = AgreedSplit | AgreedTreasury;

/** A contract of Florin's that makes addresses, the same on every chain, and the hash of what it deploys. */
type Factory = [address: string, codeHash: string];

// Of docs/contracts.md. Nothing of it is taken from an answer.
const deposits: Factory = [
  '2158bc18268f69579527b7ee9781262ef8874155',
  'c9233e36fb90bdde9483034100e663235c917969b23760331c3cc40645e512b7',
];
const splitters: Factory = [
  '90df07a377585af9bf39438afd57c720a73535b5',
  '9596d81464e6d10ca592e6f18e01395efa40b4356ef003aeee999358a215de30',
];

/** Hashes hexadecimal digits to such. */
export const keccakOf = (hex: string): string => toHex(keccak256(fromHex(hex)));
/** Digits as a word of 32 bytes. */
export const word = (hex: string): string => hex.padStart(64, '0');
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** CREATE2 (EIP-1014), with the hash of the words as its salt. */
function made([address, codeHash]: Factory, ...words: string[]): string {
  return keccakOf(`ff${address}${keccakOf(words.map(word).join(''))}${codeHash}`).slice(24);
}

/**
 * The address of a payment (`PaymentData.id`) on every EVM chain, with its checksum. It is computed from what you agreed on
 * alone (docs/direct-settlement.md).
 * @throws DestinationError `bad_terms`
 */
export function destinationAddress(paymentId: string, agreed: AgreedDestination): string {
  const id = paymentId.toLowerCase().replace(/^(.{8})-(.{4})-(.{4})-(.{4})-/, '$1$2$3$4');
  if (!/^[0-9a-f]{32}$/.test(id)) throw badTerms('paymentId is not the id of a payment');
  return checksummed(made(deposits, goal(agreed), id));
}

/** Where the money of the address goes: the splitter or the treasury. */
function goal(agreed: AgreedDestination): string {
  if ('treasury' in agreed) return readAddress(agreed.treasury, 'treasury');
  const { basisPoints } = agreed;
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > 9999) {
    throw badTerms('basisPoints must be from 0 to 9999');
  }
  const sides = [readAddress(agreed.merchant, 'merchant'), readAddress(agreed.host, 'host')];
  return made(splitters, ...sides, basisPoints.toString(16));
}

function readAddress(text: string, name: string): string {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(text) ?? [];
  if (digits === undefined || /^0+$/.test(digits)) throw badTerms(`${name} is not an address`);
  const lower = digits.toLowerCase();
  const isMixed = digits !== lower && digits !== digits.toUpperCase();
  if (isMixed && checksummed(lower) !== text) {
    throw badTerms(`${name} has a wrong checksum`);
  }
  return lower;
}

/** The mixed case that wallets check (EIP-55). */
function checksummed(digits: string): string {
  const digest = toHex(keccak256(utf8(digits)));
  return `0x${digits.replace(/[a-f]/g, (digit, at: number) => (digest.charAt(at) >= '8' ? digit.toUpperCase() : digit))}`;
}

export const badTerms = (message: string) => new DestinationError('bad_terms', message);
