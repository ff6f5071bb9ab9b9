import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { seedOperator } from '../../../test/payouts/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints, seedBalance, seedUser, testClock } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { kitErrors } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { operatorOf } from '../../ledger/places.ts';
import { createAssets } from '../../money/assets.ts';
import { approvePayout, rejectPayout } from '../../payouts/lifecycle/approve.ts';
import { takeSendReports } from '../../payouts/lifecycle/reports.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { setPayoutTerms } from '../../payouts/rules/terms.ts';
import type { Sending, SendReport } from '../../rails/rail.ts';
import { walletErrors } from '../errors.ts';
import { setWalletLimit } from '../limits.ts';
import { noticesOf } from '../notices.ts';
import { type Shown, secondFactorShown } from '../second-factor.ts';
import type { UserId } from '../users.ts';
import { addWithdrawalAddress, removeWithdrawalAddress, withdrawalAddresses } from './addresses.ts';
import { withdrawalPurpose } from './purpose.ts';
import {
  cancelWithdrawal,
  findWithdrawal,
  listWithdrawals,
  previewWithdrawal,
  type WithdrawalDeps,
  type WithdrawalRequest,
  withdraw,
} from './withdraw.ts';

const { db } = await testDatabase();
const clock = testClock();
const assets = createAssets();
const asset = assets.get('usdc-base');
const to = `0x${'Ab'.repeat(20)}`;
const signed = new Set<string>();
const ordered: string[] = [];
const sending: Sending = {
  rail: 'evm:8453',
  mode: 'live',
  outside: { kind: 'external', owner: operatorOf('evm:8453').owner },
  assets: [asset.code],
  faultOf: () => null,
  ownOf: async () => new Set(),
  unavailable: async () => null,
  order: async (_, { id }) => void ordered.push(id),
  cancel: async (_, id) => !signed.has(id),
};
const faultOf = () => (order: { to: string }) =>
  order.to.startsWith('0x') ? null : ({ field: 'to', why: 'is no address' } as const);
const deps: WithdrawalDeps = {
  ...{ hints: noHints, assets, sendings: [sending], purposes: { withdrawal: withdrawalPurpose } },
  ...{ now: clock.now, faultOf, checks: false },
};
const strict: WithdrawalDeps = { ...deps, checks: true };
const none = { fee: 0n, minimum: 0n, dailyLimit: null, approveAbove: null };

let jane: UserId;
beforeEach(async () => {
  jane = await seedUser(db, `Jane-${newId().slice(-8)}`);
  await db.query('DELETE FROM wallet_limits');
  await transaction(db, (tx) => setPayoutTerms(tx, asset.code, none, clock.now()));
  await seedBalance(db, { owner: jane, kind: 'user', mode: 'live', asset: asset.code, units: 100n });
});
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const request = (changes: Partial<WithdrawalRequest> = {}): WithdrawalRequest => ({
  ...{ mode: 'live', asset, units: 30n, to, memo: null, formKey: newId() },
  ...changes,
});
const ask = (wanted = request(), by = deps, proof: Shown = null) =>
  transaction(db, (tx) => withdraw(tx, by, { userId: jane, proof }, wanted));
const report = ({ id, rail }: Pick<Payout, 'id' | 'rail'>, state: SendReport['state']) =>
  transaction(db, (tx) =>
    takeSendReports(tx, deps, [{ id, rail, state, transaction: '0x1', why: null, at: clock.now() }]),
  );
const cancel = (id: string, by = jane) => transaction(db, (tx) => cancelWithdrawal(tx, deps, by, id));

/** `available held` */
async function balance(kind: 'user' | 'receivable' = 'user'): Promise<string> {
  const [found] = await balancesOf(db, { kind, owner: jane, mode: 'live' });
  return `${found?.available ?? 0n} ${found?.held ?? 0n}`;
}
const told = async () =>
  (await noticesOf(db, jane, 'live', { before: null, limit: 20 })).map(({ kind }) => kind).reverse();

test('a withdrawal is held, leaves when its network shows it, and its user is told of each step once', async () => {
  const payout = await ask();
  expect(payout).toMatchObject({ purpose: 'withdrawal', status: 'queued', integrationId: null, units: 30n });
  expect(ordered).toContain(payout.id);
  expect(await balance()).toBe('70 30');
  await report(payout, 'sending');
  await report(payout, 'sent');
  await report(payout, 'sent');
  expect(await balance()).toBe('70 0');
  await report(payout, 'undone');
  expect(await balance()).toBe('70 30');
  await report(payout, 'sent');
  expect(await balance()).toBe('70 0');
  expect(await told()).toEqual(['withdrawal_ordered', 'withdrawal_sent']);
  const [listed] = await listWithdrawals(db, jane, 'live', { before: null, limit: 5 });
  expect(listed).toMatchObject({ id: payout.id, status: 'completed', transaction: '0x1' });
  expect(await listWithdrawals(db, jane, 'test', { before: null, limit: 5 })).toEqual([]);
});

