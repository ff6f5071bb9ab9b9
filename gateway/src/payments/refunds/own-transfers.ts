import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { assertKnown, comparable } from '../../payouts/rules/addresses.ts';
import { payoutSettingsOf } from '../../payouts/rules/settings.ts';
import type { OwnTransfer } from '../../rails/direct.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import type { Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { announceRefunded } from '../settlement/events.ts';
import { raiseVersion } from '../settlement/moves.ts';
import type { Refund, RefundProof } from '../settlement/refund.ts';

// Refunds that merchants send from their own addresses: each waits for one transfer that its chain shows, and the gateway
// holds and sends nothing (contract.md#direct).

type Asked = {
  to: string;
  proof?: RefundProof | null;
  /** The address need not be in the address book: it paid, or its customer named it. */
  isAnyAddress: boolean;
  ownTime: Date;
};

const own = 'is an address at which this gateway takes payments';

/**
 * Asks the merchant for the transfer that a refund of money at their own address needs. It counts in blocks after the newest
 * one that was read. Refuses a field's fault, `address_unknown`, `address_rests`, and `payouts_unavailable` where its network
 * is configured no longer.
 */
export async function askTransfer(changes: Changes, refund: Refund, asked: Asked): Promise<Refund> {
  const { tx, deps } = changes;
  const { asset, paymentId } = refund;
  const payment = changes.payment(paymentId);
  const to = comparable(asked.to);
  const from = changes
    .transfersOf(paymentId)
    .findLast((each) => each.asset === asset && each.own_address !== null)?.own_address;
  const place = await deps.rail.tokenPlace?.(tx, asset);
  if (!from || !place)
    throw refuse(payoutErrors.payouts_unavailable, { asset, why: 'its network is not configured' });
  if (to === from) throw invalid('to', 'is the address that it is sent from');
  const sending = sendingFor(deps.sendings, payment.mode, asset);
  if ((await sending?.ownOf(tx, [asked.to]))?.has(asked.to)) throw invalid('to', own);
  if (!asked.isAnyAddress && (await payoutSettingsOf(tx, payment)).knownAddressesOnly)
    await assertKnown(tx, payment, [{ to, memo: null }], asked.ownTime);
  const waiting: Refund = {
    ...{ ...refund, status: 'awaiting_transfer', to: asked.to, proof: asked.proof ?? null, failure: null },
    transfer: { ...place, from },
  };
  changes.changeRefund(waiting);
  raiseVersion(changes, paymentId);
  return waiting;
}

/** A refund that waits for its merchant's transfer, as a chain shows that; addresses are in lower case. */
export type WaitingTransfer = {
  id: string;
  paymentId: string;
  token: string;
  from: string;
  to: string;
  units: bigint;
  /** In blocks after this one. */
  after: bigint;
  /** Up to which block it was looked for. */
  readTo: bigint;
};

/** Those of a chain, the oldest first. */
export async function waitingTransfers(reader: Reader, chainId: number): Promise<WaitingTransfer[]> {
  const { rows } = await reader.query<WaitingTransfer>({
    name: 'waiting-transfers',
    text: `SELECT id, payment_id AS "paymentId", token, sender AS "from", lower(destination) AS "to", units, after,
             read_to AS "readTo"
           FROM direct_refunds WHERE chain_id = $1 AND status = 'awaiting_transfer' ORDER BY id`,
    values: [chainId],
  });
  return rows;
}

/** So many payments are listed at most. */
const mostListed = 200;

/** The payments of an owner with refunds that wait for their merchant's transfer, the oldest refund first. */
export async function waitingPayments(reader: Reader, { integrationId, mode }: Owner): Promise<Payment[]> {
  const { rows } = await reader.query<PaymentRow>(
    `SELECT p.* FROM payments p JOIN (
       SELECT payment_id, min(id::text) AS first FROM direct_refunds
       WHERE integration_id = $1 AND mode = $2 AND status = 'awaiting_transfer'
       GROUP BY payment_id ORDER BY first LIMIT ${mostListed}
     ) r ON r.payment_id = p.id ORDER BY r.first`,
    [integrationId, mode],
  );
  return rows.map(paymentOf);
}

/** Which of these transfers have answered a refund already, by their keys. */
export async function answeredAmong(reader: Reader, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await reader.query<{ answered_by: string }>(
    'SELECT answered_by FROM direct_refunds WHERE answered_by = ANY ($1)',
    [keys],
  );
  return new Set(rows.map(({ answered_by }) => answered_by));
}

/** Notes up to which block transfers were looked for. */
export async function noteLookedFor(reader: Reader, ids: readonly string[], block: bigint): Promise<void> {
  await reader.query('UPDATE direct_refunds SET read_to = greatest(read_to, $2) WHERE id = ANY ($1)', [
    ids,
    `${block}`,
  ]);
}

/**
 * Completes a refund by a final transfer of its merchant, which answers no other, and announces it. Nothing is booked: the
 * money was never the gateway's. False: it waits no longer.
 */
export async function answerRefund(
  tx: Tx,
  deps: StateDeps,
  { id, paymentId }: Pick<WaitingTransfer, 'id' | 'paymentId'>,
  { key, transaction }: Pick<OwnTransfer, 'key' | 'transaction'>,
): Promise<boolean> {
  return await changePayments(tx, deps, [paymentId], (changes) => {
    const refund = changes.refundsOf(paymentId).find((each) => each.id === id);
    if (refund?.status !== 'awaiting_transfer') return false;
    const answered: Refund = {
      ...{ ...refund, status: 'completed', transaction, answeredBy: key },
      completedAt: deps.now(),
    };
    changes.changeRefund(answered);
    raiseVersion(changes, paymentId);
    announceRefunded(changes, answered);
    return true;
  });
}
