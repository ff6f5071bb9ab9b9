import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, expect, test, vi } from 'vitest';
import { auditLedger } from '../src/ledger/audit.ts';
import { coin, openSendingWorld } from './pi/sending-world.ts';
import { root } from './support/operator.ts';

// Operators send PI that is owed, from the console to the network and back to the ledger.

const soon = { timeout: 120_000, interval: 50 };

const world = await openSendingWorld();
afterAll(() => world?.stop());

const send = (id: string, body: object) =>
  world.desk.call('POST', `${root}/owed-refunds/${id}/send`, { body });
const balance = (account: Keypair): bigint => world.horizon.core.accounts.get(account.publicKey())!.units;

/** What the ledger says that the account holds of what came since it is read. */
async function held(): Promise<bigint> {
  const { rows } = await world.app.db.query<{ held: bigint }>(
    `SELECT coalesce(-sum(e.units), 0) AS held FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'external' AND a.owner = 'pi'`,
  );
  return rows[0]!.held;
}

test('a refund that is owed is sent where the customer said, and its payment shows it', async () => {
  const { app, desk, owed, refundOrder, exchange, custody } = world;
  const refund = await refundOrder('send-1');
  expect(refund).toMatchObject({ state: 'requested', can_send: true, fault: null });
  const to = exchange.publicKey();
  const sent = await send(refund.id, { to: ` ${to} `, memo: 'U-1234' });
  expect(sent).toMatchObject({ status: 200, body: { data: { state: 'sending' } } });
  expect(await desk.lastChange()).toMatchObject({
    action: 'ordered a refund to be sent',
    after: { amount: '4', asset: 'pi', to, memo: 'U-1234' },
  });
  expect((await send(refund.id, { to })).body).toMatchObject({ error: 'refund_closed' });
  await vi.waitFor(async () => expect(await owed()).toEqual([]), soon);
  expect(balance(exchange)).toBe(104n * coin);
  expect(await held()).toBe(balance(custody) - 100n * coin);
  const { body } = await app.api<{ refunds: object[] }>('GET', '/payments/send-1', {
    key: app.liveSecretKey,
  });
  expect(body.data.refunds).toMatchObject([
    { status: 'completed', amount: '4', transaction: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect((await auditLedger(app.db)).findings).toEqual([]);
});

test('an address or memo that is none is refused, and nothing is held', async () => {
  const { app, refundOrder, exchange, custody } = world;
  const { id } = await refundOrder('send-2');
  const typo = exchange.publicKey().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const [wrong, message] of [
    [{ to: typo }, 'to is invalid: is no address of Pi'],
    [{ to: custody.secret() }, 'to is invalid: is no address of Pi'],
    [{ to: custody.publicKey() }, 'to is invalid: is the account that it would be sent from'],
    [{ to: exchange.publicKey(), memo: 'x'.repeat(29) }, 'memo is invalid: is longer'],
    [{}, 'to is invalid'],
  ] as const) {
    const { status, body } = await send(id, wrong);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  }
  const { rows } = await app.db.query(`SELECT 1 FROM ledger_holds WHERE state = 'pending'`);
  expect(rows).toEqual([]);
});

test('one that can never be sent is owed as before, with the reason', async () => {
  const { app, owed, payer, custody } = world;
  const [refund] = await owed();
  const to = Keypair.random().publicKey();
  expect((await send(refund!.id, { to })).status).toBe(200);
  await vi.waitFor(
    async () =>
      expect(await owed()).toMatchObject([
        { state: 'requested', destination: null, fault: 'The account that it was to go to does not exist' },
      ]),
    soon,
  );
  expect((await send(refund!.id, { to: payer.publicKey() })).status).toBe(200);
  await vi.waitFor(async () => expect(await owed()).toEqual([]), soon);
  expect(await held()).toBe(balance(custody) - 100n * coin);
  expect((await auditLedger(app.db)).findings).toEqual([]);
});

test('money that named no payment is sent back', async () => {
  const { app, desk, horizon, payer, custody } = world;
  const before = balance(payer);
  horizon.pay({ from: payer, to: custody.publicKey(), amount: 3n * coin, memo: 'hello' });
  const deposit = await vi.waitFor(async () => {
    const { items } = await desk.get('/strays');
    expect(items).toHaveLength(1);
    return items[0]!;
  }, soon);
  const body = { to: payer.publicKey(), memo: 'U-77', reason: 'The sender asked for it' };
  const path = `${root}/strays/${deposit.id}/send-back`;
  expect(await desk.call('POST', path, { body })).toMatchObject({ status: 200 });
  expect((await desk.call('POST', path, { body })).body).toMatchObject({ error: 'stray_decided' });
  await vi.waitFor(async () => {
    expect((await desk.get('/strays?state=decided')).items).toMatchObject([
      {
        state: 'returned',
        sent_back: { to: body.to, memo: 'U-77', transaction: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  }, soon);
  expect(balance(payer)).toBe(before - 100_000n);
  expect(await held()).toBe(balance(custody) - 100n * coin);
  expect((await auditLedger(app.db)).findings).toEqual([]);
});
