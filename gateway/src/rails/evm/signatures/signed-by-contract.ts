import type { Logger } from 'pino';
import type { Reader } from '../../../kit/db/db.ts';
import { messageHash } from '../addresses/signed-by.ts';
import type { Hex } from '../config/chains.ts';
import { type Block, headerCall, hexNumber, requireHeader } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { isOfContract, RpcFault } from '../rpc/rpc-fault.ts';
import { type Agreement, Disagreement } from '../scan/blocks/agreement.ts';
import { finalBlock } from '../scan/blocks/final-block.ts';
import { selector, word } from '../send/words.ts';

/**
 * Whether the wallet contract at an address of an asset's network says that a text was signed by its owners (EIP-1271);
 * null: not known now, or no network can be asked.
 */
export type SignedByContract = (
  asset: string,
  address: string,
  message: string,
  signature: string,
) => Promise<boolean | null>;

export type AskedContract = {
  chainId: number;
  /** In lower case, as the transfers of its chain have it. */
  address: Hex;
  message: string;
  signature: string;
};

export type ContractSignatureDeps = {
  db: Reader;
  agreement: Agreement;
  log: Logger;
  /** A customer waits. */
  withinMs?: number;
};

const isValidSignature = selector('isValidSignature(bytes32,bytes)');
/** What a contract answers that accepts a signature, as 32 bytes. Any other answer refuses it. */
const accepted = `0x${isValidSignature}${'0'.repeat(56)}`;
/** Enough for a wallet of ten owners or one with a passkey; an endless loop ends here. */
const gasOfCall = 3_000_000n;
/** Signatures of contract wallets have any length; none of those that exist is as long as this. */
const mostDigits = 8_192;
const bytesPattern = /^(?:0x)?((?:[0-9a-f]{2})*)$/i;

/**
 * Asks a wallet contract at the last final block whether a signature is its own; two endpoints must say the same, where
 * there are two. `0x` is what a wallet takes that has signed on its chain. See `SignedByContract`.
 */
export async function signedByContract(deps: ContractSignatureDeps, asked: AskedContract) {
  const digits = bytesPattern.exec(asked.signature)?.[1]?.toLowerCase();
  if (digits === undefined || digits.length > mostDigits) return false;
  const block = await finalBlock(deps.db, asked.chainId);
  if (block === null) return null;
  const data = callData(messageHash(asked.message), digits);
  const answer = deps.agreement.agree({
    ask: (endpoint) => ask(endpoint, asked.address, data, block),
    same: (one, other) => one === other,
    about: `a signature of ${asked.address} at block ${block.number}`,
    kind: 'balances',
  });
  return await inTime(answer, asked, deps);
}

/** The answer; null: it did not come in time, no endpoint could give it, or they do not agree. */
async function inTime(
  answer: Promise<boolean>,
  { chainId, address }: AskedContract,
  { log, withinMs = 10_000 }: ContractSignatureDeps,
): Promise<boolean | null> {
  const { promise: end, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), withinMs);
  const known = answer.catch((error: unknown) => {
    if (!(error instanceof RpcFault) && !(error instanceof Disagreement)) throw error;
    log.warn({ chain: chainId, address, fault: error.message }, 'a wallet contract could not be asked');
    return null;
  });
  try {
    return await Promise.race([known, end]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask(endpoint: Endpoint, to: Hex, data: Hex, { number, hash }: Block): Promise<boolean> {
  const at = hexNumber(number);
  // First whether the endpoint has the state of this block: then a call that fails is the contract's refusal.
  const [header, code] = await endpoint.batch([
    headerCall(number),
    { method: 'eth_getCode', params: [to, at] },
  ]);
  if (requireHeader(header, number).hash !== hash) {
    throw new RpcFault('refused', `has another block ${number} now`);
  }
  if (code === '0x') return false;
  const call = { method: 'eth_call', params: [{ to, data, gas: hexNumber(gasOfCall) }, at] };
  const [answer] = await endpoint.batch([call]).catch((error: unknown) => {
    if (!isOfContract(error)) throw error;
    return ['0x'];
  });
  return answer === accepted;
}

/** The call of `isValidSignature`: the hash, where the bytes begin, how many there are, and the bytes in whole words. */
function callData(hash: Hex, digits: string): Hex {
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
  return `0x${isValidSignature}${word(hash)}${word(64)}${word(digits.length / 2)}${padded}`;
}
