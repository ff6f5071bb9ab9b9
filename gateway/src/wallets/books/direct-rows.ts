import type { Reader } from '../../kit/db/db.ts';
import type { Holder, Line } from '../../ledger/lines.ts';
import { type MonthStatement, monthLines } from '../../ledger/statements.ts';
import { paymentsById } from '../../payments/read/by-id.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import { directParts, directPoints, directTransfers } from '../../treasury/direct/arrivals.ts';
import { type DirectMoveRow, directMovesById } from '../../treasury/direct/read.ts';
import { inParts } from './in-parts.ts';

/**
 * A row of what settles directly, in units of its asset. `moved` is what is on the way more or less after it; opening and all `moved`
 * come to the closing of a month. A payment's transfer has `gross - fee = net` too: the host's part, and what is the merchant's.
 */
export type DirectRow = Pick<Line, 'asset' | 'cause' | 'cause_id' | 'created_at'> & {
  /** The ledger's transfer. */
  id: string;
  payment_reference: string | null;
  moved: bigint;
  /** What is on the way after it. */
  onTheWay: bigint;
  /** Null: not the transfer of a payment. */
  parts: { gross: bigint; fee: bigint; net: bigint } | null;
  /** Of the network: what paid, or the release. */
  transaction: string | null;
  /** Where the money goes: the merchant's own address, or the host's. */
  address: string | null;
  /** By which transaction a payment's part arrived, and in which block; of a release, its own. */
  arrived: { transaction: string; block: number | null } | null;
  /** Of a move, to whom; `given`: somebody sent it to the splitter. */
  target: DirectMoveRow['target'] | null;
};

/** Lines that are transfers of payments; all others are moves. */
const paymentCauses: readonly string[] = ['payment_received', 'payment_lost'];

/** The rows of one statement of the account `direct` in parts, the oldest first. */
export async function* directRows(
  reader: Reader,
  holder: Holder,
  statement: MonthStatement,
): AsyncGenerator<DirectRow[]> {
  for await (const part of inParts(monthLines(reader, holder, statement))) yield await rowsOf(reader, part);
}

type DirectLine = Line & { balance: bigint };

async function rowsOf(reader: Reader, lines: readonly DirectLine[]): Promise<DirectRow[]> {
  const ofPayments = lines.flatMap(({ cause, cause_id, transfer }) =>
    paymentCauses.includes(cause) && cause_id !== null ? [{ transfer, paymentId: cause_id }] : [],
  );
  const moveIds = lines.flatMap(({ cause, cause_id }) =>
    paymentCauses.includes(cause) || cause_id === null ? [] : [cause_id],
  );
  const paymentIds = [...new Set(ofPayments.map(({ paymentId }) => paymentId))];
  const [payments, points, transfers, moves] = [
    await paymentsById(reader, paymentIds),
    await directPoints(reader, paymentIds),
    await directTransfers(reader, ofPayments),
    await directMovesById(reader, moveIds),
  ];
  return lines.map(({ asset, cause, cause_id, created_at, transfer: id, units, balance }): DirectRow => {
    const transfer = transfers.get(id);
    const move = moves.get(cause_id ?? '');
    const basisPoints = points.get(cause_id ?? '');
    const parts = basisPoints === undefined ? null : directParts(units, basisPoints);
    const released = move && { transaction: move.transaction, block: move.block };
    return {
      ...{ asset, cause, cause_id, created_at, id, moved: units, onTheWay: balance },
      payment_reference: payments.get(cause_id ?? '')?.reference ?? null,
      parts: parts ? { gross: units, fee: parts.host, net: parts.merchant } : null,
      transaction: transfer?.transaction ?? move?.transaction ?? null,
      address: transfer?.merchant ?? (move ? checksummed(readAddress(move.receiver) ?? '0x') : null),
      arrived: transfer ? transfer.arrived : (released ?? null),
      target: move?.target ?? null,
    };
  });
}

/** The name of a row: of a payment's transfer its cause, of a move to whom it went, of one that a reorg took back that too. */
export function directLine({ cause, target }: Pick<DirectRow, 'cause' | 'target'>): string {
  if (target === null) return cause;
  const moved = { merchant: 'direct_arrived', host: 'direct_fee', given: 'direct_given' }[target];
  return cause === 'direct_undone' ? `${moved}_undone` : moved;
}
