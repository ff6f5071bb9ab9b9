import type { Reader, Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import type { Place } from './order.ts';

/** A signed transaction whose fate is not known yet. */
export type Envelope = {
  hash: string;
  sendId: string;
  envelope: string;
  sequence: bigint;
  maxFee: bigint;
  maxTime: Date;
  /** The codes of Horizon's last refusal. */
  refusal: string | null;
  createdAt: Date;
};

export type Send = {
  id: string;
  units: bigint;
  destination: string | null;
  memo: string | null;
  uid: string | null;
  identifier: string | null;
  tries: number;
  /** Up to then no transaction of the account had carried it out. */
  lookedAt: Date;
  /** A transaction of it was signed before. */
  wasSigned: boolean;
};

/** An order whose destination is known. */
export type Ready = Send & { destination: string };

/** The one transaction that is under way, if there is one. */
export async function openEnvelope(reader: Reader, { passphrase, account }: Place): Promise<Envelope | null> {
  const { rows } = await reader.query<Envelope>(
    `SELECT hash, send_id AS "sendId", envelope, sequence, max_fee AS "maxFee", max_time AS "maxTime", said AS refusal,
       created_at AS "createdAt"
     FROM pi_envelopes WHERE passphrase = $1 AND account = $2 AND state = 'open'`,
    [passphrase, account],
  );
  return rows[0] ?? null;
}

const sendColumns = `id, units, destination, memo, user_uid AS uid, identifier, tries, looked_at AS "lookedAt",
  EXISTS (SELECT FROM pi_envelopes e WHERE e.send_id = pi_sends.id) AS "wasSigned"`;

/** The oldest queued order that is due. */
export async function nextSend(
  reader: Reader,
  { passphrase, account }: Place,
  now: Date,
): Promise<Send | null> {
  const { rows } = await reader.query<Send>(
    `SELECT ${sendColumns} FROM pi_sends
     WHERE passphrase = $1 AND account = $2 AND state = 'queued' AND retry_at <= $3
     ORDER BY created_at, id LIMIT 1`,
    [passphrase, account, now],
  );
  return rows[0] ?? null;
}

export async function findSend(reader: Reader, id: string): Promise<Send> {
  const found = await reader.query<Send>(`SELECT ${sendColumns} FROM pi_sends WHERE id = $1`, [id]);
  return oneRow(found, 'send');
}

/** The highest sequence number that a transaction of ours is known to have used. */
export async function lastSequence(reader: Reader, { passphrase, account }: Place): Promise<bigint> {
  const { rows } = await reader.query<{ sequence: bigint | null }>(
    `SELECT max(sequence) AS sequence FROM pi_envelopes
     WHERE passphrase = $1 AND account = $2 AND state IN ('applied', 'failed')`,
    [passphrase, account],
  );
  return rows[0]?.sequence ?? 0n;
}

/** Whether the reader has begun to read the account. */
export async function isRead(reader: Reader, { passphrase, account }: Place): Promise<boolean> {
  const { rowCount } = await reader.query(
    'SELECT 1 FROM pi_accounts WHERE passphrase = $1 AND account = $2 AND cursor IS NOT NULL',
    [passphrase, account],
  );
  return rowCount === 1;
}

/** The orders of those transactions that were signed here, by hash. */
export async function knownHashes(reader: Reader, hashes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await reader.query<{ hash: string; send_id: string }>(
    'SELECT hash, send_id FROM pi_envelopes WHERE hash = ANY ($1)',
    [hashes],
  );
  return new Map(rows.map(({ hash, send_id }) => [hash, send_id]));
}

/** Writes a signed transaction: it may be submitted only after this. */
export async function insertEnvelope(tx: Tx, place: Place, made: Omit<Envelope, 'refusal'>): Promise<void> {
  await tx.query(
    `INSERT INTO pi_envelopes (hash, send_id, passphrase, account, envelope, sequence, max_fee, max_time,
       state, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9)`,
    [
      made.hash,
      made.sendId,
      place.passphrase,
      place.account,
      made.envelope,
      made.sequence,
      made.maxFee,
      made.maxTime,
      made.createdAt,
    ],
  );
  const { rowCount } = await tx.query(
    `UPDATE pi_sends SET state = 'signed', fault = NULL WHERE id = $1 AND state = 'queued'`,
    [made.sendId],
  );
  if (rowCount !== 1) throw new Error(`Send ${made.sendId} is no longer to be sent`);
}

/** Notes the codes of Horizon's last refusal of a transaction under way. */
export async function noteRefusal(reader: Reader, hash: string, codes: string): Promise<void> {
  await reader.query(`UPDATE pi_envelopes SET said = $2 WHERE hash = $1 AND state = 'open'`, [hash, codes]);
}

/** Ends a transaction that was under way; false when that was done before. */
export async function endEnvelope(
  tx: Tx,
  hash: string,
  end: { state: 'applied' | 'failed' | 'void'; fee: bigint | null; at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_envelopes SET state = $2, fee = $3, ended_at = $4 WHERE hash = $1 AND state = 'open'`,
    [hash, end.state, end.fee, end.at],
  );
  return rowCount === 1;
}

/** Notes that no transaction up to a ledger's close carried an order out. */
export async function noteLooked(reader: Reader, id: string, closedAt: Date): Promise<void> {
  await reader.query('UPDATE pi_sends SET looked_at = greatest(looked_at, $2) WHERE id = $1', [id, closedAt]);
}

/** Puts an order back into the queue. */
export async function requeue(
  reader: Reader,
  id: string,
  { fault, retryAt }: { fault: string; retryAt: Date },
): Promise<void> {
  await reader.query(
    `UPDATE pi_sends SET state = 'queued', fault = $2, retry_at = $3, tries = tries + 1
     WHERE id = $1 AND state IN ('queued', 'signed')`,
    [id, fault, retryAt],
  );
}

/** Ends an order that will never be carried out; false when it had ended before. */
export async function failSend(tx: Tx, id: string, fault: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_sends SET state = 'failed', fault = $2, ended_at = $3
     WHERE id = $1 AND state IN ('queued', 'signed')`,
    [id, fault, at],
  );
  return rowCount === 1;
}

/** Cancels a queued order; false where a signed transaction may carry it out, or where it has ended. */
export async function cancelSend(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_sends SET state = 'cancelled', fault = NULL, ended_at = $2 WHERE id = $1 AND state = 'queued'`,
    [id, at],
  );
  return rowCount === 1;
}

/** An app-to-user payment that has ended, and that is still to be reported to the platform. */
export type Unclosed = {
  id: string;
  identifier: string;
  /** The transaction that moved the money; null: nothing was moved. */
  hash: string | null;
  since: Date;
};

export async function unclosedSends(
  reader: Reader,
  { passphrase, account }: Place,
  now: Date,
): Promise<Unclosed[]> {
  const { rows } = await reader.query<Unclosed>(
    `SELECT s.id, s.identifier, e.hash, coalesce(e.ended_at, s.ended_at) AS since
     FROM pi_sends s LEFT JOIN pi_envelopes e ON e.send_id = s.id AND e.state = 'applied'
     WHERE s.passphrase = $1 AND s.account = $2 AND s.identifier IS NOT NULL AND s.closed_at IS NULL
       AND (e.hash IS NOT NULL OR s.state = 'failed') AND (s.close_after IS NULL OR s.close_after <= $3)
     ORDER BY s.created_at LIMIT 20`,
    [passphrase, account, now],
  );
  return rows;
}
