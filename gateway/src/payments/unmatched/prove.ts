import { gatewayActor, recordChange } from '../../identity/audit/audit-log.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { AccountRef } from '../../ledger/ledger.ts';
import { decimalOf } from '../../money/money.ts';
import type { Observation } from '../../rails/rail.ts';
import { lockMoney, lockPayment, lockPayments } from '../locks.ts';
import { recordTransfer } from '../observe.ts';
import type { Payment } from '../payment.ts';
import { dueUnits, fineUnits, isOfCurrency, missingUnits, transfersOf } from '../received.ts';
import type { StateDeps } from '../state.ts';
import { assignStray, type StrayRow, strayAccount } from './assign.ts';

// A customer who forgot the memo names the transaction on the page, and then sends any further amount from the same
// account with the memo. That proves who owns the account, and so whose the stray is, unless the account is one that
// many people send from, as an exchange's is: everybody there can send from it. So a stray is given to a payment
// without asking anybody only where nothing at all speaks for another owner:
// - the payment is live, of this currency, not completed, and lacks money; the stray is what it asked for, or up to 2 %
//   less: a payment that was open for something else, and then claims what it sees, gets nothing
// - it was there when the stray arrived, by the whole seconds of ledgers, and that was before it was too late
// - a final transfer that named the payment came from the very account (or the same part of it) that the stray did
// - no other live payment claims the stray
// - nothing else from that account came for another customer's payment, or stands as a stray without this claim
// Anything else operators decide.

const claimedSql = `
SELECT s.* FROM payment_claims c JOIN stray_transfers s ON s.transaction = c.content
WHERE c.payment_id = ANY ($1) AND c.kind = 'paid' AND s.state = 'open' AND s.sender IS NOT NULL
ORDER BY s.at, s.key`;

// After the payment its stray is locked; one that somebody has decided about meanwhile gives no row.
const isProvedSql = `
SELECT
  s.at >= date_trunc('second', p.created_at) AND s.at <= greatest(p.deadline, p.late_until)
  AND EXISTS (
    SELECT FROM payment_transfers t
    WHERE t.sender = s.sender AND t.rail = s.rail AND t.payment_id = p.id AND t.state = 'final'
      AND NOT EXISTS (SELECT FROM stray_transfers o WHERE o.rail = t.rail AND o.key = t.key)
  )
  AND NOT EXISTS (
    SELECT FROM payment_claims c JOIN payments q ON q.id = c.payment_id
    WHERE c.kind = 'paid' AND c.content = s.transaction AND q.id <> p.id AND q.mode = 'live'
  )
  AND NOT EXISTS (
    SELECT FROM payment_transfers t JOIN payments q ON q.id = t.payment_id
    WHERE t.sender = s.sender AND t.rail = s.rail AND t.state <> 'gone' AND q.id <> p.id
      AND (q.integration_id = p.integration_id AND (q.customer_reference = p.customer_reference
        OR lower(q.customer_email) = lower(p.customer_email))) IS NOT TRUE
  )
  AND NOT EXISTS (
    SELECT FROM stray_transfers o
    WHERE o.sender = s.sender AND o.rail = s.rail AND o.state <> 'assigned'
      AND NOT EXISTS (SELECT FROM payment_claims c
        WHERE c.payment_id = p.id AND c.kind = 'paid' AND c.content = o.transaction)
  ) AS is_proved
FROM stray_transfers s, payments p
WHERE s.ledger_id = $1 AND p.id = $2 AND s.state = 'open'
FOR UPDATE OF s`;

/**
 * Locks what telling of this transaction may touch, before anything is booked: the payment that it names, those whose
 * customers claim it, the strays that these claim, and all accounts between which that may be booked. Answers whose
 * customers claim it.
 */
