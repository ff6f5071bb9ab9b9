import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Applicant, ApprovalState } from '../src/identity/console/answers/integrations.ts';
import { accounts, startChain } from './chain/chain.ts';
import type { CreatedPayment } from './support/api.ts';
import { submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { seedUser } from './support/fixtures.ts';
import { startApp } from './support/running.ts';

// Where the operator requires that live payments settle to addresses of their merchants' own.

const chain = await startChain();
const file = join(await testFolder(), 'florin.json');
await writeFile(file, JSON.stringify({ chains: [chain.entry({ fee_address: accounts.admin.address })] }));
const key = privateKeyToAccount(`0x${'11'.repeat(32)}`);

const env = { CONFIG_FILE: file, DIRECT_SETTLEMENT: 'required' };
const required = await startApp({ seed: { approved: true }, env });
const live = { key: required.liveSecretKey };
const create = async (body: object, as: { key?: string } = live) =>
  await required.api<CreatedPayment>('PUT', '/payment/create', {
    ...as,
    body: { payment_type: 'deposit', ...body },
  });
const coins = { amount: 10, currency: 'USDC' };
const euros = { price: { amount: 20, currency: 'EUR' } };
const linkOf = async (body: object) => await required.api('POST', '/payment-links', { ...live, body });
const ownAddress = async (asset: string, currency: string) => {
  const own = { address: key.address, mode: 'live', currency, by: 'owner', before: null };
  await required.db.query('UPDATE integrations SET own_addresses = own_addresses || $2 WHERE id = $1', [
    required.integrationId,
    { [asset]: { ...own, from: '2020-01-01T00:00:00.000Z' } },
  ]);
};
await seedUser(required.db, 'jane', 'correct horse battery staple');
for (const currency of ['USDC', 'USDT'])
  await required.db.query(
    "INSERT INTO typed_rates VALUES ($1, 'EUR', '0.9', now(), now() + interval '1 day')",
    [currency],
  );

test('a payment or link that nothing could pay is refused, and test mode has all', async () => {
  const missing = (asset: string) => ({
    status: 409,
    body: {
      error: 'own_address_missing',
      message: `No own address is set for ${asset}, and live payments need one here`,
    },
  });
  expect(await create(coins)).toMatchObject(missing('USDC'));
  expect(await create({ ...euros, currency: 'USDT' })).toMatchObject(missing('USDT'));
  expect(await create({ ...euros, currencies: ['USDC', 'USDT'] })).toMatchObject(missing('USDC, USDT'));
  expect(await create(euros)).toMatchObject(missing('any asset'));
  expect(await linkOf({ ...coins, title: 'A cup' })).toMatchObject(missing('USDC'));
  const { body } = await create(coins, {});
  expect(await (await fetch(body.data.PaymentURL)).text()).toContain('value="wallet"');
});

test('the tasks before live mode ask for one without waiting for it, and operators see who has none', async () => {
  const console = await openConsole(required);
  const [member, operator] = [await console.as('owner'), await console.as('operator')];
  const taskOf = async () =>
    (await member<ApprovalState>('GET', `${console.integration}/approval`)).body.data.tasks.find(
      ({ slug }) => slug === 'own_address',
    );
  const lacking = async () =>
    (
      await operator<{ items: Applicant[] }>('GET', '/console/operator/approvals?status=approved')
    ).body.data.items.map(({ lacks_own_address: lacks }) => lacks);
  expect(await taskOf()).toMatchObject({ done: false, optional: true });
  expect(await lacking()).toEqual([true]);
  const { body } = await member('POST', `${console.integration}/approval/request`);
  expect(body.error).toBe('approval_tasks_open');
  expect(body.message).not.toContain('address of your own');
  await ownAddress('usdc-bep20', 'USDC');
  expect(await taskOf()).toMatchObject({ done: true });
  expect(await lacking()).toEqual([false]);
});

test('a customer who chooses is offered the assets with an own address alone, and no wallet', async () => {
  const read = 'SELECT FROM evm_chains WHERE verified_at IS NOT NULL AND final_number IS NOT NULL';
  await expect.poll(async () => (await required.db.query(read)).rowCount, { timeout: 20_000 }).toBe(1);
  const { PaymentURL, PaymentData } = (await create(euros)).body.data;
  const page = await (await fetch(PaymentURL)).text();
  expect(page).toContain('value="usdc-bep20"');
  for (const other of ['wallet', 'usdt-bep20', 'pi']) expect(page).not.toContain(`value="${other}"`);
  const priced = await required.api<{ choices: string[] }>(
    'GET',
    `/payments/${PaymentData.payment_reference}`,
    live,
  );
  expect(JSON.stringify(priced.body.data)).not.toContain('USDT');
  await submitForm(PaymentURL, 'method', { asset: 'usdc-bep20' });
  const { rows } = await required.db.query(
    `SELECT FROM evm_addresses a JOIN evm_direct_places d ON d.address = a.treasury WHERE a.owner_id = $1`,
    [PaymentData.id],
  );
  expect(rows).toHaveLength(1);
});

test('nothing else can be chosen by a form either', async () => {
  const { PaymentURL } = (await create(euros)).body.data;
  for (const asset of ['wallet', 'usdt-bep20']) {
    const { headers } = await submitForm(PaymentURL, 'method', { asset, currency: 'USDC' });
    expect(headers.get('location')).toContain('not_possible');
  }
  const fields = { username: 'jane', password: 'correct horse battery staple', currency: 'USDC' };
  const { headers } = await submitForm(PaymentURL, 'wallet', fields);
  expect(headers.get('location')).toContain('not_possible');
  const { PaymentURL: charged } = (await create(coins)).body.data;
  const paid = await submitForm(charged, 'wallet', fields);
  expect(paid.headers.get('location')).toContain('not_possible');
  await ownAddress('usdt-bep20', 'USDT');
  const { PaymentURL: both } = (await create(euros)).body.data;
  expect(await (await fetch(both)).text()).toContain('value="usdt-bep20"');
});
