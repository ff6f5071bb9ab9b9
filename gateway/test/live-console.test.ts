import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { checksummed } from '../src/rails/evm/addresses/forwarders.ts';
import { accounts, startChain } from './chain/chain.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { type OpenConsole, openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { type OperatorDesk, operatorDesk } from './support/operator.ts';
import { type RunningApp, startApp } from './support/running.ts';

// What the dashboard and the API show of live money, on a real chain.

const waitMs = 120_000;
const explorer = 'https://scan.example';
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const directory = await testFolder();

let app: RunningApp;
let people: OpenConsole;
let desk: OperatorDesk;
let reference: string;
let address: `0x${string}`;
let hash: string;

beforeAll(async () => {
  const file = join(directory, 'config.json');
  await writeFile(file, JSON.stringify({ chains: [chain.entry({ explorer })] }));
  app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  people = await openConsole(app);
  desk = await operatorDesk(people);
  reference = (await create()).PaymentData.payment_reference;
  const { rows } = await app.db.query<{ address: `0x${string}` }>('SELECT address FROM evm_addresses');
  address = rows[0]!.address;
  await vi.waitFor(async () => expect((await app.db.query(verifiedSql)).rowCount).toBe(1), waitMs);
  await usdt.send(address, 7n * 10n ** 18n);
  hash = await usdc.send(address, 10n * 10n ** 18n);
  await vi.waitFor(
    async () => {
      await chain.mine(1);
      expect((await detail()).payment_status).toBe('completed');
    },
    { timeout: waitMs, interval: 300 },
  );
});

const verifiedSql = 'SELECT FROM evm_chains WHERE verified_at IS NOT NULL';

type Detail = { payment_status: string; page_url: string; transfers: object[]; timeline: object[] };
type List = { items: { id: string; payment_reference: string }[] };

async function detail(): Promise<Detail> {
  const owner = await people.as('owner');
  return (await owner<Detail>('GET', `${people.live}/payments/${reference}`)).body.data;
}

async function create(): Promise<CreatedPayment> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit' },
  });
  return body.data;
}

async function found(q: string): Promise<string[]> {
  const owner = await people.as('owner');
  const { body } = await owner<List>('GET', `${people.live}/payments?${new URLSearchParams({ q })}`);
  return body.data.items.map((item) => item.payment_reference);
}

test('a live payment is found by its address and its transaction, in any case, and by its sender', async () => {
  const sender = accounts.payer.address;
  for (const q of [address, checksummed(address), ` ${address.toUpperCase().replace('0X', '0x')} `]) {
    expect(await found(q)).toEqual([reference]);
  }
  for (const q of [hash, hash.toUpperCase(), sender, sender.toLowerCase()]) {
    expect(await found(q)).toEqual([reference]);
  }
  for (const q of [address.slice(0, -1), `${hash}0`]) expect(await found(q)).toEqual([]);
  const stranger = await people.as('stranger');
  expect((await stranger('GET', `${people.live}/payments?q=${address}`)).status).toBe(404);
  const owner = await people.as('owner');
  const inTest = await owner<List>('GET', `${people.test}/payments?q=${address}`);
  expect(inTest.body.data.items).toEqual([]);
});

test('its transfers show network, sender, confirmations and the pages of the block explorer', async () => {
  const sender = accounts.payer.address.toLowerCase();
  const wanted = {
    transaction: hash,
    transaction_url: `${explorer}/tx/${hash}`,
    ...{ network: 'BNB Smart Chain', sender, sender_url: `${explorer}/address/${sender}` },
    ...{ asset: 'usdc-bep20', amount: '10', state: 'final', confirmations: 3, needed: 3 },
  };
  const shown = await detail();
  expect(shown.transfers).toContainEqual(expect.objectContaining(wanted));
  expect(shown.timeline).toContainEqual(
    expect.objectContaining({ kind: 'transfer', step: 'final', transaction_url: wanted.transaction_url }),
  );
  const { body } = await app.api<Detail>('GET', `/payments/${reference}`, { key: app.liveSecretKey });
  expect(body.data.transfers).toContainEqual(wanted);
});

