import { after, type Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { isLine } from '../../kit/http/fields.ts';
import { newId, random } from '../../kit/ids.ts';
import type { AssetCode } from '../../money/money.ts';
import type { Sending, SendOrder, SendReport } from '../rail.ts';
import { simulatedRail } from './rail.ts';

/** How the simulated chain can carry out an order (contract.md#payouts). */
export const sendOutcomes = [
  'sent',
  'slow',
  'stuck',
  'refused_address',
  'no_gas',
  'signer_silent',
  'reorg',
] as const;
export type SendOutcome = (typeof sendOutcomes)[number];

/** A payout of test mode to this address waits until somebody approves it, whatever the settings say. */
export const approvedAddress = 'test_needs_approval';

type SendStep = { afterSeconds: number; state: SendReport['state']; why?: string };

/** What happens to an order to which no outcome is played. */
const usualSteps: readonly SendStep[] = [
  { afterSeconds: 2, state: 'sending' },
  { afterSeconds: 5, state: 'sent' },
];

const scripts: Readonly<Record<SendOutcome, readonly SendStep[]>> = {
  sent: [
    { afterSeconds: 0, state: 'sending' },
    { afterSeconds: 0, state: 'sent' },
  ],
  slow: [
    { afterSeconds: 0, state: 'sending' },
    { afterSeconds: 60, state: 'sent' },
  ],
  stuck: [
    { afterSeconds: 0, state: 'sending' },
    { afterSeconds: 300, state: 'sent' },
  ],
  refused_address: [
    { afterSeconds: 0, state: 'sending' },
    { afterSeconds: 0, state: 'failed', why: 'The token refuses this address' },
  ],
  no_gas: [{ afterSeconds: 0, state: 'waiting', why: 'The sender has no coins for the network fee' }],
  signer_silent: [{ afterSeconds: 0, state: 'waiting', why: 'The signer does not answer' }],
  reorg: [
    { afterSeconds: 0, state: 'sending' },
    { afterSeconds: 0, state: 'sent' },
    { afterSeconds: 5, state: 'undone' },
    { afterSeconds: 10, state: 'sent' },
  ],
};

type FaultOf = Sending['faultOf'];

/** The longest memo to an address of test mode, in characters. */
const maxMemo = 100;
const ownAddress = /^test_[0-9A-Za-z_-]{1,120}$/;

/** Sends test money. `faultOf` checks addresses as on the real network; addresses of test mode itself are good too. */
export function createSimulatedSending(assets: readonly AssetCode[], faultOf: FaultOf, now: Clock): Sending {
  return {
    rail: simulatedRail,
    mode: 'test',
    outside: { kind: 'external', owner: simulatedRail },
    assets,
    faultOf(order) {
      if (!ownAddress.test(order.to)) return faultOf(order);
      const { memo } = order;
      if (memo === null || (isLine(memo) && memo.length <= maxMemo)) return null;
      return { field: 'memo', why: `must be one line of at most ${maxMemo} characters` };
    },
    ownOf: async () => new Set(),
    unavailable: async () => null,
    order: (tx, order) => orderSend(tx, order, now()),
    cancel: cancelSend,
  };
}

async function orderSend(tx: Tx, { id }: SendOrder, now: Date): Promise<void> {
  await keepSteps(tx, { id, steps: usualSteps, transaction: newTransaction() }, now);
}

const newTransaction = (): string => `test_${random(16).toString('hex')}`;

async function cancelSend(tx: Tx, id: string): Promise<boolean> {
  await tx.query('DELETE FROM simulated_send_steps WHERE send_id = $1 AND done_at IS NULL', [id]);
  return true;
}

async function keepSteps(
  tx: Tx,
  { id, steps, transaction }: { id: string; steps: readonly SendStep[]; transaction: string },
  now: Date,
): Promise<void> {
  // Steps that are due at the same time happen in the order of their ids.
  const ids = steps.map(() => newId(now)).sort();
  await tx.query(
    `INSERT INTO simulated_send_steps (id, send_id, due_at, state, transaction, why)
     SELECT id, $1, due_at, state, $2, why
     FROM unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::text[]) AS t (id, due_at, state, why)`,
    [
      id,
      transaction,
      ids,
      steps.map(({ afterSeconds }) => after(now, afterSeconds)),
      steps.map(({ state }) => state),
      steps.map(({ why }) => why ?? null),
    ],
  );
}

/**
 * Plays an outcome to an order, in place of the steps that it has: returns the reports that are due at once, and keeps
 * the other steps for `dueSends`. The caller has locked the payout.
 */
export async function playSend(tx: Tx, id: string, outcome: SendOutcome, now: Date): Promise<SendReport[]> {
  await tx.query('DELETE FROM simulated_send_steps WHERE send_id = $1 AND done_at IS NULL', [id]);
  const transaction = newTransaction();
  const script = scripts[outcome];
  const steps = script.filter(({ afterSeconds }) => afterSeconds > 0);
  await keepSteps(tx, { id, steps, transaction }, now);
  return script
    .filter(({ afterSeconds }) => afterSeconds === 0)
    .map(({ state, why = null }) => reportOf({ send_id: id, state, transaction, why, due_at: now }));
}

type StepRow = {
  send_id: string;
  state: SendReport['state'];
  transaction: string;
  why: string | null;
  due_at: Date;
};

function reportOf({ send_id: id, state, transaction, why, due_at: at }: StepRow): SendReport {
  const isNamed = state === 'sending' || state === 'sent';
  return { rail: simulatedRail, id, state, transaction: isNamed ? transaction : null, why, at };
}

/** Orders with a step that is due, the longest due first. */
export async function sendsDue(reader: Reader, now: Date, atMost: number): Promise<string[]> {
  const { rows } = await reader.query<{ send_id: string }>(
    `SELECT send_id FROM simulated_send_steps WHERE done_at IS NULL AND due_at <= $1
     GROUP BY send_id ORDER BY min(due_at), send_id LIMIT $2`,
    [now, atMost],
  );
  return rows.map(({ send_id }) => send_id);
}

/** Orders with a step that is still to come. */
export async function openSends(reader: Reader): Promise<string[]> {
  const { rows } = await reader.query<{ send_id: string }>(
    'SELECT DISTINCT send_id FROM simulated_send_steps WHERE done_at IS NULL',
  );
  return rows.map(({ send_id }) => send_id);
}

/** The reports of these orders that are due, in order. The caller's transaction has locked the payouts and takes them. */
export async function dueSends(tx: Tx, ids: readonly string[], now: Date): Promise<SendReport[]> {
  const { rows } = await tx.query<StepRow & { id: string }>(
    `UPDATE simulated_send_steps SET done_at = $2
     WHERE send_id = ANY ($1) AND done_at IS NULL AND due_at <= $2
     RETURNING id, send_id, state, transaction, why, due_at`,
    [ids, now],
  );
  rows.sort((one, other) => one.due_at.getTime() - other.due_at.getTime() || (one.id < other.id ? -1 : 1));
  return rows.map(reportOf);
}

/** Moves the steps of these orders closer, for the test clock. */
export async function shiftSends(tx: Tx, ids: readonly string[], seconds: number): Promise<void> {
  await tx.query(
    `UPDATE simulated_send_steps SET due_at = due_at - $2 * interval '1 second'
     WHERE send_id = ANY ($1) AND done_at IS NULL`,
    [ids, seconds],
  );
}