test('a preview says what leaves with the fee, refuses what would be refused, and changes nothing', async () => {
  await transaction(db, (tx) =>
    setPayoutTerms(tx, asset.code, { ...none, fee: 3n, minimum: 5n }, clock.now()),
  );
  const shown = await previewWithdrawal(db, deps, jane, request());
  expect(shown).toMatchObject({ total: 33n, needsSecondFactor: false, payout: { units: 30n, fee: 3n } });
  const preview = (changes: object) => previewWithdrawal(db, deps, jane, request(changes));
  await expect(preview({ units: 98n })).rejects.toMatchObject({ row: walletErrors.balance_short });
  await expect(preview({ units: 4n })).rejects.toMatchObject({ row: payoutErrors.below_minimum_payout });
  await expect(preview({ to: 'home' })).rejects.toThrow('to is invalid: is no address');
  expect(await balance()).toBe('100 0');
  expect(await told()).toEqual([]);
  expect(await listWithdrawals(db, jane, 'live', { before: null, limit: 5 })).toEqual([]);
});

test("what ended and left all the same is its user's to pay, who owes what is missing, until a reorg gives it back", async () => {
  const payout = await ask();
  await cancel(payout.id);
  await ask(request({ units: 90n }));
  await report(payout, 'sent');
  await report(payout, 'sent');
  expect([await balance(), await balance('receivable')]).toEqual(['0 90', '-20 0']);
  const listed = await listWithdrawals(db, jane, 'live', { before: null, limit: 5 });
  expect(listed.find(({ id }) => id === payout.id)).toMatchObject({
    status: 'completed',
    transaction: '0x1',
  });
  await report(payout, 'undone');
  expect([await balance(), await balance('receivable')]).toEqual(['10 90', '0 0']);
  expect(await told()).toEqual([
    ...['withdrawal_ordered', 'withdrawal_cancelled', 'withdrawal_ordered', 'withdrawal_sent'],
  ]);
});

describe('what ends unsent', () => {
  test("is the user's again, with the fee", async () => {
    await transaction(db, (tx) => setPayoutTerms(tx, asset.code, { ...none, fee: 3n }, clock.now()));
    const [first, second] = [await ask(), await ask()];
    expect(await balance()).toBe('34 66');
    await cancel(first.id);
    await report(second, 'failed');
    expect(await balance()).toBe('100 0');
    const ends = ['withdrawal_cancelled', 'withdrawal_failed'];
    expect(await told()).toEqual(['withdrawal_ordered', 'withdrawal_ordered', ...ends]);
  });
});

test("what is signed, or another user's, cannot be cancelled", async () => {
  const payout = await ask();
  const max = await seedUser(db, `Max-${newId().slice(-8)}`);
  await expect(cancel(payout.id, max)).rejects.toMatchObject({ row: payoutErrors.payout_not_found });
  await expect(findWithdrawal(db, max, payout.id)).rejects.toMatchObject({
    row: payoutErrors.payout_not_found,
  });
  await expect(cancel('nonsense')).rejects.toMatchObject({ row: payoutErrors.payout_not_found });
  signed.add(payout.id);
  await expect(cancel(payout.id)).rejects.toMatchObject({ row: payoutErrors.payout_not_cancellable });
  expect(await balance()).toBe('70 30');
});

test('a form that is sent many times at once orders once, and one with something else in it is refused', async () => {
  const form = request();
  const payouts = await Promise.all(Array.from({ length: 6 }, () => ask(form)));
  expect(new Set(payouts.map(({ id }) => id)).size).toBe(1);
  expect(await balance()).toBe('70 30');
  for (const other of [
    { units: 31n },
    { to: `0x${'Cd'.repeat(20)}` },
    { memo: 'a' },
    { mode: 'test' as const },
  ])
    await expect(ask({ ...form, ...other })).rejects.toMatchObject({ row: kitErrors.idempotency_mismatch });
  await ask({ ...form, to: to.toLowerCase() });
});

test('of many at once no more is ordered than there is', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => ask()));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await balance()).toBe('10 90');
});

test('a frozen wallet orders nothing; what was ordered before goes on', async () => {
  const payout = await ask();
  await db.query(`UPDATE users SET frozen_at = now(), frozen_why = 'asked' WHERE id = $1`, [jane]);
  await expect(ask()).rejects.toMatchObject({ row: walletErrors.wallet_frozen });
  await report(payout, 'sent');
  expect(await balance()).toBe('70 0');
});