test("a customer's 'I already paid' is answered by what the chain knows", async () => {
  const { PaymentURL, PaymentData } = await create();
  const claim = async (transaction: string): Promise<string | null> => {
    const { headers } = await submitForm(PaymentURL, 'claim', { transaction });
    return new URL(headers.get('location')!, PaymentURL).searchParams.get('notice');
  };
  expect(await claim('0x1234')).toBe('not_claimable');
  expect(await claim(`0x${'00'.repeat(32)}`)).toBe('claim_unknown');
  expect(await claim(hash)).toBe('claim_elsewhere');
  const { rows } = await app.db.query<{ address: `0x${string}` }>(
    'SELECT address FROM evm_addresses WHERE owner_id = $1',
    [PaymentData.id],
  );
  await chain.client.setAutomine(false);
  const paid = await usdc.send(rows[0]!.address, 1n);
  expect(await claim(paid)).toBe('claim_waiting');
  await chain.mine(1);
  await chain.client.setAutomine(true);
  expect(await claim(paid.toUpperCase().replace('0X', '0x'))).toBe('claim_found');
});

describe('an operator', () => {
  test('sees who sent what stands in suspense', async () => {
    const { items } = await desk.get('/suspense');
    expect(items).toMatchObject([
      {
        asset: 'usdt-bep20',
        amount: '7',
        is_of_currency: false,
        sender: accounts.payer.address.toLowerCase(),
        sender_url: expect.stringContaining(`${explorer}/address/0x`),
        transaction_url: expect.stringContaining(`${explorer}/tx/0x`),
      },
    ]);
  });

  test('sees what lies on addresses and what was swept', async () => {
    const place = {
      ...{ mode: 'live', rail: 'evm:31337', network: 'BNB Smart Chain' },
      ...{ own_on_addresses: '0', in_treasury: '0' },
    };
    expect((await desk.get('/holdings')).items).toEqual([
      { ...place, asset: 'usdc-bep20', currency: 'USDC', on_addresses: '10' },
      { ...place, asset: 'usdt-bep20', currency: 'USDT', on_addresses: '7' },
    ]);
  });

  test('sees what was paid beyond the amount due, until it was given back', async () => {
    expect((await desk.get('/owed-overpayments')).items).toEqual([]);
    await usdc.send(address, 2n * 10n ** 18n);
    await vi.waitFor(
      async () => {
        await chain.mine(1);
        expect((await desk.get('/owed-overpayments')).items).toMatchObject([
          { reference, amounts: [{ asset: 'usdc-bep20', network: 'BNB Smart Chain', amount: '2' }] },
        ]);
      },
      { timeout: waitMs, interval: 300 },
    );
  });

  test('sees what is owed back to a customer, and where it came from', async () => {
    expect((await desk.get('/owed-refunds')).items).toEqual([]);
    const page = new URL((await detail()).page_url);
    const body = new URLSearchParams(page.search);
    body.set('reason', 'Nothing came');
    await fetch(new URL(`${page.pathname}/dispute`, page), { method: 'POST', body, redirect: 'manual' });
    const owner = await people.as('owner');
    const appeals = await owner<List>('GET', `${people.live}/appeals`);
    const { id } = appeals.body.data.items[0]!;
    expect((await owner('POST', `${people.live}/appeals/${id}/return`, { body: {} })).status).toBe(200);
    expect((await desk.get('/owed-overpayments')).items).toEqual([]);
    const { items } = await desk.get('/owed-refunds');
    expect(items.map(({ asset }) => asset).sort()).toEqual(['usdc-bep20', 'usdt-bep20']);
    expect(items[0]).toMatchObject({
      reference,
      mode: 'live',
      network: 'BNB Smart Chain',
      sender: accounts.payer.address.toLowerCase(),
    });
  });
});