export async function lockForProof(
  tx: Tx,
  transaction: string,
  named: { paymentId: string; booked: readonly AccountRef[] } | null,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT payment_id AS id FROM payment_claims WHERE kind = 'paid' AND content = $1 ORDER BY payment_id`,
    [transaction],
  );
  const claimants = rows.map(({ id }) => id);
  await lockClaimed(tx, [...new Set([...claimants, ...(named ? [named.paymentId] : [])])], named?.booked);
  return claimants;
}

/** Locks payments, the strays that their customers claim, and their accounts. Answers these strays. */
async function lockClaimed(
  tx: Tx,
  paymentIds: readonly string[],
  booked: readonly AccountRef[] = [],
): Promise<StrayRow[]> {
  const read = () => tx.query<StrayRow>(claimedSql, [paymentIds]);
  if (booked.length === 0 && (await read()).rowCount === 0) return [];
  // Two that each see half of a proof wait for each other here; the second one sees both.
  const payments = await lockPayments(tx, paymentIds);
  const { rows: claimed } = await read();
  await tx.query('SELECT FROM stray_transfers WHERE ledger_id = ANY ($1) ORDER BY ledger_id FOR UPDATE', [
    claimed.map(({ ledger_id }) => ledger_id),
  ]);
  const strays = [...booked, ...claimed.map(({ rail, asset }) => strayRef(rail, asset))];
  const assets = strays.map(({ asset }) => asset);
  await lockMoney(
    tx,
    payments.map((payment) => ({ payment, assets })),
    strays,
  );
  return claimed;
}

const strayRef = (rail: string, asset: string): AccountRef => ({
  ...strayAccount(rail),
  mode: 'live',
  asset,
});

/** Takes what a rail that knows senders saw for a payment, and what that proves. */
export async function recordAndProve(tx: Tx, deps: StateDeps, seen: Observation, at?: Date): Promise<void> {
  const { rail, paymentId, asset, transaction, state } = seen;
  await lockForProof(tx, transaction, {
    paymentId,
    booked: state === 'final' ? [strayRef(rail, asset)] : [],
  });
  await recordTransfer(tx, deps, seen, at);
  if (state === 'final') await proveStrays(tx, deps, paymentId);
}

/**
 * Gives the payment what its customer claims and has proved to have sent. To be called after anything that may
 * complete a proof: the transfer, the claim, or the stray itself.
 */
export async function proveStrays(tx: Tx, deps: StateDeps, paymentId: string): Promise<void> {
  const claimed = await lockClaimed(tx, [paymentId]);
  if (claimed.length === 0) return;
  let payment = await lockPayment(tx, paymentId);
  for (const stray of claimed) {
    if (!(await isPossible(tx, deps, payment, stray)) || !(await isProved(tx, payment, stray))) continue;
    payment = await assignStray(tx, deps, stray.ledger_id, payment.id, { accountId: null, reason: null });
    const { transaction, asset } = stray;
    const change = {
      action: 'assigned money whose sender was proved',
      subject: { kind: 'payment', id: payment.id },
      after: { transaction, amount: decimalOf(stray.units, deps.assets.get(asset).scale), asset },
      integrationId: payment.integrationId,
    };
    await recordChange(tx, gatewayActor, change, deps.now());
  }
}

/**
 * What a claim on a stray comes to at once: `found` where the proof was there already, `elsewhere` where it is
 * another's or of another currency, else it waits for a proof. The claim itself was noted before.
 */
export async function claimStray(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  transaction: string,
): Promise<'found' | 'stray' | 'elsewhere'> {
  await proveStrays(tx, deps, paymentId);
  const payment = await lockPayment(tx, paymentId);
  const { rows } = await tx.query<StrayRow>('SELECT * FROM stray_transfers WHERE transaction = $1', [
    transaction,
  ]);
  if (rows.some(({ payment_id }) => payment_id === payment.id)) return 'found';
  const isOpen = rows.some((each) => each.state === 'open' && isOfCurrency(deps.assets, payment, each));
  // The rail has it, and payments were not told of it yet.
  return isOpen || rows.length === 0 ? 'stray' : 'elsewhere';
}

async function isPossible(
  tx: Tx,
  { assets }: StateDeps,
  payment: Payment,
  stray: StrayRow,
): Promise<boolean> {
  if (payment.mode !== 'live' || payment.status === 'completed') return false;
  if (!isOfCurrency(assets, payment, stray)) return false;
  const [came, due] = [fineUnits(assets, stray), dueUnits(payment)];
  if (came > due || came * 50n < due * 49n) return false;
  return missingUnits(assets, payment, await transfersOf(tx, payment.id)) > 0n;
}

async function isProved(tx: Tx, payment: Payment, stray: StrayRow): Promise<boolean> {
  const { rows } = await tx.query<{ is_proved: boolean }>(isProvedSql, [stray.ledger_id, payment.id]);
  return rows[0]?.is_proved ?? false;
}
