import { smallNumber } from '../../../../money/small-number.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { hashOf, hexNumber, numberOf } from '../../rpc/block.ts';
import type { RpcCall } from '../../rpc/rpc.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';

/** One `Transfer` of a listed token, as an endpoint reports it. */
export type TransferLog = {
  blockNumber: bigint;
  blockHash: Hex;
  logIndex: number;
  transaction: Hex;
  token: Hex;
  from: Hex;
  to: Hex;
  units: bigint;
};

/** The receivers and the senders whose transfers are asked for; `all`: everybody's. */
export type Watched = 'all' | { receivers: readonly Hex[]; senders: readonly Hex[] };

/** keccak256("Transfer(address,address,uint256)") */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** How many topics geth accepts for one position. */
const topicsAtMost = 1_000;

/** The calls that read the transfers of the blocks `from` to `to`, both included. */
export function logCalls(
  tokens: ChainConfig['tokens'],
  watched: Watched,
  from: bigint,
  to: bigint,
): RpcCall[] {
  const call = (topics: unknown[]): RpcCall => ({
    method: 'eth_getLogs',
    params: [
      {
        fromBlock: hexNumber(from),
        toBlock: hexNumber(to),
        address: tokens.map(({ address }) => address),
        topics,
      },
    ],
  });
  if (watched === 'all') return [call([transferTopic])];
  return [
    ...partsOf(watched.receivers).map((topics) => call([transferTopic, null, topics])),
    ...partsOf(watched.senders).map((topics) => call([transferTopic, topics])),
  ];
}

function partsOf(addresses: readonly Hex[]): Hex[][] {
  const parts: Hex[][] = [];
  for (let at = 0; at < addresses.length; at += topicsAtMost) {
    parts.push(addresses.slice(at, at + topicsAtMost).map((address) => topicOf(address)));
  }
  return parts;
}

/** An address as a log's topic. */
export const topicOf = (address: Hex): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`;

/** A log of which only the two parties of its transfer were read: most logs concern others. */
export type RawTransfer = { log: Record<string, unknown>; from: Hex; to: Hex };

/**
 * The transfers of listed tokens in answers to `logCalls`, or in the logs of receipts; other logs are left out. Throws
 * RpcFault for malformed answers, and for a log that may be such a transfer and cannot be read: it may be ours.
 */
export function rawTransfers(
  answers: readonly unknown[],
  tokens: readonly { address: Hex }[],
): RawTransfer[] {
  const listed = new Set<string>(tokens.map(({ address }) => address));
  const found: RawTransfer[] = [];
  for (const answer of answers) {
    if (!Array.isArray(answer)) throw new RpcFault('nonsense', 'answered with malformed logs');
    for (const log of answer) {
      if (!isTransfer(log, listed)) continue;
      const [, from, to] = log.topics;
      if (log.topics.length !== 3 || !isParty(from) || !isParty(to)) throw malformed();
      found.push({ log, from: addressOf(from), to: addressOf(to) });
    }
  }
  return found;
}

const malformed = () => new RpcFault('nonsense', 'answered with a malformed log of a transfer');

const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const wordPattern = /^0x[0-9a-fA-F]{64}$/;

/** Whether a log is a `Transfer` of a listed token. Throws RpcFault where the log is malformed. */
function isTransfer(
  log: unknown,
  listed: ReadonlySet<string>,
): log is Record<string, unknown> & { topics: unknown[] } {
  const { address, topics } = (log ?? {}) as Record<string, unknown>;
  if (typeof address !== 'string' || !addressPattern.test(address)) throw malformed();
  if (!listed.has(address.toLowerCase())) return false;
  if (!Array.isArray(topics)) throw malformed();
  const [event] = topics;
  // An anonymous event has no topic.
  if (event === undefined) return false;
  if (typeof event !== 'string' || !wordPattern.test(event)) throw malformed();
  return event.toLowerCase() === transferTopic;
}

/** Reads the rest of a log; null for one that moves nothing. Throws RpcFault for a malformed one. */
export function transferOf({ log, from, to }: RawTransfer): TransferLog | null {
  // Where digits are missing, it is not known which ones.
  if (typeof log.data !== 'string' || !wordPattern.test(log.data)) throw malformed();
  // A log that left the chain does not belong into an answer about the present chain.
  if (log.removed === true) throw new RpcFault('nonsense', 'answered with a log that was removed');
  const units = BigInt(log.data);
  if (units === 0n || from === to) return null;
  const logIndex = numberOf(log.logIndex);
  if (logIndex > 0x7fffffffn) throw new RpcFault('nonsense', `answered with log ${logIndex} of a block`);
  return {
    blockNumber: numberOf(log.blockNumber),
    blockHash: hashOf(log.blockHash),
    logIndex: smallNumber(logIndex),
    transaction: hashOf(log.transactionHash),
    token: `${log.address}`.toLowerCase() as Hex,
    from,
    to,
    units,
  };
}

const partyPattern = /^0x0{24}[0-9a-fA-F]{40}$/;
const isParty = (topic: unknown): topic is string => typeof topic === 'string' && partyPattern.test(topic);
const addressOf = (topic: string): Hex => `0x${topic.slice(26).toLowerCase()}`;
