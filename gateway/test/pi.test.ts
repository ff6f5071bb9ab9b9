import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, expect, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import { auditLedger } from '../src/ledger/audit.ts';
import type { RailHealth } from '../src/rails/health.ts';
import { startHorizon } from './horizon/horizon.ts';
import type { CreatedPayment } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { operatorDesk } from './support/operator.ts';
import { startApp } from './support/running.ts';

// A gateway with the Pi network in its configuration file, from the API to the ledger.

const coin = 10_000_000n;
const [custody, payer] = [Keypair.random(), Keypair.random()];

const directory = await testFolder();
const first = await startHorizon();
const second = await startHorizon({ core: first.core });
first.fund(custody.publicKey(), 20n * coin);
first.fund(payer.publicKey(), 1_000n * coin);
const file = join(directory, 'config.json');
const entry = {
  passphrase: first.passphrase,
  horizon: [first.url, second.url],
  account: custody.publicKey(),
  explorer: 'https://explorer.example',
};
await writeFile(file, JSON.stringify({ pi: entry }));
const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
const people = await openConsole(app);
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const soon = { timeout: 120_000, interval: 50 };

/** A live payment of 10 PI, and what its page says to send where. */
async function createLive(reference: string) {
  const { status, body, text } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 10, currency: 'PI', payment_type: 'deposit', payment_reference: reference },
  });
  expect({ status, text }).toEqual({ status: 200, text });
  return await vi.waitFor(async () => {
    const state = (await (await fetch(body.data.PaymentURL.replace('?', '/state?'))).json()) as StateJson;
    const [destination] = state.destinations;
    if (!destination) throw new Error('no address is shown');
    return { address: destination.address, memo: destination.memo! };
  }, soon);
}

async function statusOf(reference: string): Promise<string | undefined> {
  const { body } = await app.api<CreatedPayment['PaymentData']>('GET', `/payment/info/${reference}`, {
    key: app.liveSecretKey,
  });
  return body.data?.payment_status;
}
const isCompleted = (reference: string) =>
  vi.waitFor(async () => expect(await statusOf(reference)).toBe('completed'), soon);

test('a live payment is shown an account and a memo, and is completed by a plain transfer', async () => {
  const { address, memo } = await createLive('pi-1');
  expect(address).toBe(custody.publicKey());
  const hash = first.pay({ from: payer, to: address, amount: 10n * coin, memo });
  await isCompleted('pi-1');
  const owner = await people.as('owner');
  const detail = await owner('GET', `${people.live}/payments/pi-1`);
  expect(detail.body.data).toMatchObject({
    transfers: [
      {
        transaction: hash,
        transaction_url: `https://explorer.example/tx/${hash}`,
        sender_url: `https://explorer.example/account/${payer.publicKey()}`,
      },
    ],
  });
});

test('money without a memo stands apart, and the books are right', async () => {
  first.pay({ from: payer, to: custody.publicKey(), amount: 3n * coin });
  await vi.waitFor(async () => {
    const { rows } = await app.db.query('SELECT units, memo FROM unmatched_deposits');
    expect(rows).toEqual([{ units: 3n * coin, memo: null }]);
  }, soon);
  first.pay({ from: custody, to: payer.publicKey(), amount: 2n * coin });
  const held = first.core.accounts.get(custody.publicKey())!.units - 20n * coin;
  await vi.waitFor(async () => {
    const { rows } = await app.db.query<{ held: bigint }>(
      `SELECT -sum(e.units) AS held FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
       WHERE a.kind = 'external' AND a.owner = 'pi'`,
    );
    expect(rows).toEqual([{ held }]);
  }, soon);
  expect((await auditLedger(app.db)).findings).toEqual([]);
});

test('the money that comes while one Horizon is down is counted by the other', async () => {
  const { address, memo } = await createLive('pi-2');
  first.faults.add({ kind: 'error', times: Number.POSITIVE_INFINITY });
  first.faults.cutStreams();
  first.pay({ from: payer, to: address, amount: 10n * coin, memo });
  await isCompleted('pi-2');
  first.faults.clear();
});

test('operators see the network, and find a payment by its memo', async () => {
  const { memo } = await createLive('pi-3');
  const desk = await operatorDesk(people);
  const { items } = await desk.get('/rails');
  const health = (items as unknown as RailHealth[]).find(({ rail }) => rail === 'pi');
  expect(health).toMatchObject({ chain: first.passphrase, status: 'up', faults: [] });
  const owner = await people.as('owner');
  const found = await owner<{ items: { payment_reference: string }[] }>(
    'GET',
    `${people.live}/payments?q=${memo.toLowerCase()}`,
  );
  expect(found.body.data.items.map((each) => each.payment_reference)).toEqual(['pi-3']);
});
