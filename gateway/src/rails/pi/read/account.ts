import type { Database, Reader } from '../../../kit/db/db.ts';
import type { EndpointReport } from '../../rail.ts';
import type { Standing } from '../horizon/answers.ts';
import type { PiConfig } from '../horizon/network.ts';

/** The custody account as this reader found it when it took the lease. */
export type Account = { passphrase: string; account: string; cursor: bigint | null; isOpen: boolean };

type Named = Pick<PiConfig, 'passphrase' | 'account'>;

/** Longer than any exchange with a Horizon takes. */
const leaseSeconds = 30;

/** Takes or renews the lease, by the database's time; null while another process reads. */
export async function takeLease(reader: Reader, pi: Named, id: string): Promise<Account | null> {
  const { passphrase, account } = pi;
  const { rows } = await reader.query<{ cursor: bigint | null; is_open: boolean }>(
    `INSERT INTO pi_accounts AS a (passphrase, account, reader, lease_until)
     VALUES ($1, $2, $3, now() + $4 * interval '1 second')
     ON CONFLICT (passphrase, account) DO UPDATE SET reader = excluded.reader, lease_until = excluded.lease_until
     WHERE a.reader = excluded.reader OR a.lease_until IS NULL OR a.lease_until < now()
     RETURNING cursor, is_open`,
    [passphrase, account, id, leaseSeconds],
  );
  const row = rows[0];
  return row ? { passphrase, account, cursor: row.cursor, isOpen: row.is_open } : null;
}

/** Gives the lease back, so that another process need not wait for its end. */
export async function releaseLease(
  reader: Reader,
  { passphrase, account }: Named,
  id: string,
): Promise<void> {
  await reader.query(
    'UPDATE pi_accounts SET lease_until = NULL WHERE passphrase = $1 AND account = $2 AND reader = $3',
    [passphrase, account, id],
  );
}

/** Another reader has moved the cursor. What this one was about to write, it must not. */
export class CursorMoved extends Error {}

/**
 * Moves the cursor, to a movement whose ledger closed then or to something else (null), and renews the lease. The row
 * stays locked until the end, so that whoever comes second finds it
 * moved. Throws CursorMoved.
 */
export async function moveCursor(
  reader: Reader,
  { passphrase, account }: Named,
  from: bigint | null,
  to: bigint,
  closedAt: Date | null,
): Promise<void> {
  const { rowCount } = await reader.query({
    name: 'move-pi-cursor',
    text: `UPDATE pi_accounts SET cursor = $4, ledger = greatest(ledger, div($4::numeric, 4294967296)::bigint),
             head = CASE WHEN $6::timestamptz IS NULL THEN head
                         ELSE greatest(head, div($4::numeric, 4294967296)::bigint) END,
             head_closed_at = greatest(head_closed_at, $6::timestamptz),
             lease_until = now() + $5 * interval '1 second'
           WHERE passphrase = $1 AND account = $2 AND cursor IS NOT DISTINCT FROM $3`,
    values: [passphrase, account, from, to, leaseSeconds, closedAt],
  });
  if (rowCount !== 1) throw new CursorMoved('Another process reads the account');
}

/** Where ledgers are read a second time, and how often that was done in vain; null: they are not. */
export async function findBack(
  reader: Reader,
  { passphrase, account }: Named,
): Promise<{ cursor: bigint; tries: number } | null> {
  const { rows } = await reader.query<{ cursor: bigint; tries: number }>(
    `SELECT back_cursor AS cursor, back_tries AS tries FROM pi_accounts
     WHERE passphrase = $1 AND account = $2 AND back_cursor IS NOT NULL`,
    [passphrase, account],
  );
  return rows[0] ?? null;
}

/** As moveCursor, where ledgers are read a second time. Throws CursorMoved. */
export async function moveBack(
  reader: Reader,
  { passphrase, account }: Named,
  from: bigint,
  to: bigint,
): Promise<void> {
  const { rowCount } = await reader.query(
    'UPDATE pi_accounts SET back_cursor = $4 WHERE passphrase = $1 AND account = $2 AND back_cursor = $3',
    [passphrase, account, from, to],
  );
  if (rowCount !== 1) throw new CursorMoved('Another process reads the ledgers again');
}

/**
 * They are all read; where the balance differs as before, they are again after `nextAt`, or at once. Throws CursorMoved.
 */
export async function endBack(
  reader: Reader,
  { passphrase, account }: Named,
  from: bigint,
  nextAt: Date | null,
): Promise<void> {
  const { rowCount } = await reader.query(
    `UPDATE pi_accounts SET back_cursor = NULL, back_tries = least(back_tries, 1000) + 1, back_after = $4
     WHERE passphrase = $1 AND account = $2 AND back_cursor = $3`,
    [passphrase, account, from, nextAt],
  );
  if (rowCount !== 1) throw new CursorMoved('Another process reads the ledgers again');
}

/** What a round came to. */
export type RoundOutcome = {
  /** What a Horizon told of its newest ledger; null: none answered. */
  standing: Standing | null;
  /** Whether the account was read to that ledger. */
  isThrough: boolean;
  isOpen: boolean;
  endpoint: string | null;
  endpoints: EndpointReport[];
  fault: { code: 'no_endpoint' | 'no_account' | 'stalled'; message: string } | null;
};

/** Keeps what a round came to, for health. */
export async function noteRound(db: Database, named: Named, outcome: RoundOutcome, now: Date): Promise<void> {
  const { standing, isThrough, isOpen, endpoint, endpoints, fault } = outcome;
  await db.query(
    `UPDATE pi_accounts SET read_at = CASE WHEN $5::bigint IS NULL OR $11::text IS NOT NULL THEN read_at ELSE $4 END,
       ledger = CASE WHEN $3 THEN greatest(ledger, $5::bigint) ELSE ledger END,
       head = greatest(head, $5::bigint), head_closed_at = greatest(head_closed_at, $6::timestamptz),
       is_open = $7, endpoint = coalesce($8, endpoint), endpoints = $9, fault_code = $10, fault = $11
     WHERE passphrase = $1 AND account = $2`,
    [
      named.passphrase,
      named.account,
      isThrough,
      now,
      standing?.ledger ?? null,
      standing?.closedAt ?? null,
      isOpen,
      endpoint,
      JSON.stringify(endpoints),
      fault?.code ?? null,
      fault?.message ?? null,
    ],
  );
}
