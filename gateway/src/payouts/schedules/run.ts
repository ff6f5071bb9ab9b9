import { getIntegration, testTime } from '../../identity/integration.ts';
import { payoutSkippedLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf } from '../../identity/merchants/people.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Asset } from '../../money/assets.ts';
import { assertOrderable } from '../lifecycle/ask.ts';
import { orderPayout } from '../lifecycle/order.ts';
import type { PayoutDeps } from '../lifecycle/state.ts';
import { payoutErrors } from '../payout/errors.ts';
import { assertKnown } from '../rules/addresses.ts';
import { mayPayOut } from '../rules/approvers.ts';
import { approvalsFor, payoutSettingsOf } from '../rules/settings.ts';
import { payoutTermsOf } from '../rules/terms.ts';
import { nextAt } from './next-time.ts';
import { type Schedule, scheduleSql } from './schedule.ts';

type RunDeps = PayoutDeps & { baseUrl: string };

const atOnce = 100;

/**
 * Orders what schedules have to pay out by now, each in one transaction with its next time, so that any number of
 * processes may run it and each time counts once. One that is refused is skipped until its next time, and mailed.
 * Returns how many were done.
 */
export async function runDueSchedules(db: Database, deps: RunDeps): Promise<number> {
  for (let done = 0; ; done += 1) {
    const ran = done < atOnce && (await runNext(db, deps));
    if (!ran) return done;
  }
}

async function runNext(db: Database, deps: RunDeps): Promise<boolean> {
  let due: Schedule | undefined;
  try {
    return await transaction(db, async (tx) => {
      due = await lockDue(tx, deps.now());
      if (!due) return false;
      const outcome = await orderScheduled(tx, deps, due);
      // Without its next time it would be due again at once.
      if (!(await noteOutcome(tx, due, deps.now(), outcome))) {
        throw new Error(`Schedule ${due.id} was changed while it was locked`);
      }
      return true;
    });
  } catch (error) {
    const schedule = due;
    if (!(error instanceof Refusal) || !schedule) throw error;
    const why = error.message;
    await transaction(db, async (tx) => {
      const isNoted = await noteOutcome(tx, schedule, deps.now(), { skip: why });
      if (isNoted) await mailSkipped(tx, deps, schedule, why);
    });
    return true;
  }
}

async function lockDue(tx: Tx, now: Date): Promise<Schedule | undefined> {
  const { rows } = await tx.query<Schedule>(
    `${scheduleSql} WHERE s.next_at <= $1 ORDER BY s.next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED`,
    [now],
  );
  return rows[0];
}

type Outcome = { payoutId: string } | { skip: string };

async function orderScheduled(tx: Tx, deps: RunDeps, schedule: Schedule): Promise<Outcome> {
  const { integrationId, mode, keep, most, address: to, memo } = schedule;
  const integration = await getIntegration(tx, integrationId);
  const owner = { integrationId, mode };
  const asset = deps.assets.get(schedule.asset);
  await assertOrderable(tx, { integration, mode });
  if (!(await mayPayOut(tx, integrationId, [schedule.requestedBy])).has(schedule.requestedBy))
    throw refuse(payoutErrors.schedule_maker_gone);
  const ownTime = await timeOf(tx, schedule, deps.now());
  await assertKnown(tx, owner, [{ to, memo }], ownTime);
  const { fee, minimum } = (await payoutTermsOf(tx, [asset.code]))(asset.code);
  const balances = await balancesOf(tx, { kind: 'business', owner: integrationId, mode });
  const available = balances.find((each) => each.asset === asset.code)?.available ?? 0n;
  const above = available - keep - fee;
  const units = above < most ? above : most;
  if (units <= 0n || units < minimum) return { skip: 'The balance had too little above what stays' };
  const terms = {
    ...{ owner, mode, ownTime },
    purpose: 'merchant_payout',
    debit: { kind: 'business', owner: integrationId },
    requester: { accountId: schedule.requestedBy, name: schedule.requester, limits: null },
    isCharged: true,
    approval: (await isApproved(tx, schedule, asset, units)) ? 'never' : 'as set',
  } as const;
  const description = `Scheduled, each ${schedule.every}`;
  const payout = await orderPayout(tx, deps, terms, { asset, units, to, memo, description });
  return { payoutId: payout.id };
}

/**
 * Whether the approvals of a schedule are enough for one of its payouts by the present settings. Only approvals of people
 * who may still approve count. If they are not enough, each payout waits for approvals of its own.
 */
async function isApproved(
  tx: Tx,
  { integrationId, mode, approvals }: Schedule,
  asset: Asset,
  units: bigint,
): Promise<boolean> {
  const settings = await payoutSettingsOf(tx, { integrationId, mode });
  const approvers = approvals.map(({ accountId }) => accountId);
  const standing = await mayPayOut(tx, integrationId, approvers);
  return standing.size >= approvalsFor(settings, asset, units);
}

async function timeOf(tx: Tx, { integrationId, mode }: Schedule, now: Date): Promise<Date> {
  return mode === 'test' ? testTime(await getIntegration(tx, integrationId), now) : now;
}

/** Notes the outcome of this time and sets the next one; false where another process has done so. */
async function noteOutcome(tx: Tx, schedule: Schedule, now: Date, outcome: Outcome): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payout_schedules SET next_at = $3, last_at = $2, last_payout_id = $4, last_skip = $5
     WHERE id = $1 AND next_at <= $2`,
    [
      schedule.id,
      now,
      nextAt(schedule.every, now, await timeOf(tx, schedule, now)),
      'payoutId' in outcome ? outcome.payoutId : null,
      'skip' in outcome ? outcome.skip : null,
    ],
  );
  return rowCount === 1;
}

async function mailSkipped(tx: Tx, { assets, baseUrl }: RunDeps, schedule: Schedule, why: string) {
  const { integrationId, mode, asset, label } = schedule;
  const { name } = await getIntegration(tx, integrationId);
  const { currency, network } = assets.get(asset);
  const url = `${baseUrl}/app/i/${integrationId}/${mode}/settings?tab=payouts`;
  const what = `${currency} on ${network} to ${label}`;
  const letter = payoutSkippedLetter({ integration: name, mode, what, why, url });
  await queueMail(tx, { to: await addressesOf(tx, integrationId, 'make payouts'), ...letter });
}
