import { expect } from 'vitest';
import {
  approveAll,
  ask,
  cancelOne,
  claim,
  claimAll,
  claimOwed,
  decide,
  expire,
  judge,
  refund,
  resume,
  stop,
} from './people.ts';
import { type Process, restart, round, type Stage } from './stage.ts';
import { parts, type Step } from './steps.ts';

/** Between two steps: as long as a block or two, so that endpoints which rested are asked again. */
const stepSeconds = 5;

const isCommon = (step: { do: string }): step is Step => commonSteps.has(step.do);
const commonSteps: ReadonlySet<string> = new Set<Step['do']>([
  ...(['create', 'pay', 'ask', 'approve', 'reject', 'cancel', 'give up', 'refund', 'claim'] as const),
  ...(['claim owed', 'cancel refund', 'dispute', 'return', 'uphold', 'stop', 'resume', 'work'] as const),
  ...(['race', 'restart', 'wait', 'expire', 'mend'] as const),
]);

/** Makes one thing happen. */
export async function play<N extends { do: string }>(stage: Stage<N>, step: Step | N): Promise<void> {
  await stage.pass(stepSeconds);
  if (!isCommon(step)) return await stage.play(step);
  const { payments } = stage;
  switch (step.do) {
    case 'create':
      payments.push(await stage.create(step.asset));
      return;
    case 'pay': {
      const payment = payments[step.payment % payments.length];
      return payment && (await stage.pay(payment, step.payer, step.thousandths));
    }
    case 'ask':
      return await ask(stage, step);
    case 'approve':
    case 'reject':
    case 'cancel':
    case 'give up':
      return await decide(stage, step);
    case 'refund':
      return await refund(stage, step);
    case 'claim':
      return await claim(stage, step.refund);
    case 'claim owed':
      return await claimOwed(stage, step.payment);
    case 'cancel refund':
      return await cancelOne(stage, step.refund);
    case 'dispute':
    case 'return':
    case 'uphold':
      return await judge(stage, step.do, step.payment);
    case 'stop':
      return await stop(stage);
    case 'resume':
      return await resume(stage);
    case 'work':
      return await round(stage, step.who, step.disturbance, ({ work }) => work(step.part));
    case 'race':
      return void (await Promise.all([round(stage, 0, null, workOnAll), round(stage, 1, null, workOnAll)]));
    case 'restart':
      return await restart(stage, step.who);
    case 'wait':
      return await stage.pass(step.seconds);
    case 'expire':
      return await expire(stage);
    case 'mend':
      return await stage.mend();
  }
}

export async function workOnAll({ work }: Process): Promise<void> {
  for (const part of parts) await work(part);
}

const roundsAtMost = 60;
/** By turns: as long as an order waits for what concerns all, and longer than one waits that was tried in vain. */
const patienceSeconds = [35, 130, 3_700];

/** Everything is provided for and approved, every customer says where their money goes, and time runs on. */
export async function settleDown<N>(stage: Stage<N>): Promise<void> {
  await stage.mend();
  await resume(stage);
  await restart(stage, 0);
  for (let count = 0; ; count++) {
    await approveAll(stage);
    // What is final is read a second time, which comes to an end where nothing is added.
    if (count === 0 || (await openMoney(stage)) !== null) {
      await stage.provide();
      await stage.goOn();
    }
    await stage.pass(patienceSeconds[count % patienceSeconds.length] ?? 0);
    await stage.idle();
    await round(stage, 0, null, workOnAll);
    await stage.idle();
    await expire(stage);
    const left = (await openMoney(stage)) ?? (await stage.left());
    if (left === null && !(await claimAll(stage))) return;
    expect(count, left ?? 'to claim').toBeLessThan(roundsAtMost);
  }
}

/** Payouts that have not ended. */
async function openMoney<N>({ db }: Stage<N>): Promise<string | null> {
  const { rows } = await db.query<{ left: string }>(
    `SELECT format('payout %s is %s: %s', id, status, held_up) AS left FROM payouts
     WHERE status IN ('awaiting_approval', 'queued', 'sending') ORDER BY id`,
  );
  return rows[0]?.left ?? null;
}
