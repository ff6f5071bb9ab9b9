import type { Reader } from '../../kit/db/db.ts';
import { feesOfLines, type LoneFee, loneFees } from '../../ledger/fees-of-lines.ts';
import type { Holder, Line } from '../../ledger/lines.ts';
import { type MonthStatement, monthLines } from '../../ledger/statements.ts';
import { refundIdsAmong, transactionsOf } from '../../payments/read/by-id.ts';
import { payoutsById } from '../../payouts/payout/read.ts';
import { type Described, describeLines } from '../described-lines.ts';
import { inParts } from './in-parts.ts';

/**
 * A row of a business's books, in units of its asset: `net` is what the balance changed by, and `gross - fee = net`. A fee
 * that was given back is negative.
 */
export type BookRow = Pick<Line, 'asset' | 'cause' | 'cause_id' | 'created_at'> &
  Pick<Described, 'payment_reference' | 'username'> & {
    /** The ledger's transfer. */
    id: string;
    gross: bigint;
    fee: bigint;
    net: bigint;
    /** The balance after it. */
    balance: bigint;
    /** Of the network: those that paid, or the one of a payout; several are joined by spaces. */
    transaction: string | null;
    refund: string | null;
    /** The reference of a payout, or its id. */
    payout: string | null;
  };

/** Fees that are lines of their own, with the sign that makes `gross - fee = net`. */
const feeLines: readonly string[] = ['payout_fee', 'payout_fee_undone'];

/** The rows of one statement in parts, oldest first; last those of fees that took a whole payment. */
export async function* bookRows(
  reader: Reader,
  holder: Holder,
  statement: MonthStatement,
): AsyncGenerator<BookRow[]> {
  for await (const part of inParts(monthLines(reader, holder, statement))) yield await rowsOf(reader, part);
  const alone = await loneFees(reader, holder, statement);
  yield await rowsOf(reader, alone.map(lineOfFee(statement)));
}

type BookLine = Line & { balance: bigint; loneFee?: bigint };

const lineOfFee =
  ({ asset, closing }: MonthStatement) =>
  ({ units, ...fee }: LoneFee): BookLine => ({
    ...{ seq: 0n, asset, units: 0n, balance: closing, loneFee: units, ...fee },
    ...{ cause: 'payment_settled', other_kind: 'suspense', other_owner: '' },
  });

async function rowsOf(reader: Reader, lines: BookLine[]): Promise<BookRow[]> {
  if (lines.length === 0) return [];
  const payouts = await payoutsById(
    reader,
    lines.flatMap(({ cause, cause_id }) =>
      cause.startsWith('payout') && cause_id !== null ? [cause_id] : [],
    ),
  );
  const [described, fees, refunds, transactions] = await Promise.all([
    describeLines(reader, lines),
    feesOfLines(reader, lines),
    refundIdsAmong(
      reader,
      lines.map(({ transfer }) => transfer),
    ),
    transactionsOf(
      reader,
      lines.flatMap(({ cause_id, asset }) => (cause_id === null ? [] : [{ paymentId: cause_id, asset }])),
    ),
  ]);
  return described.map((line): BookRow => {
    const { asset, cause, cause_id, created_at, payment_reference, username, transfer, units, balance } =
      line;
    const fee = line.loneFee ?? (feeLines.includes(cause) ? -units : (fees.get(transfer) ?? 0n));
    const payout = payouts.get(cause_id ?? '');
    return {
      ...{ asset, cause, cause_id, created_at, payment_reference, username, id: transfer, balance },
      ...{ gross: units + fee, fee, net: units },
      transaction: payout ? payout.transaction : transactions(cause_id ?? '', asset),
      refund: refunds.has(transfer) ? transfer : null,
      payout: payout ? (payout.reference ?? payout.id) : null,
    };
  });
}
