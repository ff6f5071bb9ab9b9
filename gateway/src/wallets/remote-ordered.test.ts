import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { seedMembers } from '../../test/payouts/team.ts';
import {
  fundingDeps,
  type RemoteSite,
  startRemoteSite,
  unit,
} from '../../test/remote-wallets/remote-site.ts';
import type { Fault } from '../../test/remote-wallets/remote-wallets-server.ts';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from '../ledger/audit.ts';
import { createAssets } from '../money/assets.ts';
import { approvePayout } from '../payouts/lifecycle/approve.ts';
import { cancelPayout } from '../payouts/lifecycle/cancel.ts';
import type { Payout } from '../payouts/payout/payout.ts';
import { payoutsById } from '../payouts/payout/read.ts';
import { orderFunding } from './fundings/order.ts';

const timeoutMs = 500;
const assets = createAssets();
let site: RemoteSite;
let payout: Payout;
let asker: string;
let approver: string;
const allowanceId = newId();

const { db } = await testDatabase();
beforeEach(async () => {
  site = await startRemoteSite(db, timeoutMs);
  [asker = '', approver = ''] = await seedMembers(db, site.shop, 2, site.clock.now());
  const asset = assets.get('usdt-bep20');
  const input = { username: 'jane', asset, units: 30n * unit };
  const wallet = await site.wallets.accountOf('jane');
  const limit = { of: 'integration', allowanceId, asset, limit: 1_000n * unit, units: input.units } as const;
  payout = await transaction(db, (tx) =>
    orderFunding(tx, deps(), {
      owner: { integrationId: site.shop, mode: 'test' },
      ...{ input, wallet, approvals: 1, uses: [limit] },
      requester: { accountId: asker, name: 'finance@example.com' },
    }),
  );
});
afterEach(async () => {
  // Each test starts with nothing taken.
  await db.query('DELETE FROM funding_allowances');
  await site.close();
});
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const deps = () => ({ ...fundingDeps, assets, now: site.clock.now });
const approve = () =>
  transaction(db, (tx) =>
    approvePayout(tx, deps(), payout.id, {
      accountId: approver,
      name: 'owner@example.com',
      side: 'merchant',
    }),
  );
const now = async () => (await payoutsById(db, [payout.id])).get(payout.id)!;
const used = async () => {
  const { rows } = await db.query<{ units: bigint }>('SELECT units FROM funding_allowances');
  return (rows[0]?.units ?? 0n) / unit;
};
const waiting = { available: 70n, held: 30n };
const untouched = { available: 100n, held: 0n };
const funded = { available: 70n, held: 0n };
const notCredited = { status: 'failed', failure: 'The other system did not credit it' };

test('nothing is asked of the other system before the approval, and once after it', async () => {
  expect(await site.wallets.reconcile()).toBe(0);
  expect([await site.balance(), site.states()]).toEqual([waiting, []]);
  expect(await approve()).toMatchObject({ status: 'sending' });
  expect([await site.balance(), site.states()]).toEqual([waiting, []]);
  await expect(transaction(db, (tx) => cancelPayout(tx, deps(), payout.id))).rejects.toThrow(
    'Payout can no longer be cancelled',
  );
  expect(await site.wallets.reconcile()).toBe(1);
  expect(await now()).toMatchObject({ status: 'completed' });
  expect([await site.balance(), site.states(), await used()]).toEqual([funded, ['applied'], 30n]);
  site.clock.advance(3600);
  expect(await site.wallets.reconcile()).toBe(0);
});

test.each<Fault>([
  'dropped',
  'error',
  'done, then dropped',
  'done, then garbage',
  'silent',
  'done, then silent',
  'overtaken',
])('a credit without a certain answer (%s) is taken back, and the payout fails', async (fault) => {
  await approve();
  site.failing('credit', fault);
  expect(await site.wallets.reconcile()).toBe(1);
  expect([(await now()).status, await site.balance(), await used()]).toEqual(['sending', waiting, 30n]);
  site.heal();
  // Until then the one who asked answers for it.
  site.clock.advance(9);
  expect(await site.wallets.reconcile()).toBe(0);
  site.clock.advance(2);
  expect(await site.wallets.reconcile()).toBe(1);
  expect(await now()).toMatchObject(notCredited);
  expect([await site.balance(), await used()]).toEqual([untouched, 0n]);
  expect(site.states()).not.toContain('applied');
  expect((await db.query('SELECT FROM funding_claims')).rowCount).toBe(0);
});

test('where nobody can be reached the payout fails at once', async () => {
  await approve();
  await site.remote.refuse();
  await site.wallets.reconcile();
  expect(await now()).toMatchObject(notCredited);
  expect([await site.balance(), await used()]).toEqual([untouched, 0n]);
});

test('a process that dies after it took the funding leaves it to the others, who take it back', async () => {
  await approve();
  await db.query('UPDATE remote_fundings SET tries = 1, next_try_at = $1', [site.clock.now()]);
  site.clock.advance(1);
  expect(await site.wallets.reconcile()).toBe(1);
  expect(await now()).toMatchObject(notCredited);
  expect([await site.balance(), site.states()]).toEqual([untouched, ['barred']]);
});

test('what the other system does not take back is booked, and the payout is complete', async () => {
  await approve();
  site.failing('credit', 'done, then dropped');
  await site.wallets.reconcile();
  site.heal();
  site.remote.irreversible = true;
  site.clock.advance(11);
  await site.wallets.reconcile();
  expect(await now()).toMatchObject({ status: 'completed' });
  expect([await site.balance(), site.states()]).toEqual([funded, ['applied']]);
});

test('several processes at once ask once', async () => {
  await approve();
  const processes = [0, 1, 2, 3].map(() => site.backend(site.client));
  await Promise.all(processes.map((each) => each.reconcile()));
  expect(site.remote.calls.filter((call) => call === 'credit')).toHaveLength(1);
  expect(await now()).toMatchObject({ status: 'completed' });
});
