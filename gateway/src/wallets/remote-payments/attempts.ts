import { after } from '../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db/db.ts';

/**
 * `asked`: its request waits for the answer, or has died; `waiting`: the user has to approve it; `capturing` and `voiding`:
 * it was decided to capture or to release it; `lost`: it was to be captured and was not there any more.
 */
export type AttemptState =
  | 'asked'
  | 'waiting'
  | 'capturing'
  | 'voiding'
  | 'captured'
  | 'refused'
  | 'voided'
  | 'lost';

/** One try to pay out of a wallet in another system. */
export type Attempt = { id: string; paymentId: string };

export type DueAttempt = Attempt & { state: AttemptState; tries: number };

/** What the other system is asked for: units at the finest scale, in one of the assets. */
export type Asked = Attempt & { missing: bigint; assets: readonly string[] };

/** Longer than a call takes: until then its own request answers for an attempt. */
const callSeconds = 10;
const waitingPauseSeconds = 3;
const longestPauseSeconds = 300;
const attemptsAtOnce = 50;

/** Notes what is going to be asked; false where another wallet is being asked for the same payment. */
export async function beginAttempt(
  tx: Tx,
  { id, paymentId, missing, assets }: Asked,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO remote_payments (id, payment_id, missing, assets, state, next_try_at, created_at)
     VALUES ($1, $2, $3, $4, 'asked', $5, $6)
     ON CONFLICT (payment_id) WHERE state IN ('asked', 'waiting', 'capturing') DO NOTHING`,
    [id, paymentId, missing, assets, after(now, callSeconds), now],
  );
  return rowCount === 1;
}

/** Locks an attempt that is neither captured nor released yet, after its payment; null: it is no longer open. */
export async function lockOpenAttempt(tx: Tx, id: string): Promise<Pick<Asked, 'missing' | 'assets'> | null> {
  const { rows } = await tx.query<Pick<Asked, 'missing' | 'assets'>>(
    `SELECT missing, assets FROM remote_payments WHERE id = $1 AND state IN ('asked', 'waiting') FOR UPDATE`,
    [id],
  );
  return rows[0] ?? null;
}

/** The user, where that is certain, and what was set aside. */
type Known = { username?: string | null; asset?: string; units?: bigint };

/**
 * Moves an attempt on from one of these states; false where it has another one. `isCalled`: the caller asks the other
 * system next, and so the next try is later than that call; else it is at once.
 */
export async function moveAttempt(
  tx: Tx,
  id: string,
  { from, to, isCalled, ...known }: { from: AttemptState[]; to: AttemptState; isCalled?: boolean } & Known,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE remote_payments SET state = $3, waited = waited OR $3 = 'waiting', tries = 0, next_try_at = $4,
       ended_at = CASE WHEN $3 IN ('captured', 'refused', 'voided', 'lost') THEN $5::timestamptz END,
       username = coalesce($6, username), asset = coalesce($7, asset), units = coalesce($8, units)
     WHERE id = $1 AND state = ANY ($2)`,
    [
      id,
      from,
      to,
      isCalled ? after(now, callSeconds) : now,
      now,
      known.username ?? null,
      known.asset ?? null,
      known.units ?? null,
    ],
  );
  return rowCount === 1;
}

/** Ends an attempt that is being captured, after its payment was locked; null: it has ended already. */
export async function endCapture(
  tx: Tx,
  id: string,
  to: 'captured' | 'lost',
  now: Date,
): Promise<{ asset: string; units: bigint } | null> {
  const { rows } = await tx.query<{ asset: string; units: bigint }>(
    `UPDATE remote_payments SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'capturing'
     RETURNING asset, units`,
    [id, to, now],
  );
  return rows[0] ?? null;
}

/** Leases attempts that are due. The pause before each next try grows, except while a user has to approve. */
export async function leaseDue(db: Database, now: Date): Promise<DueAttempt[]> {
  return await transaction(db, async (tx) => {
    const { rows } = await tx.query<DueAttempt>(
      `UPDATE remote_payments SET tries = tries + 1, next_try_at = $1::timestamptz + interval '1 second' *
         CASE state WHEN 'waiting' THEN $2 ELSE least($3, 5 * 2 ^ least(tries, 10)) END
       WHERE id IN (
         SELECT id FROM remote_payments
         WHERE state IN ('asked', 'waiting', 'capturing', 'voiding') AND next_try_at <= $1
         ORDER BY next_try_at LIMIT $4 FOR UPDATE SKIP LOCKED)
       RETURNING id, payment_id AS "paymentId", state, tries`,
      [now, waitingPauseSeconds, longestPauseSeconds, attemptsAtOnce],
    );
    return rows;
  });
}

/** What a payment's page shows of its newest attempt. */
export type AttemptShown = 'waiting' | 'refused' | 'capturing' | 'lost';

/** What is shown of the newest attempt; null: nothing. A refusal is shown if the form was answered before it. */
export async function attemptShown(reader: Reader, paymentId: string): Promise<AttemptShown | null> {
  const { rows } = await reader.query<{ state: AttemptState; waited: boolean }>(
    'SELECT state, waited FROM remote_payments WHERE payment_id = $1 ORDER BY id DESC LIMIT 1',
    [paymentId],
  );
  const { state, waited = false } = rows[0] ?? {};
  if (state === 'refused') return waited ? state : null;
  return state === 'waiting' || state === 'capturing' || state === 'lost' ? state : null;
}
