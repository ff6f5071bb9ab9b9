import type { Reader } from '../../../../kit/db/db.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { type RawTransfer, type TransferLog, transferOf } from './logs.ts';

/** A transfer to an address of ours, or from one to its treasury. */
export type MatchedTransfer = Omit<TransferLog, 'from' | 'to'> & {
  sender: Hex;
  kind: 'deposit' | 'sweep';
  /** Our address: a deposit arrived there, or a sweep left it. */
  address: Hex;
  paymentId: string;
};

/** A transfer of ours with the time of its block. */
export type OurTransfer = MatchedTransfer & { blockAt: Date };

/** Identifies a transfer on its chain for good. */
export type TransferKey = Pick<TransferLog, 'blockHash' | 'logIndex'>;

export const keyOf = ({ blockHash, logIndex }: TransferKey): string => `${blockHash}:${logIndex}`;

/** Whether two endpoints show the same transfers of a window, to the last unit. */
export function sameTransfers(one: readonly OurTransfer[], other: readonly OurTransfer[]): boolean {
  return contentsOf(one) === contentsOf(other);
}

function contentsOf(transfers: readonly OurTransfer[]): string {
  return transfers
    .map((each) => `${contentOf(each)} ${each.blockAt.getTime()}`)
    .sort()
    .join();
}

/** All of a transfer but the time of its block, as one text. */
export function contentOf(transfer: MatchedTransfer): string {
  const { blockNumber, transaction, kind, token, sender, address, units } = transfer;
  return [keyOf(transfer), blockNumber, transaction, kind, token, sender, address, units].join(' ');
}

type Known = { address: Hex; payment_id: string; treasury: Hex | null };

/**
 * Finds ours among the transfers of a window, by one query over all addresses that were ever given out: its duration
 * does not depend on their number. Throws RpcFault for malformed logs of ours.
 */
export async function matchTransfers(
  reader: Reader,
  { tokens }: Pick<ChainConfig, 'tokens'>,
  treasuries: ReadonlySet<Hex>,
  transfers: readonly RawTransfer[],
): Promise<MatchedTransfer[]> {
  const prefixes = new Set<number>();
  for (const { from, to } of transfers) {
    if (from === to) continue;
    prefixes.add(prefixOf(to));
    if (treasuries.has(to)) prefixes.add(prefixOf(from));
  }
  if (prefixes.size === 0) return [];
  const { rows } = await reader.query<Known>({
    name: 'match-transfers',
    // A few other addresses share the beginning of one of ours: the whole address decides below.
    text: 'SELECT address, payment_id, treasury FROM evm_addresses WHERE prefix = ANY ($1::integer[])',
    // In order, so that neighbours in the index are read one after the other; one text is cheaper than an array.
    values: [`{${Int32Array.from(prefixes).sort().join()}}`],
  });
  const known = new Map(rows.map((row) => [row.address, row]));
  if (known.size === 0) return [];
  const found = new Map<string, MatchedTransfer>();
  for (const raw of transfers) {
    const ours = oursIn(raw, known);
    if (!ours) continue;
    const log = transferOf(raw, tokens);
    if (!log) continue;
    const { from: sender, to: _, ...rest } = log;
    const transfer = { ...rest, sender, ...ours };
    const twin = found.get(keyOf(transfer));
    if (twin && contentOf(twin) !== contentOf(transfer)) {
      throw new RpcFault('nonsense', `answered with two logs ${keyOf(transfer)}`);
    }
    found.set(keyOf(transfer), transfer);
  }
  return [...found.values()];
}

/** The first four bytes of an address, as its row keeps them. */
function prefixOf(address: Hex): number {
  return Number.parseInt(address.slice(2, 10), 16) | 0;
}

function oursIn(
  { from, to }: RawTransfer,
  known: Map<Hex, Known>,
): Pick<MatchedTransfer, 'kind' | 'address' | 'paymentId'> | null {
  const sender = known.get(from);
  if (sender?.treasury === to) return { kind: 'sweep', address: from, paymentId: sender.payment_id };
  const receiver = known.get(to);
  return receiver ? { kind: 'deposit', address: to, paymentId: receiver.payment_id } : null;
}
