import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { OtherCoin } from '../src/networks/console-answers.ts';
import { checksummed, forwarderAddress } from '../src/rails/evm/addresses/forwarders.ts';
import { nativeCoin } from '../src/rails/evm/send/words.ts';
import { openBrowser } from './browser/browser.ts';
import { judge, narrowDark, openTab, settle, twoLooks } from './browser/dashboard-look.ts';
import { accounts, startChain, treasury } from './chain/chain.ts';
import { openBench } from './chain/sweep-fixtures.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { type OpenConsole, openConsole } from './support/console.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { type OperatorDesk, operatorDesk, root } from './support/operator.ts';
import { type RunningApp, startApp } from './support/running.ts';

// A customer sends what is not taken to the very address of a payment, and names the transaction on its page.

const chain = await startChain();
const soon = { timeout: 60_000, interval: 50 };
const unlisted = chain.tokens['csk-bep20']!;

let app: RunningApp;
let people: OpenConsole;
let desk: OperatorDesk;

beforeAll(async () => {
  const folder = await makeDataDir();
  const file = join(folder, 'florin.json');
  const { tokens, ...entry } = chain.entry({ explorer: 'https://scan.example' });
  const { 'csk-bep20': _, ...taken } = tokens;
  await writeFile(file, JSON.stringify({ chains: [{ ...entry, tokens: taken }] }));
  app = await startApp({ env: { CONFIG_FILE: file }, seed: { name: 'Nib & Folio', approved: true } });
  await removeDataDir(folder);
  people = await openConsole(app);
  desk = await operatorDesk(people);
});

/** A live payment: its page, and what its address is. */
async function created(payment_reference: string) {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 25, currency: 'USDC', payment_type: 'deposit', payment_reference },
  });
  const { rows } = await app.db.query<{ id: string }>('SELECT id FROM payments WHERE reference = $1', [
    payment_reference,
  ]);
  return { page: body.data.PaymentURL, id: rows[0]!.id, address: forwarderAddress(treasury, rows[0]!.id) };
}

async function claim(page: string, transaction: string): Promise<string | null> {
  const { headers } = await submitForm(page, 'claim', { transaction });
  return new URL(headers.get('location') ?? '', page).searchParams.get('notice');
}

const listed = async () => (await desk.get('/other-coins')).items as unknown as OtherCoin[];

test('operators see the coin or token that came and is not taken, and the command that recovers it', async () => {
  expect(await listed()).toEqual([]);
  const { page, id, address } = await created('~order:1');
  await vi.waitFor(async () => {
    const shown = (await (await fetch(page.replace('?', '/state?'))).json()) as { destinations: [] };
    expect(shown.destinations.length).toBeGreaterThan(0);
  }, soon);

  const native = await chain.transact(accounts.payer, address, '0x', 7n * 10n ** 17n);
  await chain.mined(native);
  const token = await unlisted.send(address, 5n);
  await chain.mined(token);
  for (const hash of [native, native, token, token]) {
    expect(await claim(page, hash)).toBe('claim_other_coin');
  }

  const common = {
    id: expect.any(String),
    chain: 'Local',
    address: checksummed(address),
    found_at: expect.any(String),
    state: 'open',
    payment: {
      reference: '~order:1',
      integration_id: app.integrationId,
      integration_name: 'Nib & Folio',
    },
  };
  const rows = [
    {
      ...common,
      token: checksummed(unlisted.address),
      symbol: null,
      amount: '5',
      transaction: token,
      transaction_url: `https://scan.example/tx/${token}`,
      command: `florin sweep --chain 31337 --token ${checksummed(unlisted.address)} --payment '~order:1'`,
    },
    {
      ...common,
      token: nativeCoin,
      symbol: 'ETH',
      amount: '0.7',
      transaction: native,
      transaction_url: `https://scan.example/tx/${native}`,
      command: `florin sweep --chain 31337 --token ${nativeCoin} --payment '~order:1'`,
    },
  ];
  expect(await listed()).toEqual(rows);

  // The command is what the sweeper does with it.
  const bench = await openBench(app.db, chain);
  const sweeper = bench.sweeper();
  await sweeper.sweep({ kind: 'token', token: unlisted.address, paymentIds: [id] });
  await sweeper.tick();
  expect(await unlisted.balanceOf(address)).toBe(0n);
  expect(await listed()).toEqual([{ ...rows[0], state: 'recovered' }, rows[1]]);
  const paged = await desk.call<{ items: OtherCoin[]; next_cursor: string }>(
    'GET',
    `${root}/other-coins?limit=1`,
  );
  expect(paged.body.data.items).toHaveLength(1);
  expect(paged.body.data.next_cursor).toEqual(expect.any(String));
});

test('the dashboard lists them, and shows the command beside the address', async () => {
  const { page, faults } = await openTab(await openBrowser(), { app, people, params: {} }, 'operator');
  await page.goto('/app/operator/money?tab=other-coins');
  await settle(page);
  await page.getByText('Not recovered').waitFor();
  const found = await judge(page, narrowDark, 'dashboard/other-coins-360-dark');
  await page.getByRole('link', { name: '~order:1' }).last().click();
  await page.getByText(`florin sweep --chain 31337 --token ${nativeCoin} --payment '~order:1'`).waitFor();
  await page.getByText('the native coin, ETH').waitFor();
  for (const look of twoLooks) found.push(...(await judge(page, look, `dashboard/other-coin-${look.name}`)));
  expect([...found, ...faults]).toEqual([]);
});
