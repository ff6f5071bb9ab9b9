import { smallNumber } from '../../../money/small-number.ts';
import type { Hex } from '../config/chains.ts';
import { hashOf, numberOf } from '../rpc/block.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { eventTopic, selector, word } from '../send/words.ts';
import { addressAt, numberAt, wordsOf } from '../vault/reads.ts';

/** A payout as the vault is asked for it. */
export type VaultPayout = { vaultId: bigint; receiver: Hex; units: bigint };

const paySelector = selector('pay(address,(uint256,address,uint256)[])');

/** The vault's call that pays out a token. */
export function payCall(token: Hex, payouts: readonly VaultPayout[]): Hex {
  const each = payouts.flatMap(({ vaultId, receiver, units }) => [
    word(vaultId),
    word(receiver),
    word(units),
  ]);
  // The list begins after the two words before it.
  return `0x${paySelector}${[word(token), word(64), word(payouts.length), ...each].join('')}`;
}

/** Why the vault refuses a payout: the selector of its error. */
export const reasons = {
  alreadyPaid: `0x${selector('AlreadyPaid()')}`,
  limitReached: `0x${selector('LimitReached()')}`,
  transferFailed: `0x${selector('TransferFailed()')}`,
} as const satisfies Record<string, Hex>;

/** What `pay` answers: for each payout why it would be refused, or null. */
export function reasonsOf(answer: unknown, count: number): (Hex | null)[] {
  const [, length, ...found] = wordsOf(answer, count + 2);
  if (BigInt(`0x${length ?? ''}`) !== BigInt(count)) throw new RpcFault('nonsense', 'answered for others');
  return found.map((each): Hex | null => (each.startsWith('ffffffff') ? null : `0x${each.slice(0, 8)}`));
}

const paidTopic = eventTopic('Paid(uint256,address,address,uint256)');
const refusedTopic = eventTopic('Refused(uint256,address,address,uint256,bytes4)');
/** The events that report the results of payouts. */
export const payoutTopics = [paidTopic, refusedTopic];

/** What a vault said of one payout. */
export type VaultEvent = VaultPayout & {
  kind: 'paid' | 'refused';
  blockNumber: bigint;
  blockHash: Hex;
  logIndex: number;
  transaction: Hex;
  vault: Hex;
  token: Hex;
  /** Why it was refused. */
  reason: Hex | null;
};

const malformed = () => new RpcFault('nonsense', 'answered with malformed logs');

/** The name of a vault's event; null: the log is of another contract. Throws RpcFault where the log is malformed. */
function eventOf({ address, topics }: Record<string, unknown>, vault: Hex): Hex | null {
  if (typeof address !== 'string') throw malformed();
  if (address.toLowerCase() !== vault) return null;
  const event = Array.isArray(topics) ? `${topics[0]}`.toLowerCase() : '';
  if (!/^0x[0-9a-f]{64}$/.test(event)) throw malformed();
  return event as Hex;
}

/**
 * The vault's events in an answer to `eth_getLogs`; other logs are left out. Throws RpcFault for malformed logs, and for
 * an event of a payout that cannot be read.
 */
export function vaultEvents(answer: unknown, vault: Hex): VaultEvent[] {
  if (!Array.isArray(answer)) throw malformed();
  return answer.flatMap((log: Record<string, unknown> | null) => {
    if (!log) throw malformed();
    const event = eventOf(log, vault);
    if (event === null || !payoutTopics.includes(event)) return [];
    const { topics, data } = log;
    if (!Array.isArray(topics) || topics.length !== 4) throw malformed();
    const kind = event === paidTopic ? 'paid' : 'refused';
    const [id, token, receiver] = topics.slice(1).map((topic) => wordsOf(topic, 1)) as [
      string[],
      string[],
      string[],
    ];
    const words = wordsOf(data, kind === 'paid' ? 1 : 2);
    return [
      {
        kind,
        blockNumber: numberOf(log.blockNumber),
        blockHash: hashOf(log.blockHash),
        logIndex: smallNumber(numberOf(log.logIndex)),
        transaction: hashOf(log.transactionHash),
        vault,
        vaultId: numberAt(id, 0),
        token: addressAt(token, 0),
        receiver: addressAt(receiver, 0),
        units: numberAt(words, 0),
        reason: kind === 'paid' ? null : `0x${(words[1] ?? '').slice(0, 8)}`,
      } as const,
    ];
  });
}
