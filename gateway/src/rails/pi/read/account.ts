import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import { type Lease, LeaseLost, leaveLease, takeLease } from '../../../kit/db/lease.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import type { EndpointReport } from '../../health.ts';
import type { LedgerHead } from '../horizon/fields.ts';
import type { PiConfig } from '../horizon/network.ts';

/** The custody account, as this reader found it when it took the lease. */
export type Account = {
  passphrase: string;
  account: string;
  isTest: boolean;
  lease: Lease;
  cursor: bigint | null;
  isOpen: boolean;
};

type Named = Pick<PiConfig, 'passphrase' | 'account' | 'isTest'>;

/** Longer than any exchange with a Horizon takes. */
const leaseSeconds = 30;

const leaseName = ({ passphrase, account }: Named): string => `pi reader ${account} ${passphrase}`;

/** Takes or extends the lease of the account; null while another process reads. `reader`: a UUID. */
export async function takeAccount(db: Reader, named: Named, reader: string): Promise<Account | null> {
  const { passphrase, account, isTest = false } = named;
  const lease = await takeLease(db, { name: leaseName(named), holder: reader, seconds: leaseSeconds });
  if (!lease) return null;
  const found = await db.query<{ cursor: bigint | null; is_open: boolean }>(
    `INSERT INTO pi_accounts (passphrase, account, is_test) VALUES ($1, $2, $3)
     ON CONFLICT (passphrase, account) DO UPDATE SET is_test = excluded.is_test
     RETURNING cursor, is_open`,
    [passphrase, account, isTest],
  );
  const { cursor, is_open: isOpen } = oneRow(found, 'read Pi account');
  return { passphrase, account, isTest, lease, cursor, isOpen };
}

/** Ends the lease, so that another process need not wait until it runs out. */
export async function leaveAccount(db: Reader, named: Named, reader: string): Promise<void> {
  await leaveLease(db, { name: leaseName(named), holder: reader });
}

/** Throws LeaseLost where a write did not find the cursor where this reader had left it: another reader has moved it. */
export function requireMoved(rowCount: number | null, named: Named): void {
  if (rowCount !== 1) throw new LeaseLost(leaseName(named));
}

/** `closedAt`: when the ledger of `to` closed; null where that is not known. */
export type CursorMove = { from: bigint | null; to: bigint; closedAt: Date | null };

/**
 * Moves the cursor. The row stays locked until the transaction ends, so that a second writer finds the cursor moved.
 * Throws LeaseLost.
 */
export async function moveCursor(
  tx: Tx,
  { passphrase, account }: Named,
  { from, to, closedAt }: CursorMove,
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'move-pi-cursor',
    text: `UPDATE pi_accounts SET cursor = $4, ledger = greatest(ledger, div($4::numeric, 4294967296)::bigint),
             head = CASE WHEN $5::timestamptz IS NULL THEN head
                         ELSE greatest(head, div($4::numeric, 4294967296)::bigint) END,
             head_closed_at = greatest(head_closed_at, $5::timestamptz)
           WHERE passphrase = $1 AND account = $2 AND cursor IS NOT DISTINCT FROM $3`,
    values: [passphrase, account, from, to, closedAt],
  });
  requireMoved(rowCount, { passphrase, account });
}

/** The cursor of the second reading, and how many such readings found nothing; null: there is none now. */
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

/** Moves the cursor of the second reading. Throws LeaseLost. */
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
  requireMoved(rowCount, { passphrase, account });
}

/**
 * Ends the second reading. Where the balance still differs by the same, the next one begins after `nextAt`; null: at
 * once. Throws LeaseLost.
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
  requireMoved(rowCount, { passphrase, account });
}

/** The outcome of a round. */
export type RoundOutcome = {
  /** The newest ledger that a Horizon reported; null: none answered. */
  head: LedgerHead | null;
  /** Whether the account was read to that ledger. */
  isThrough: boolean;
  isOpen: boolean;
  endpoint: string | null;
  endpoints: EndpointReport[];
  fault: { code: 'no_endpoint' | 'no_account' | 'stalled'; message: string } | null;
};

/** Keeps the outcome of a round, for health. */
export async function noteRound(db: Database, named: Named, outcome: RoundOutcome, now: Date): Promise<void> {
  const { head, isThrough, isOpen, endpoint, endpoints, fault } = outcome;
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
      head?.ledger ?? null,
      head?.closedAt ?? null,
      isOpen,
      endpoint,
      JSON.stringify(endpoints),
      fault?.code ?? null,
      fault?.message ?? null,
    ],
  );
}
