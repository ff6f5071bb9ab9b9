import { beforeEach, describe, expect, test } from 'vitest';
import { seedOperator } from '../../../test/payouts/team.ts';
import { seedTeam } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { consoleViewOf } from '../api/console-views.ts';
import { queuedPayouts } from '../payout/history.ts';
import type { Payout } from '../payout/payout.ts';
import { addAddress } from '../rules/addresses.ts';
import type { Approver } from '../rules/approvers.ts';
import { changePayoutSettings } from '../rules/settings.ts';
import { resumePayouts, stopPayouts } from '../rules/stop.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { addSchedule, approveSchedule } from '../schedules/schedule.ts';
import { approvePayout } from './approve.ts';
import { orderPayouts } from './order.ts';

const { db } = await testDatabase();
const code = 'usdc-base';
let shop: Shop;
let team: string[];
beforeEach(async () => {
  shop = await openShop(db);
  team = await seedTeam(shop, 4);
  const business = { kind: 'business', owner: shop.owner.integrationId } as const;
  await seedBalance(db, { ...business, mode: 'test', asset: code, units: 100n });
});

const terms = (approveAbove: bigint | null) => ({ fee: 0n, minimum: 0n, dailyLimit: null, approveAbove });
/** The first of the team asks for a payout that so many others approve, and an operator where one is wanted. */
async function waiting(approvals: number, byOperator = false): Promise<Payout> {
  const { owner, deps, clock, assets } = shop;
  const settings = { enabled: true, approvals, approveAbove: {}, knownAddressesOnly: false };
  const payouts = await write(shop, async (tx) => {
    await changePayoutSettings(tx, owner, settings, clock.now());
    await setPayoutTerms(tx, code, terms(byOperator ? 1n : null), clock.now());
    const requester = { accountId: team[0] ?? '', name: 'one', limits: null };
    const sides = {
      purpose: 'merchant_payout',
      debit: { kind: 'business', owner: owner.integrationId },
    } as const;
    const to = { asset: assets.get(code), units: 10n, to: `0x${'ab'.repeat(20)}`, memo: null };
    const all = { owner, mode: 'test', ...sides, requester, isCharged: true, ownTime: clock.now() } as const;
    return await orderPayouts(tx, deps, all, [to]);
  });
  return payouts[0]!;
}
const approve = async ({ id }: Payout, accountId: string, side: Approver['side'] = 'merchant') =>
  (await write(shop, (tx) => approvePayout(tx, shop.deps, id, { accountId, name: 'somebody', side }))).status;
const operator = () => seedOperator(db, shop.clock.now());
const setRole = (accountId: string, role: string) =>
  db.query('UPDATE members SET role = $2 WHERE account_id = $1', [accountId, role]);
const setOperator = (id: string, is: boolean) =>
  db.query('UPDATE accounts SET is_operator = $2 WHERE id = $1', [id, is]);
const left = async (payout: Payout) => {
  const deps = { ...shop.deps, transactionUrl: () => null };
  return (await consoleViewOf(db, deps, team[0]!, payout)).approvals_left;
};

describe('the approval of a member counts', () => {
  test('not any more once they left or lost the role, and again with the role', async () => {
    const [, two, three, four] = team as [string, string, string, string];
    const [one, other] = [await waiting(2), await waiting(2)];
    for (const payout of [one, other]) await approve(payout, two);
    expect(await left(one)).toEqual({ merchant: 1, operator: 0 });
    await setRole(two, 'support');
    expect(await left(one)).toEqual({ merchant: 2, operator: 0 });
    expect(await approve(one, three)).toBe('awaiting_approval');
    expect(await approve(one, four)).toBe('queued');
    await setRole(two, 'finance');
    expect(await approve(other, three)).toBe('queued');
    const last = await waiting(2);
    await approve(last, two);
    await db.query('DELETE FROM members WHERE account_id = $1', [two]);
    expect(await approve(last, three)).toBe('awaiting_approval');
  });
});

describe('the approval of an operator counts', () => {
  test('not any more once they are none; the payout asks for the operators’ attention again', async () => {
    const [olga, otto] = [await operator(), await operator()];
    const payout = await waiting(1, true);
    await approve(payout, olga, 'operator');
    const attention = async () =>
      (await queuedPayouts(db, { kind: 'attention', id: payout.id }, { before: null, limit: 1 })).length;
    expect([await left(payout), await attention()]).toEqual([{ merchant: 1, operator: 0 }, 0]);
    await setOperator(olga, false);
    expect([await left(payout), await attention()]).toEqual([{ merchant: 1, operator: 1 }, 1]);
    expect(await approve(payout, team[1]!)).toBe('awaiting_approval');
    expect(await approve(payout, otto, 'operator')).toBe('queued');
  });

  test('not any more once their account is closed', async () => {
    const olga = await operator();
    const payout = await waiting(1, true);
    await approve(payout, olga, 'operator');
    await db.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [olga]);
    expect(await approve(payout, team[1]!)).toBe('awaiting_approval');
  });
});

test('a member who is an operator too approves on one side alone, and on none what they asked for', async () => {
  for (const person of team.slice(0, 2)) await setOperator(person, true);
  const payout = await waiting(1, true);
  const [asker, both] = team as [string, string];
  for (const side of ['merchant', 'operator'] as const) {
    await expect(approve(payout, asker, side)).rejects.toThrow('Who asked for a payout cannot approve it');
  }
  expect(await approve(payout, both, 'merchant')).toBe('awaiting_approval');
  await expect(approve(payout, both, 'operator')).rejects.toThrow();
  expect(await approve(payout, await operator(), 'operator')).toBe('queued');
});

test('nothing is approved while payouts are stopped', async () => {
  const payout = await waiting(1);
  await write(shop, (tx) => stopPayouts(tx, { reason: 'Audit', by: 'Ann', at: shop.clock.now() }));
  await expect(approve(payout, team[1]!)).rejects.toThrow('Payouts are stopped');
  await write(shop, (tx) => resumePayouts(tx));
  expect(await approve(payout, team[1]!)).toBe('queued');
});

test('a schedule begins when so many have approved it who still may', async () => {
  const { owner, clock } = shop;
  const times = { now: clock.now(), ownTime: clock.now() };
  const [one, two, three, four] = team as [string, string, string, string];
  const { id } = await write(shop, async (tx) => {
    const place = { address: `0x${'cd'.repeat(20)}`, memo: null, label: 'The bank', by: 'one' };
    const { id: addressId } = await addAddress(tx, owner, place, clock.now());
    const wanted = { asset: code, keep: 0n, most: 10n, every: 'day', addressId } as const;
    const by = { requestedBy: one, requester: 'one', approvalsNeeded: 2 };
    return await addSchedule(tx, owner, { ...wanted, ...by }, times);
  });
  const approved = (accountId: string) =>
    write(shop, (tx) => approveSchedule(tx, { owner, id }, { accountId, name: 'somebody' }, times));
  await approved(two);
  await setRole(two, 'support');
  expect((await approved(three)).nextAt).toBeNull();
  expect((await approved(four)).nextAt).not.toBeNull();
});
