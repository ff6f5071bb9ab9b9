import { createHash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db.ts';
import { isUuid, newId, random } from '../../kit/ids.ts';
import type { AssetCode } from '../../kit/money.ts';
import type { Destination, Observation, RailHealth } from '../rail.ts';

/** The rail's name in transfers and in the ledger's external account. */
export const simulatedRail = 'simulated';

const confirmationsNeeded = 3;

/** One transfer of a script: what the chain shows of it, and how many seconds from now. */
export type ScriptedTransfer = {
  asset: AssetCode;
  units: bigint;
  steps: readonly { afterSeconds: number; state: Observation['state']; confirmations: number }[];
};

/** Final at once. */
export const atOnce: ScriptedTransfer['steps'] = [
  { afterSeconds: 0, state: 'final', confirmations: confirmationsNeeded },
];

/** The same after a while. */
export const laterOn: ScriptedTransfer['steps'] = [
  { afterSeconds: 30, state: 'final', confirmations: confirmationsNeeded },
];

/** A confirmation every 20 seconds. */
export const slowly: ScriptedTransfer['steps'] = [0, 1, 2, 3].map((confirmations) => ({
  afterSeconds: confirmations * 20,
  state: confirmations < confirmationsNeeded ? 'seen' : 'final',
  confirmations,
}));

/** Seen, and lost again with its block. */
export const reorged: ScriptedTransfer['steps'] = [
  { afterSeconds: 0, state: 'seen', confirmations: 1 },
  { afterSeconds: 30, state: 'gone', confirmations: 0 },
];

/** Puts transfers to a test payment on the simulated chain; `runDue` shows them when their time has come. */
export async function scheduleTransfers(
  tx: Tx,
  target: { integrationId: string; paymentId: string },
  transfers: ScriptedTransfer[],
  now: Date,
): Promise<void> {
  for (const { asset, units, steps } of transfers) {
    const hash = `test_${random(16).toString('hex')}`;
    for (const { afterSeconds, state, confirmations } of steps) {
      await tx.query(
        `INSERT INTO simulated_steps
           (id, integration_id, payment_id, transaction, asset, units, state, confirmations, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          newId(now),
          target.integrationId,
          target.paymentId,
          hash,
          asset,
          units,
          state,
          confirmations,
          after(now, afterSeconds),
        ],
      );
    }
  }
}

type StepRow = {
  id: string;
  payment_id: string;
  transaction: string;
  asset: string;
  units: bigint;
  state: Observation['state'];
  confirmations: number;
  due_at: Date;
};

/** Takes what the chain shows, and when: in the transaction that ends the step, so that nothing is told twice. */
export type Report = (tx: Tx, observation: Observation, at: Date) => Promise<void>;

const paymentsAtOnce = 100;

/** Steps of everybody, or of one integration or payment alone. */
export type StepScope = { integrationId?: string; paymentId?: string };

/**
 * Shows every step that is due, each payment's in their order. Returns how many. Any number of processes may
 * run it at once; asked for one integration or payment it also waits for what another process is just
 * showing of it.
 */
export async function runDue(
  db: Database,
  report: Report,
  now: Date,
  scope: StepScope = {},
): Promise<number> {
  let shown = 0;
  for (;;) {
    const count = await transaction(db, (tx) => showSome(tx, report, now, scope));
    if (count === 0) return shown;
    shown += count;
  }
}

/** Shows the due steps of some payments in this transaction; 0 when nothing is due. */
export async function showSome(tx: Tx, report: Report, now: Date, scope: StepScope): Promise<number> {
  const isScoped = scope.integrationId !== undefined || scope.paymentId !== undefined;
  const { rows } = await tx.query<StepRow>(dueStepsSql(isScoped), [
    now,
    scope.integrationId ?? null,
    scope.paymentId ?? null,
    paymentsAtOnce,
  ]);
  for (const row of rows) await report(tx, observationOf(row), row.due_at);
  await tx.query('UPDATE simulated_steps SET done_at = $2 WHERE id = ANY($1)', [
    rows.map((row) => row.id),
    now,
  ]);
  return rows.length;
}

/** Whoever locks the first step that a payment still has to show may show all of its due ones. */
const dueStepsSql = (isScoped: boolean) => `
WITH first AS (
  SELECT payment_id FROM simulated_steps s
  WHERE done_at IS NULL AND due_at <= $1
    AND ($2::uuid IS NULL OR integration_id = $2) AND ($3::uuid IS NULL OR payment_id = $3)
    AND NOT EXISTS (
      SELECT FROM simulated_steps earlier WHERE earlier.payment_id = s.payment_id
        AND earlier.done_at IS NULL AND (earlier.due_at, earlier.id) < (s.due_at, s.id)
    )
  ORDER BY due_at, id LIMIT $4 FOR UPDATE ${isScoped ? '' : 'SKIP LOCKED'}
)
SELECT id, payment_id, transaction, asset, units, state, confirmations, due_at
FROM simulated_steps JOIN first USING (payment_id)
WHERE done_at IS NULL AND due_at <= $1
ORDER BY due_at, id`;

function observationOf(row: StepRow): Observation {
  return {
    rail: simulatedRail,
    key: row.transaction,
    paymentId: row.payment_id,
    transaction: row.transaction,
    asset: row.asset,
    units: row.units,
    state: row.state,
    confirmations: row.confirmations,
    sender: `test_${digestOf(`sender of ${row.transaction}`).slice(0, 40)}`,
    needed: confirmationsNeeded,
  };
}

/** The test clock: what the chain still has to show of the integration's payments comes closer. */
export async function shiftSteps(tx: Tx, integrationId: string, seconds: number): Promise<void> {
  await tx.query(
    // Locked in the order in which they are shown, so that neither waits for the other in a circle.
    `WITH waiting AS (
       SELECT id FROM simulated_steps WHERE integration_id = $1 AND done_at IS NULL
       ORDER BY due_at, id FOR UPDATE
     )
     UPDATE simulated_steps SET due_at = due_at - $2 * interval '1 second'
     FROM waiting WHERE simulated_steps.id = waiting.id`,
    [integrationId, seconds],
  );
}

const behindSeconds = 10;

/** How long the oldest step that is due has been waiting to be shown. */
export async function simulatedHealth(reader: Reader, now: Date): Promise<RailHealth> {
  const { rows } = await reader.query<{ due_at: Date }>(
    'SELECT due_at FROM simulated_steps WHERE done_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT 1',
    [now],
  );
  const oldest = rows[0]?.due_at;
  const lagSeconds = oldest ? Math.round((now.getTime() - oldest.getTime()) / 1000) : 0;
  return {
    rail: simulatedRail,
    chain: null,
    lastBlock: null,
    lagSeconds,
    endpoint: null,
    status: lagSeconds > behindSeconds ? 'behind' : 'up',
    faults: [],
    scan: null,
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An address that looks like one and can receive nothing. Who has it can tell its payment from it. */
export function simulatedDestination(paymentId: string, asset: AssetCode, network: string): Destination {
  const memo = asset === 'pi' ? `T${digestOf(`${paymentId} ${asset}`).slice(0, 11).toUpperCase()}` : null;
  const address = `test_${paymentId.replaceAll('-', '')}${digestOf(asset).slice(0, 8)}`;
  return { asset, network, address, memo };
}

const addressPattern = /^test_(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})\w{8}$/;

/** The payment whose address it is, or null for a text that is none. */
export function paymentOfAddress(address: string): string | null {
  const parts = addressPattern.exec(address.toLowerCase())?.slice(1);
  const id = parts?.join('-') ?? '';
  return isUuid(id) ? id : null;
}
