import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RemoteSite, startRemoteSite, unit } from '../../test/remote-wallets/remote-site.ts';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { kitErrors } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from '../ledger/audit.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { balancesOf, postAll, type Transfer } from '../ledger/ledger.ts';
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

describe('a funding', () => {
  test('is booked here and there, in decimals of the asset', async () => {
    expect(await site.wallets.fund(site.funding({ units: unit + 1n }))).toEqual({
      body: 'ok',
      replayed: false,
    });
    expect([...site.remote.book.values()]).toEqual([
      {
        username: 'jane',
        asset: 'usdt-bep20',
        amount: '1.000000000000000001',
        mode: 'test',
        state: 'applied',
      },
    ]);
  });

  test('keeps which key asked for it, from which address', async () => {
    const caller = { keyId: newId(), address: '203.0.113.7' };
    await site.wallets.fund(site.funding({ caller }));
    const { rows } = await db.query('SELECT key_id, address FROM remote_fundings WHERE key_id IS NOT NULL');
    expect(rows).toEqual([{ key_id: caller.keyId, address: caller.address }]);
  });

  test('for somebody whom the remote does not know is refused and touches nothing', async () => {
    const nobody = site.wallets.fund(site.funding({ username: 'nobody', units: 1_000n * unit }));
    await expect(nobody).rejects.toMatchObject({ row: walletErrors.user_not_found });
    expect(await site.balance()).toEqual(untouched);
    expect(site.remote.calls).toEqual(['user']);
  });

  test('of more than there is never reaches the remote', async () => {
    const tooMuch = site.wallets.fund(site.funding({ units: 101n * unit, key: site.keyFor('poor') }));
    await expect(tooMuch).rejects.toMatchObject({ row: ledgerErrors.insufficient_balance });
    expect(site.remote.book.size).toBe(0);
    expect(await site.balance()).toEqual(untouched);
  });

  test('while the remote refuses connections touches nothing, and works once it is back', async () => {
    await site.remote.refuse();
    const key = site.keyFor('early');
    await expect(site.wallets.fund(site.funding({ key }))).rejects.toMatchObject(unreachable);
    expect(await site.balance()).toEqual(untouched);
    await site.remote.accept();
    expect(await site.wallets.fund(site.funding({ key }))).toEqual({ body: 'ok', replayed: false });
    expect(await site.balance()).toEqual(funded);
  });

  test('that could not be sent at all gives its hold back at once', async () => {
    const lookingOnly: RemoteWallets = { ...site.client, hasUser: async () => true };
    await site.remote.refuse();
    const key = site.keyFor('unsent');
    await expect(site.backend(lookingOnly).fund(site.funding({ key }))).rejects.toMatchObject(unreachable);
    expect(await site.balance()).toEqual(untouched);
  });

  test('whose user was removed meanwhile gives its hold back', async () => {
    const trusting: RemoteWallets = { ...site.client, hasUser: async () => true };
    const nobody = site
      .backend(trusting)
      .fund(site.funding({ username: 'nobody', key: site.keyFor('gone') }));
    await expect(nobody).rejects.toMatchObject({ row: walletErrors.user_not_found });
    expect(await site.balance()).toEqual(untouched);
  });

  test('that gives its hold back to a business which owes pays the debt with it', async () => {
    const { integrationId, mode, asset } = site.funding();
    const owner = integrationId;
    const given = (units: bigint, debit: 'business' | 'receivable'): Transfer => ({
      id: newId(),
      mode,
      asset,
      units,
      debit: { kind: debit, owner },
      credit: { kind: 'user', owner: newId() },
      cause: 'test',
      causeId: null,
    });
    const lookingOnly: RemoteWallets = {
      ...site.client,
      hasUser: async () => true,
      // While its credit is under way the rest is spent, and the business comes to owe ten.
      credit: async () => {
        await transaction(db, (tx) =>
          postAll(tx, [given(70n * unit, 'business'), given(10n * unit, 'receivable')], new Date()),
        );
        return 'not_sent';
      },
    };
    await expect(site.backend(lookingOnly).fund(site.funding())).rejects.toMatchObject(unreachable);
    expect(await site.balance()).toEqual({ available: 20n, held: 0n });
    const [debt] = await balancesOf(db, { kind: 'receivable', owner, mode });
    expect(debt?.available).toBe(0n);
  });

  test('holds no transaction open while the remote takes its time', async () => {
    const gate = Promise.withResolvers<void>();
    site.remote.gate = gate.promise;
    const pending = site.wallets.fund(site.funding());
    await expect.poll(() => site.remote.calls).toContain('credit');
    const { rowCount } = await db.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    expect(rowCount).toBe(0);
    expect(await site.balance()).toEqual(waiting);
    gate.resolve();
    await pending;
    expect(await site.balance()).toEqual(funded);
  });
});

describe('a retry with the same Idempotency-Key', () => {
  test('while the outcome is unknown joins the hold and gets the same answer', async () => {
    const key = site.keyFor('again');
    site.failing('credit', 'dropped');
    await expect(site.wallets.fund(site.funding({ key }))).rejects.toMatchObject(unreachable);
    site.heal();
    site.clock.advance(11);
    for (let n = 0; n < 3; n++)
      await expect(site.wallets.fund(site.funding({ key }))).rejects.toMatchObject(unreachable);
    expect(await site.balance()).toEqual(waiting);
    await site.wallets.reconcile();
    expect(await site.wallets.fund(site.funding({ key }))).toEqual({ body: 'ok', replayed: false });
    expect(await site.balance()).toEqual(funded);
  });

  test('at the same moment waits for its twin and gets its body', async () => {
    const gate = Promise.withResolvers<void>();
    site.remote.gate = gate.promise;
    const key = site.keyFor('twins');
    const twins = [
      site.wallets.fund(site.funding({ key })),
      site.backend(site.client).fund(site.funding({ key })),
    ];
    await expect.poll(() => site.remote.calls).toContain('credit');
    gate.resolve();
    const answers = await Promise.all(twins);
    expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(await site.balance()).toEqual(funded);
    expect(site.states()).toEqual(['applied']);
  });

  test('after success gets the stored body', async () => {
    const key = site.keyFor('done');
    await site.wallets.fund(site.funding({ key }));
    expect(await site.wallets.fund(site.funding({ key, response: 'other' }))).toEqual({
      body: 'ok',
      replayed: true,
    });
    expect(await site.balance()).toEqual(funded);
  });

  test('and another body is refused, pending or done', async () => {
    site.failing('credit', 'dropped');
    await expect(site.wallets.fund(site.funding({ key: site.keyFor('k', 'one') }))).rejects.toMatchObject(
      unreachable,
    );
    site.heal();
    const other = site.wallets.fund(site.funding({ key: site.keyFor('k', 'two') }));
    await expect(other).rejects.toMatchObject({ row: kitErrors.idempotency_mismatch });
    expect(await site.balance()).toEqual(waiting);
  });
});
