import type { Database, Tx } from '../../src/kit/db/db.ts';
import type { Payment, PaymentStatus } from '../../src/payments/payment/payment.ts';
import type { Observation } from '../../src/rails/rail.ts';
import {
  type Model,
  modelCancel,
  modelChoice,
  modelReport,
  modelReturn,
  modelTime,
  modelWait,
  newModel,
} from './payment-model.ts';

// All that happened to the payments of a schedule, as it was committed: a process that was killed may have
// reported more than it knew of.

export type Entry = { at: Date } & (
  | {
      what: 'transfer';
      seen: Pick<Observation, 'key' | 'asset' | 'state'>;
      micros: number;
      pays: boolean;
      /** When its chain took it; absent: when it was told. */
      takenAt?: Date;
    }
  | { what: 'moved'; to: PaymentStatus; reason: string | null }
  /** Since when it is due and waits for its rails, in milliseconds; null: it waits no longer. */
  | { what: 'waits'; since: string | null }
  | { what: 'expire' | 'choice' | 'return' }
  | { what: 'cancel'; by: 'customer' | 'merchant' }
);

export const journalTableSql = `
CREATE TABLE schedule_journal (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  payment_id uuid,
  entry text NOT NULL
)`;

/** Notes when a payment begins to wait until its rails have read past the moment that is due, and when that ends. */
export const journalWaitsSql = `
CREATE FUNCTION note_wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO schedule_journal (payment_id, entry) VALUES (NEW.id, jsonb_build_object(
    'what', 'waits', 'since', NEW.unread_since, 'at', NEW.updated_at));
  RETURN NULL;
END $$;
CREATE TRIGGER note_wait AFTER UPDATE OF unread_since ON payments
FOR EACH ROW WHEN (OLD.unread_since IS DISTINCT FROM NEW.unread_since) EXECUTE FUNCTION note_wait()`;

/** Notes each move of a payment's status; one write may make several. */
export const journalMovesSql = `
CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO schedule_journal (payment_id, entry) VALUES (NEW.payment_id, jsonb_build_object(
    'what', 'moved', 'to', NEW.to_status, 'reason', NEW.reason, 'at', NEW.at));
  RETURN NULL;
END $$;
CREATE TRIGGER note_move AFTER INSERT ON payment_moves
FOR EACH ROW WHEN (NEW.from_status <> NEW.to_status) EXECUTE FUNCTION note_move()`;

/** How long a customer has, where schedules have it noted by the database itself. */
export const liveDeadlineSeconds = 600;

/**
 * Notes each change of a transfer, and each choice of how to pay, whoever brings it about; for rails whose assets have
 * the scale of their currency.
 */
export const journalTriggersSql = `
CREATE FUNCTION note_transfer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO schedule_journal (payment_id, entry) VALUES (NEW.payment_id, jsonb_build_object(
    'what', 'transfer', 'pays', true, 'micros', NEW.units,
    'seen', jsonb_build_object('key', NEW.key, 'asset', NEW.asset, 'state', NEW.state),
    'at', CASE NEW.state WHEN 'seen' THEN NEW.seen_at WHEN 'final' THEN NEW.final_at ELSE NEW.gone_at END));
  RETURN NULL;
END $$;
CREATE FUNCTION note_choice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO schedule_journal (payment_id, entry) VALUES (NEW.id, jsonb_build_object(
    'what', 'choice', 'at', NEW.deadline - interval '${liveDeadlineSeconds} seconds'));
  RETURN NULL;
END $$;
CREATE TRIGGER note_transfer AFTER INSERT OR UPDATE OF state ON payment_transfers
FOR EACH ROW EXECUTE FUNCTION note_transfer();
CREATE TRIGGER note_choice AFTER UPDATE OF status ON payments
FOR EACH ROW WHEN (OLD.status = 'unlinked' AND NEW.status = 'linked') EXECUTE FUNCTION note_choice()`;

/** Notes what happens to a payment, or to all of them, in the transaction in which it happens. */
export async function noteEntry(
  tx: Pick<Tx, 'query'>,
  paymentId: string | null,
  entry: Entry,
): Promise<void> {
  await tx.query('INSERT INTO schedule_journal (payment_id, entry) VALUES ($1, $2)', [
    paymentId,
    JSON.stringify(entry),
  ]);
}

/** An entry, and how far the rails had been read while it was reported: not yet past the oldest that came with it. */
type Read = Entry & { reach: Date };

/** What happened to a payment, in its order. A wait begins before all else that its transaction did, and ends after it. */
export async function entriesOf(db: Database, paymentId: string): Promise<Read[]> {
  const { rows } = await db.query<{ entry: string; reach: Date }>(
    `SELECT entry, min((entry::jsonb ->> 'at')::timestamptz) OVER (PARTITION BY tx) AS reach
     FROM schedule_journal WHERE payment_id = $1 OR payment_id IS NULL
     ORDER BY min(seq) OVER (PARTITION BY tx), CASE WHEN entry::jsonb ->> 'what' <> 'waits' THEN 1
       WHEN entry::jsonb ->> 'since' IS NULL THEN 2 ELSE 0 END, seq`,
    [paymentId],
  );
  return rows.map(({ entry, reach }) => {
    const parsed = { ...(JSON.parse(entry) as Entry), reach };
    const at = new Date(parsed.at);
    if (parsed.what !== 'transfer' || !parsed.takenAt) return { ...parsed, at };
    return { ...parsed, at, takenAt: new Date(parsed.takenAt) };
  });
}

/** How the payment must stand after all that happened to it, by the model of the contract. */
export function modelOf({ amountDue, fee, deadline, createdAt }: Payment, entries: readonly Read[]): Model {
  const model = newModel(Number(amountDue), Number(fee), createdAt.getTime());
  model.deadline = deadline.getTime();
  for (const entry of entries) {
    const at = entry.at.getTime();
    if (entry.what === 'moved') continue;
    if (entry.what === 'waits') {
      modelWait(model, entry.since === null ? null : Date.parse(entry.since));
      // The end of the wait judges the payment: what is read later comes too late, whenever its chain took it.
      if (entry.since === null) modelTime(model, at);
    } else if (entry.what === 'cancel') modelCancel(model, entry.by);
    else if (entry.what === 'choice') modelChoice(model, at);
    else if (entry.what === 'return') modelReturn(model, false);
    else if (entry.what === 'transfer' && entry.pays) {
      const { seen, micros: units } = entry;
      const reach = entry.reach.getTime();
      modelTime(model, reach);
      modelReport(model, { key: seen.key, units, state: seen.state, takenAt: at }, at);
      modelTime(model, reach);
    } else modelTime(model, at);
  }
  return model;
}
