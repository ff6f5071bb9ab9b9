import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import { type Mode, ownTimeOf } from '../../identity/integration.ts';
import { payoutsWaitLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf } from '../../identity/merchants/people.ts';
import type { Tx } from '../../kit/db/db.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { approvalsFor, payoutSettingsOf } from '../rules/settings.ts';
import { frequencies } from '../schedules/next-time.ts';
import {
  addSchedule,
  approveSchedule,
  endSchedule,
  listSchedules,
  type Schedule,
  type Times,
} from '../schedules/schedule.ts';
import { PayoutSchedule, PayoutSchedules } from './console-answers.ts';
import type { PayoutSettingsDeps } from './console-settings-routes.ts';
import { moneyParsers, PayoutBody } from './schema.ts';

const ScheduleBody = Type.Object({
  asset: PayoutBody.properties.asset,
  keep: Type.String({ maxLength: 100, description: 'What stays in the balance.' }),
  most: Type.String({ maxLength: 100, description: 'The most that one payout may be.' }),
  every: Type.Enum([...frequencies]),
  address: Type.String({ format: 'uuid', description: 'An entry of the address book.' }),
});

/** Payouts that repeat: set up by one person, approved once with their ceiling. */
export function payoutScheduleRoutes(dashboard: Console, deps: PayoutSettingsDeps): void {
  const { db, assets, now } = deps;
  const readerOf = (mode: Mode) =>
    fieldReader(ScheduleBody, {}, { asset: moneyParsers(assets.of(mode)).asset });
  const readers = { test: readerOf('test'), live: readerOf('live') };
  const timesOf = ({ integration, owner: { mode } }: Call<'mode'>): Times => {
    const at = now();
    return { now: at, ownTime: ownTimeOf({ integration, mode }, at) };
  };
  const viewOf = ({ session }: Call<'mode'>, schedule: Schedule) =>
    scheduleView(schedule, assets, session.account.id);

  dashboard.get('mode', '/payout-schedules', { may: 'read', answer: PayoutSchedules }, async (call) => {
    const items = (await listSchedules(db, call.owner)).map((schedule) => viewOf(call, schedule));
    return { message: 'Payout schedules', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'POST',
    'mode',
    '/payout-schedules',
    { may: 'make payouts', fresh: true, answer: PayoutSchedule },
    async (tx, call) => {
      const { owner, session } = call;
      const { asset, keep, most, every, address: addressId } = readers[owner.mode](call.body);
      const unitsOf = (field: string, text: string): bigint => {
        const units = unitsOfDecimal(text, asset.scale);
        if (units !== null && !(field === 'most' && units === 0n)) return units;
        throw invalid(field, `must be a positive number with at most ${asset.scale} decimals`);
      };
      const ceiling = unitsOf('most', most);
      const wanted = {
        ...{ asset: asset.code, every, addressId, keep: unitsOf('keep', keep), most: ceiling },
        requestedBy: session.account.id,
        requester: session.account.email,
        approvalsNeeded: approvalsFor(await payoutSettingsOf(tx, owner), asset, ceiling),
      };
      const schedule = await addSchedule(tx, owner, wanted, timesOf(call));
      if (schedule.approvalsNeeded > 0) await mailWaiting(tx, deps, call, schedule);
      const change = { action: 'set up a payout schedule', ...changeOf(schedule, assets) };
      return { message: 'Schedule set up', data: viewOf(call, schedule), change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/payout-schedules/:schedule/approve',
    { may: 'make payouts', fresh: true, answer: PayoutSchedule },
    async (tx, call) => {
      const { id: accountId, email: name } = call.session.account;
      const id = call.params.schedule ?? '';
      const schedule = await approveSchedule(
        tx,
        { owner: call.owner, id },
        { accountId, name },
        timesOf(call),
      );
      const change = { action: 'approved a payout schedule', ...changeOf(schedule, assets) };
      return { message: 'Schedule approved', data: viewOf(call, schedule), change };
    },
  );

  dashboard.write(
    'DELETE',
    'mode',
    '/payout-schedules/:schedule',
    { may: 'make payouts', answer: Nothing },
    async (tx, { owner, params, session }) => {
      const schedule = await endSchedule(
        tx,
        { owner, id: params.schedule ?? '' },
        session.account.email,
        now(),
      );
      const change = { action: 'ended a payout schedule', ...changeOf(schedule, assets) };
      return { message: 'Schedule ended', data: null, change };
    },
  );
}

async function mailWaiting(
  tx: Tx,
  { assets, baseUrl }: PayoutSettingsDeps,
  { integration, owner: { mode } }: Call<'mode'>,
  { asset: code, most, every, label, address, requester: by, requestedBy }: Schedule,
): Promise<void> {
  const { scale, currency, network } = assets.get(code);
  const amount = `up to ${decimalOf(most, scale)} ${currency} on ${network}`;
  const letter = payoutsWaitLetter({
    ...{ integration: integration.name, mode, by },
    payouts: [`Each ${every} ${amount} to ${address} (${label})`],
    url: `${baseUrl}/app/i/${integration.id}/${mode}/settings?tab=payouts`,
  });
  const to = await addressesOf(tx, integration.id, 'make payouts', requestedBy);
  await queueMail(tx, { to, ...letter });
}

function scheduleView(schedule: Schedule, assets: Assets, accountId: string) {
  const { scale } = assets.get(schedule.asset);
  const { id, asset, keep, most, every, label, address, memo, requester, approvals } = schedule;
  return {
    ...{ id, asset, every, label, address, memo, requester },
    keep: decimalOf(keep, scale),
    most: decimalOf(most, scale),
    asked_by_you: schedule.requestedBy === accountId,
    approved_by_you: approvals.some((each) => each.accountId === accountId),
    approvals_needed: schedule.approvalsNeeded,
    approved_by: approvals.map(({ by }) => by),
    next_at: schedule.nextAt,
    last_at: schedule.lastAt,
    last_payout_id: schedule.lastPayoutId,
    last_skip: schedule.lastSkip,
  };
}

function changeOf({ id, mode, asset, keep, most, every, address, memo }: Schedule, assets: Assets) {
  const { scale } = assets.get(asset);
  const amounts = { keep: decimalOf(keep, scale), most: decimalOf(most, scale) };
  return {
    subject: { kind: 'payout schedule', id },
    after: { mode, asset, ...amounts, every, address, memo },
  };
}
