import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RemoteSite, startRemoteSite } from '../../test/remote-wallets/remote-site.ts';
import type { Fault } from '../../test/remote-wallets/remote-wallets-server.ts';
import { testDatabase } from '../../test/support/database.ts';
import { auditLedger } from '../ledger/audit.ts';
import { walletErrors } from './errors.ts';
import type { RemoteWallets } from './remote-wallets.ts';

let site: RemoteSite;
const { db } = await testDatabase();
beforeEach(async () => {
  site = await startRemoteSite(db);
});
afterEach(() => site.close());
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const unreachable = { row: walletErrors.backend_unreachable };
const untouched = { available: 100n, held: 0n };
const funded = { available: 70n, held: 0n };
const waiting = { available: 70n, held: 30n };

describe('a credit without a certain answer', () => {
  test.each<[Fault, string[]]>([
    ['dropped', ['barred']],
    ['error', ['barred']],
    ['done, then dropped', ['reversed']],
    ['done, then error', ['reversed']],
    ['done, then garbage', ['reversed']],
  ])('(%s) keeps its hold until it was cancelled at the remote', async (fault, after) => {
    site.failing('credit', fault);
    await expect(site.wallets.fund(site.funding({ key: site.keyFor(fault) }))).rejects.toMatchObject(
      unreachable,
    );
    expect(await site.balance()).toEqual(waiting);
    site.heal();
    expect(await site.wallets.reconcile()).toBe(0);
    site.clock.advance(11);
    expect(await site.wallets.reconcile()).toBe(1);
    expect(await site.balance()).toEqual(untouched);
    expect(site.states()).toEqual(after);
    expect(await site.wallets.reconcile()).toBe(0);
    // Its key is free again: the next try is a new funding.
    expect(await site.wallets.fund(site.funding({ key: site.keyFor(fault) }))).toEqual({
      body: 'ok',
      replayed: false,
    });
    expect(await site.balance()).toEqual(funded);
  });

  test.each<Fault>(['silent', 'done, then silent', 'overtaken'])(
    '(%s) is given up after the timeout',
    async (fault) => {
      const impatient = site.clientWith(250);
      const wallets = site.backend({ ...site.client, credit: impatient.credit });
      site.failing('credit', fault);
      await expect(wallets.fund(site.funding())).rejects.toMatchObject(unreachable);
      expect(await site.balance()).toEqual(waiting);
      site.heal();
      site.clock.advance(11);
      await wallets.reconcile();
      expect(await site.balance()).toEqual(untouched);
      // Even a request that comes after its own cancellation is not booked there.
      expect(site.states()).not.toContain('applied');
      await impatient.close();
    },
  );

  test('that can no longer be taken back is booked once, logged once, and answers its key for good', async () => {
    const lines = new PassThrough();
    const loud = site.backend(site.client, pino(lines));
    const key = site.keyFor('final');
    site.failing('credit', 'done, then dropped');
    await expect(loud.fund(site.funding({ key }))).rejects.toMatchObject(unreachable);
    site.heal();
    site.remote.irreversible = true;
    site.clock.advance(11);
    await loud.reconcile();
    site.clock.advance(1_000);
    await loud.reconcile();
    expect(await site.balance()).toEqual(funded);
    expect(lines.read()?.toString().trim().split('\n')).toEqual([
      expect.stringContaining('could not be taken back'),
    ]);
    const { rows } = await db.query(
      'SELECT state, irreversible FROM remote_fundings WHERE integration_id = $1',
      [site.shop],
    );
    expect(rows).toEqual([{ state: 'posted', irreversible: true }]);
    expect(await site.wallets.fund(site.funding({ key }))).toEqual({ body: 'ok', replayed: true });
    expect(site.states()).toEqual(['applied']);
  });

  test('that was booked before its late answer came answers its request', async () => {
    const late = site.backend({
      ...site.client,
      credit: async (credit) => {
        const outcome = await site.client.credit(credit);
        site.remote.irreversible = true;
        site.clock.advance(11);
        await site.wallets.reconcile();
        return outcome;
      },
    });
    expect(await late.fund(site.funding())).toEqual({ body: 'ok', replayed: false });
    expect(await site.balance()).toEqual(funded);
  });

  test('is asked for ever less often while the remote stays away, and never given up', async () => {
    site.failing('credit', 'dropped');
    await expect(site.wallets.fund(site.funding())).rejects.toMatchObject(unreachable);
    await site.remote.refuse();
    const pauses: number[] = [];
    let since = 0;
    for (let second = 0; second < 1_300; second += 5) {
      site.clock.advance(5);
      since += 5;
      if ((await site.wallets.reconcile()) === 0) continue;
      pauses.push(since);
      since = 0;
    }
    expect(pauses).toEqual([10, 5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(await site.balance()).toEqual(waiting);
    await site.remote.accept();
    site.heal();
    site.clock.advance(301);
    await site.wallets.reconcile();
    expect(await site.balance()).toEqual(untouched);
  });

  test('is cancelled by one of two reconcilers', async () => {
    site.failing('credit', 'done, then dropped');
    await expect(site.wallets.fund(site.funding())).rejects.toMatchObject(unreachable);
    site.heal();
    site.clock.advance(11);
    const counts = await Promise.all([site.wallets.reconcile(), site.backend(site.client).reconcile()]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(site.remote.calls.filter((call) => call === 'cancel')).toHaveLength(1);
    expect(await site.balance()).toEqual(untouched);
  });

  test('that is cancelled twice is voided once', async () => {
    site.failing('credit', 'done, then dropped');
    await expect(site.wallets.fund(site.funding())).rejects.toMatchObject(unreachable);
    site.failing('cancel', 'done, then dropped');
    site.clock.advance(11);
    await site.wallets.reconcile();
    expect(await site.balance()).toEqual(waiting);
    site.heal();
    site.clock.advance(301);
    await site.wallets.reconcile();
    expect(await site.balance()).toEqual(untouched);
    expect(site.states()).toEqual(['reversed']);
  });
});

test('a process that died between hold and answer is cleared up after by another', async () => {
  const dying: RemoteWallets = { ...site.client, credit: () => new Promise(() => {}) };
  void site.backend(dying).fund(site.funding({ key: site.keyFor('crash') }));
  await expect.poll(site.balance).toEqual(waiting);
  site.clock.advance(11);
  expect(await site.wallets.reconcile()).toBe(1);
  expect(await site.balance()).toEqual(untouched);
  expect(await site.wallets.fund(site.funding({ key: site.keyFor('crash') }))).toMatchObject({
    replayed: false,
  });
});

test('an answer that comes after its funding was taken back is not a success', async () => {
  const gate = Promise.withResolvers<void>();
  const slow: RemoteWallets = {
    ...site.client,
    credit: async (credit) => {
      const outcome = await site.client.credit(credit);
      await gate.promise;
      return outcome;
    },
  };
  const late = expect(site.backend(slow).fund(site.funding())).rejects.toMatchObject(unreachable);
  await expect.poll(site.states).toEqual(['applied']);
  site.clock.advance(11);
  await site.wallets.reconcile();
  gate.resolve();
  await late;
  expect(site.states()).toEqual(['reversed']);
  expect(await site.balance()).toEqual(untouched);
});
