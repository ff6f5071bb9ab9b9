import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { startChain } from '../../../test/chain/chain.ts';
import { type CreatedPayment, readPage, submitForm } from '../../../test/support/api.ts';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { startApp } from '../../../test/support/running.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import type { StateJson } from '../state-json.ts';

// The hosted page of live payments in a gateway that reads a real chain.
const chain = await startChain();
const explorer = 'https://explorer.example';
const soon = { timeout: 120_000, interval: 50 };

let page: string;

const folder = await makeDataDir();
const file = join(folder, 'florin.json');
const entry = chain.entry({ explorer, public_rpc: chain.rpcUrl, block_seconds: 0.25 });
await writeFile(file, JSON.stringify({ chains: [entry] }));
const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
await removeDataDir(folder);

beforeEach(async () => {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 25.5, currency: 'USDC', payment_type: 'deposit' },
  });
  page = body.data.PaymentURL;
  // No network is offered before its contracts were verified.
  await vi.waitFor(async () => expect((await state()).destinations).toHaveLength(1), soon);
  await submitForm(page, 'method', { asset: 'usdc-bep20' });
});

const html = async () => (await fetch(page, { headers: { 'accept-language': 'en' } })).text();
const state = async () => (await (await fetch(page.replace('?', '/state?'))).json()) as StateJson;

/** Sends to the payment's address, and waits until the page shows this text. */
async function send(asset: string, units: bigint, words: string): Promise<Hex> {
  const [destination] = (await state()).destinations;
  const hash = await chain.tokens[asset]!.send(destination!.address as Hex, units);
  const plain = async () => (await readPage(page)).words.replaceAll('\u00a0', ' ');
  await vi.waitFor(async () => expect(await plain()).toContain(words), soon);
  return hash;
}

test('the page holds everything that a wallet needs to pay the exact amount', async () => {
  const [, order = ''] = (await html()).match(/data-order="([^"]*)"/) ?? [];
  const [destination] = (await state()).destinations;
  expect(JSON.parse(order.replaceAll('&quot;', '"'))).toMatchObject({
    to: destination!.address,
    units: '25500000000000000000',
    chainId: chain.id,
    publicRpcUrl: chain.rpcUrl,
    explorer,
  });
});

test('a part counts at once, and the state has the fields of the contract', async () => {
  const transaction = await send('usdc-bep20', 10n ** 18n, '1.00 USDC received, 24.50 USDC still to send');
  const { destinations, transfers } = await state();
  expect(destinations).toEqual([
    {
      asset: 'usdc-bep20',
      network: expect.any(String),
      address: expect.stringMatching(/^0x[\da-fA-F]{40}$/),
      memo: null,
      amount: '24.5',
    },
  ]);
  expect(transfers).toEqual([{ transaction, amount: '1', confirmations: 1, needed: 3 }]);
});

test('the full amount is seen, with a link to its block explorer, and then paid', async () => {
  const transaction = await send('usdc-bep20', 255n * 10n ** 17n, 'Sent, waiting for the network');
  expect(await html()).toContain(`href="${explorer}/tx/${transaction}"`);
  await chain.mine(5);
  await vi.waitFor(async () => expect((await readPage(page)).words).toContain('Paid. Thank you.'), soon);
});

test('money in another currency is shown, and the payment still waits for its own', async () => {
  await send('usdt-bep20', 10n ** 18n, '1.00 USDT has arrived, but this payment takes USDC');
  expect((await state()).payment_status).toBe('linked');
});

test('a wallet cannot be chosen where nobody has one', async () => {
  const { headers } = await submitForm(page, 'method', { asset: 'wallet' });
  expect(new URL(headers.get('location')!, page).searchParams.get('notice')).toBe('not_possible');
  expect((await state()).destinations).toHaveLength(1);
});
