import type { Reader } from '../../../../kit/db/db.ts';
import type { WatchedPlace } from '../../../move.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { type RawTransfer, type TransferLog, transferOf } from './logs.ts';
import { type Places, placeFinder, placesIn } from './place-watch.ts';

/**
 * A transfer to an address of ours, from one to its treasury or splitter, or another one into or out of a place: a treasury,
 * a vault or an address of direct settlement.
 */
export type MatchedTransfer = Omit<TransferLog, 'from' | 'to'> & { sender: Hex } & Role;

type Role = {
  kind: 'deposit' | 'sweep' | 'move';
  /** Our address: a deposit arrived there, or a sweep left it. Of a move, the place; of two places the one that it left. */
  address: Hex;
  /** Whose address it is; null for a move. */
  ownerId: string | null;
  /** Of a move, where it came from and went to; of a sweep, its target where that is no treasury. */
  source: WatchedPlace | null;
  target: WatchedPlace | null;
  /** Of a move, the address that it went to. */
  receiver: Hex | null;
};

/** A transfer of ours with the time of its block. */
export type OurTransfer = MatchedTransfer & { blockAt: Date };

/** Identifies a transfer on its chain for good. One log may be a deposit, or a sweep, and a move besides. */
export type TransferKey = Pick<MatchedTransfer, 'blockHash' | 'logIndex' | 'kind'>;

/** Which row of its log a transfer is: a log may have one for an address and one for a treasury or vault. */
export const sideOf = ({ kind }: Pick<TransferKey, 'kind'>) => (kind === 'move' ? 'place' : 'address');

export const keyOf = (key: TransferKey): string =>
  `${key.blockHash}:${key.logIndex}${key.kind === 'move' ? ':move' : ''}`;

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
  const { blockNumber, transaction, kind, token, sender, address, units, source, target, receiver } =
    transfer;
  const role = [kind, address, source, target, receiver];
  return [keyOf(transfer), blockNumber, transaction, token, sender, units, ...role].join(' ');
}

/**
 * Whether two readings show the same content of one log. The role is not compared: an address or a treasury that became
 * known later changes it, and then no endpoint was wrong.
 */
export function isSameLog(one: MatchedTransfer, other: MatchedTransfer): boolean {
  const [to, otherTo] = [receiverOf(one), receiverOf(other)];
  const isSameReceiver = to === null || otherTo === null || to === otherTo;
  const facts = [one, other].map(({ transaction, token, sender, units }) =>
    [transaction, token, sender, units].join(),
  );
  return isSameReceiver && facts[0] === facts[1];
}

/** Null for a sweep, of which only its treasury is known. */
const receiverOf = ({ kind, address, receiver }: MatchedTransfer): Hex | null =>
  kind === 'deposit' ? address : receiver;

type Known = { address: Hex; owner_id: string; treasury: Hex | null };

/**
 * Finds ours among the transfers of a window, by one query over all addresses that were ever given out in the chain's mode:
 * its duration does not depend on their number. Throws RpcFault for malformed logs of ours.
 */
export async function matchTransfers(
  reader: Reader,
  { isTest = false }: Pick<ChainConfig, 'isTest'>,
  places: Places,
  transfers: readonly RawTransfer[],
): Promise<MatchedTransfer[]> {
  const addresses = placesIn(places);
  const prefixes = new Set<number>();
  for (const { from, to } of transfers) {
    if (from === to) continue;
    prefixes.add(prefixOf(to));
    if (addresses.has(to)) prefixes.add(prefixOf(from));
  }
  if (prefixes.size === 0) return [];
  const { rows } = await reader.query<Known>({
    name: 'match-transfers',
    // A few other addresses share the beginning of one of ours: the whole address decides below.
    text: 'SELECT address, owner_id, treasury FROM evm_addresses WHERE prefix = ANY ($1::integer[]) AND is_test = $2',
    // In order, so that neighbours in the index are read one after the other; one text is cheaper than an array.
    values: [`{${Int32Array.from(prefixes).sort().join()}}`, isTest],
  });
  const known = new Map(rows.map((row) => [row.address, row]));
  if (known.size === 0 && addresses.size === 0) return [];
  const placeAt = placeFinder(places);
  const found = new Map<string, MatchedTransfer>();
  for (const raw of transfers) {
    const { from, to } = raw;
    if (!known.has(to) && !addresses.has(to) && !known.has(from) && !addresses.has(from)) continue;
    const log = transferOf(raw);
    if (!log) continue;
    const { from: sender, to: _, ...rest } = log;
    for (const role of rolesOf(log, known, placeAt)) {
      const transfer = { ...rest, sender, ...role };
      const twin = found.get(keyOf(transfer));
      if (twin && contentOf(twin) !== contentOf(transfer)) {
        throw new RpcFault('nonsense', `answered with two logs ${keyOf(transfer)}`);
      }
      found.set(keyOf(transfer), transfer);
    }
  }
  return [...found.values()];
}

/** The first four bytes of an address, as its row keeps them. */
function prefixOf(address: Hex): number {
  return Number.parseInt(address.slice(2, 10), 16) | 0;
}

const noMove = { source: null, target: null, receiver: null } as const;

/** What a transfer is to us: nothing, one thing, or a deposit that left a treasury or vault. */
function rolesOf(
  { from, to, token, blockNumber }: TransferLog,
  known: ReadonlyMap<Hex, Known>,
  placeAt: ReturnType<typeof placeFinder>,
): Role[] {
  const [source, target] = [placeAt(from, token, blockNumber), placeAt(to, token, blockNumber)];
  const [sender, receiver] = [known.get(from), known.get(to)];
  // The owner of an extended key moves its addresses' money where they like.
  const isOwnersMove = sender?.treasury === null && target !== null && target !== 'direct';
  if (sender && (sender.treasury === to || isOwnersMove)) {
    const swept = { kind: 'sweep', address: from, ownerId: sender.owner_id } as const;
    return [{ ...noMove, ...swept, target: target === 'treasury' ? null : target }];
  }
  const roles: Role[] = [];
  if (receiver) roles.push({ ...noMove, kind: 'deposit', address: to, ownerId: receiver.owner_id });
  // A part that waits moves between two addresses of direct settlement: it is noted, and nothing is booked.
  if (source !== target || source === 'direct') {
    const ends = { source: source ?? 'operator', target: target ?? 'operator', receiver: to } as const;
    roles.push({ kind: 'move', address: source === null ? to : from, ownerId: null, ...ends });
  }
  return roles;
}
