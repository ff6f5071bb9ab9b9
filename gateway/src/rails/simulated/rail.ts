import { createHash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db/db.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import type { AssetCode } from '../../money/money.ts';
import type { RailHealth } from '../health.ts';
import type { Destination, Observation } from '../rail.ts';
import { confirmationsNeeded } from './scenarios.ts';

/** The rail's name in transfers and in the ledger's external account. */
export const simulatedRail = 'simulated';

/** What a script does to a payment besides sending money to it. */
export type Act = 'fail' | 'expire' | 'dispute';

/** One transfer of a script; all its steps name the same one. */
export type ScriptedTransfer = { transaction: string; asset: AssetCode; units: bigint };

/** A step of a script, `afterSeconds` from now: the chain shows something of a transfer, or an act happens. */
export type Step = { afterSeconds: number } & (
  | { act: Act }
  | { transfer: ScriptedTransfer; state: Observation['state']; confirmations: number }
);

/** A step that was played, and when it was due. */
export type Shown = { at: Date } & ({ observation: Observation } | { act: Act; paymentId: string });

/** A script, and the test payment that it is played to. */
export type Play = { integrationId: string; paymentId: string; steps: readonly Step[] };

/** A transfer to the simulated chain, with a name of its own: those of one moment are near each other in an index. */
export function newTransfer(asset: AssetCode, units: bigint): ScriptedTransfer {
  return { transaction: `test_${newId().replaceAll('-', '')}`, asset, units };
}

/** The steps of a script that are due at its beginning, in order; `keepSteps` keeps the others. */
export function shownAtOnce({ paymentId, steps }: Play, at: Date): Shown[] {
  return steps.filter((step) => !isLater(step)).map((step) => ({ ...shownOf(paymentId, step), at }));
}

export const isLater = ({ afterSeconds }: Step): boolean => afterSeconds > 0;

/** Keeps steps for `runDue` to show, also those that are due now. */
export async function keepSteps(tx: Tx, plays: readonly Play[], now: Date): Promise<void> {
  const kept = plays.flatMap(({ integrationId, paymentId, steps }) => {
    // Steps that are due at the same time are shown in the order of their ids.
    const ids = steps.map(() => newId(now)).sort();
    return steps.map((step, at) => ({
      ...{ id: ids[at], integrationId, paymentId, dueAt: after(now, step.afterSeconds) },
      ...('act' in step ? { act: step.act, step: null } : { act: null, step }),
    }));
  });
  if (kept.length === 0) return;
  await tx.query({
    name: 'keep-simulated-steps',
    text: `INSERT INTO simulated_steps
       (id, integration_id, payment_id, due_at, act, transaction, asset, units, state, confirmations)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
       $8::numeric[], $9::text[], $10::integer[])`,
    values: [
      kept.map(({ id }) => id),
      kept.map(({ integrationId }) => integrationId),
      kept.map(({ paymentId }) => paymentId),
      kept.map(({ dueAt }) => dueAt),
      kept.map(({ act }) => act),
      kept.map(({ step }) => step?.transfer.transaction ?? null),
      kept.map(({ step }) => step?.transfer.asset ?? null),
      kept.map(({ step }) => step?.transfer.units ?? null),
      kept.map(({ step }) => step?.state ?? null),
      kept.map(({ step }) => step?.confirmations ?? null),
    ],
  });
}

type StepRow = { id: string; payment_id: string; due_at: Date } & (
  | { act: Act }
  | (ScriptedTransfer & { act: null; state: Observation['state']; confirmations: number })
);

/**
 * Takes the steps that are due, in order, in the transaction that ends them, so that nothing is reported twice.
 */
export type Report = (tx: Tx, shown: readonly Shown[]) => Promise<void>;

const paymentsAtOnce = 100;

/** All steps, or only those of one integration or payment. */
export type StepScope = { integrationId?: string; paymentId?: string };

/**
 * Shows every step that is due, those of a payment in their order. Returns how many. Any number of processes may call it
 * at once. With a scope it also waits for steps that another process is showing just now.
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
async function showSome(tx: Tx, report: Report, now: Date, scope: StepScope): Promise<number> {
  const isScoped = scope.integrationId !== undefined || scope.paymentId !== undefined;
  const { rows } = await tx.query<StepRow>(dueStepsSql(isScoped), [
    now,
    scope.integrationId ?? null,
    scope.paymentId ?? null,
    paymentsAtOnce,
  ]);
  if (rows.length === 0) return 0;
  // First: what is reported now is no longer to come.
  await tx.query('UPDATE simulated_steps SET done_at = $2 WHERE id = ANY($1)', [
    rows.map((row) => row.id),
    now,
  ]);
  await report(
    tx,
    rows.map((row) => ({ ...shownOf(row.payment_id, stepOf(row)), at: row.due_at })),
  );
  return rows.length;
}

/** The process that locks the first open step of a payment may show all of its due ones. */
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
SELECT id, payment_id, act, transaction, asset, units, state, confirmations, due_at
FROM simulated_steps JOIN first USING (payment_id)
WHERE done_at IS NULL AND due_at <= $1
ORDER BY due_at, id`;

function stepOf(row: StepRow): Step {
  if (row.act !== null) return { afterSeconds: 0, act: row.act };
  const { transaction, asset, units, state, confirmations } = row;
  return { afterSeconds: 0, transfer: { transaction, asset, units }, state, confirmations };
}

function shownOf(paymentId: string, step: Step) {
  if ('act' in step) return { act: step.act, paymentId };
  const { transaction, asset, units } = step.transfer;
  return {
    observation: {
      rail: simulatedRail,
      key: transaction,
      paymentId,
      transaction,
      asset,
      units,
      state: step.state,
      confirmations: step.confirmations,
      sender: `test_${digestOf(`sender of ${transaction}`).slice(0, 40)}`,
      needed: confirmationsNeeded,
    },
  };
}

/**
 * Moves the steps of an integration's payments closer, for the test clock. Returns the payments that had any.
 */
export async function shiftSteps(tx: Tx, integrationId: string, seconds: number): Promise<string[]> {
  const { rows } = await tx.query<{ payment_id: string }>(
    // Locked in the order in which they are shown, so that there is no deadlock with showing them.
    `WITH waiting AS (
       SELECT id FROM simulated_steps WHERE integration_id = $1 AND done_at IS NULL
       ORDER BY due_at, id FOR UPDATE
     )
     UPDATE simulated_steps SET due_at = due_at - $2 * interval '1 second'
     FROM waiting WHERE simulated_steps.id = waiting.id
     RETURNING payment_id`,
    [integrationId, seconds],
  );
  return [...new Set(rows.map((row) => row.payment_id))];
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

/** An address that looks like a real one and can receive nothing. `paymentOfAddress` reads its payment from it. */
export function simulatedDestination(paymentId: string, asset: AssetCode, network: string): Destination {
  const memo = asset === 'pi' ? `T${digestOf(`${paymentId} ${asset}`).slice(0, 11).toUpperCase()}` : null;
  const address = `test_${paymentId.replaceAll('-', '')}${digestOf(asset).slice(0, 8)}`;
  return { rail: simulatedRail, asset, network, address, memo };
}

const addressPattern = /^test_(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})\w{8}$/;

/** The payment of a simulated address; null for another text. */
export function paymentOfAddress(address: string): string | null {
  const parts = addressPattern.exec(address.toLowerCase())?.slice(1);
  const id = parts?.join('-') ?? '';
  return isUuid(id) ? id : null;
}