test('a daily limit counts amounts, and gets back what ends unsent', async () => {
  const limit = { level: 0, action: 'withdraw', asset: asset.code, units: 50n } as const;
  await transaction(db, (tx) => setWalletLimit(tx, limit, clock.now()));
  const payout = await ask();
  await expect(ask()).rejects.toThrow('You may withdraw 0.00005 USDC a day; 0.00002 is left');
  await cancel(payout.id);
  const again = await ask();
  await ask(request({ units: 20n }));
  clock.advance(24 * 3600);
  await report(again, 'failed');
  await expect(ask(request({ units: 51n }))).rejects.toMatchObject({ row: walletErrors.wallet_limit });
  await ask(request({ units: 50n }));
});

test('an operator approves what is above their amount, and a rejected one is given back', async () => {
  await transaction(db, (tx) => setPayoutTerms(tx, asset.code, { ...none, approveAbove: 10n }, clock.now()));
  const [payout, other] = [await ask(), await ask()];
  expect(payout.status).toBe('awaiting_approval');
  expect(ordered).not.toContain(payout.id);
  const accountId = await seedOperator(db, clock.now());
  const approver = { accountId, name: 'olga', side: 'operator' } as const;
  await transaction(db, (tx) => approvePayout(tx, deps, payout.id, approver));
  expect(ordered).toContain(payout.id);
  await transaction(db, (tx) => rejectPayout(tx, deps, other.id, 'asked'));
  expect(await balance()).toBe('70 30');
});

describe('with the checks on', () => {
  const proof = () => secondFactorShown(jane, clock.now());
  const add = (changes: object = {}, by = strict) =>
    transaction(db, (tx) =>
      addWithdrawalAddress(tx, by, jane, {
        mode: 'live',
        asset: asset.code,
        address: to,
        memo: null,
        label: 'Safe',
        ...changes,
      }),
    );

  test('a withdrawal needs a second factor, and an address that has rested for a day', async () => {
    await expect(ask(request(), strict, proof())).rejects.toMatchObject({
      row: payoutErrors.address_unknown,
    });
    const { usableAt } = await add();
    await expect(ask(request(), strict, proof())).rejects.toThrow(
      `Address may be used from ${usableAt.toISOString()}`,
    );
    clock.advance(24 * 3600);
    await expect(ask(request(), strict)).rejects.toMatchObject({ row: walletErrors.second_factor_required });
    const max = await seedUser(db, `Max-${newId().slice(-8)}`);
    await expect(ask(request(), strict, secondFactorShown(max, clock.now()))).rejects.toMatchObject({
      row: walletErrors.second_factor_required,
    });
    expect(await balance()).toBe('100 0');
    const shown = await previewWithdrawal(db, strict, jane, request());
    expect(shown.needsSecondFactor).toBe(true);
    await ask(request({ to: to.toLowerCase() }), strict, proof());
    expect(await balance()).toBe('70 30');
    expect(await told()).toEqual(['address_added', 'withdrawal_ordered']);
  });

  test('an address with another memo or of another mode is another one, and a removed one is none', async () => {
    const { id } = await add({ memo: 'a' });
    await expect(add({ memo: 'a', address: to.toLowerCase() })).rejects.toMatchObject({
      row: payoutErrors.address_known,
    });
    await add({ mode: 'test' });
    clock.advance(24 * 3600);
    await expect(ask(request(), strict, proof())).rejects.toMatchObject({
      row: payoutErrors.address_unknown,
    });
    await ask(request({ memo: 'a' }), strict, proof());
    await transaction(db, (tx) => removeWithdrawalAddress(tx, jane, id, clock.now()));
    await expect(ask(request({ memo: 'a' }), strict, proof())).rejects.toMatchObject({
      row: payoutErrors.address_unknown,
    });
    const max = await seedUser(db, `Max-${newId().slice(-8)}`);
    const [left] = await withdrawalAddresses(db, jane, 'test');
    for (const wrong of [left?.id ?? '', 'nonsense']) {
      const removed = transaction(db, (tx) => removeWithdrawalAddress(tx, max, wrong, clock.now()));
      await expect(removed).rejects.toMatchObject({ row: kitErrors.not_found });
    }
  });

  test('no address is added that its network refuses, or that nobody could name', async () => {
    await expect(add({ address: 'home' })).rejects.toThrow('to is invalid: is no address');
    for (const label of ['', ' ', 'a'.repeat(61), 'a\0'])
      await expect(add({ label })).rejects.toThrow('label');
    expect(await withdrawalAddresses(db, jane, 'live')).toEqual([]);
  });
});
