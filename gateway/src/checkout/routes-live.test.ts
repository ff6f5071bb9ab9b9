import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type CreatedPayment, readPage, submitForm } from '../../test/api.ts';
import { startChain } from '../../test/chain.ts';
import { makeDataDir, removeDataDir } from '../../test/data-dir.ts';
import { noHints } from '../../test/fixtures.ts';
import { type RunningApp, startApp } from '../../test/running.ts';
import { createAssets } from '../kit/assets.ts';
import { systemClock } from '../kit/clock.ts';
import { transaction } from '../kit/db.ts';
import { recordTransfer } from '../payments/observe.ts';
import { railOf } from '../rails/evm/chains.ts';
import type { StateJson } from './state-json.ts';

const chain = await startChain();
const explorer = 'https://explorer.example';
const rail = railOf(chain.id);
const hash = `0x${'5a'.repeat(32)}`;

let app: RunningApp;
let page: string;

beforeAll(async () => {
  const folder = await makeDataDir();
  const file = join(folder, 'florin.json');
  await writeFile(file, JSON.stringify({ chains: [chain.entry({ explorer, public_rpc: chain.rpcUrl })] }));
  app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  await removeDataDir(folder);
  await app.db.query(
    `INSERT INTO evm_chains (chain_id, verified_at, verified_assets) VALUES ($1, now(), $2)
     ON CONFLICT (chain_id) DO UPDATE SET verified_at = now(), verified_assets = $2`,
    [chain.id, Object.keys(chain.tokens)],
  );
});

beforeEach(async () => {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 25.5, currency: 'USDC', payment_type: 'deposit' },
  });
  page = body.data.PaymentURL;
});

const html = async () => (await fetch(page, { headers: { 'accept-language': 'en' } })).text();
const state = async () => (await (await fetch(page.replace('?', '/state?'))).json()) as StateJson;

/** What a scanner would tell of a transfer to the payment. */
async function observe(asset: string, units: bigint): Promise<void> {
  const { rows } = await app.db.query<{ id: string }>('SELECT id FROM payments WHERE reference = $1', [
    new URL(page).searchParams.get('reference'),
  ]);
  const paymentId = rows[0]!.id;
  const seen = { rail, key: `${paymentId}:${asset}`, paymentId, transaction: hash, asset, units };
  const deps = { hints: noHints, assets: createAssets(), now: systemClock };
  await transaction(app.db, (tx) =>
    recordTransfer(tx, deps, { ...seen, state: 'seen', confirmations: 1, needed: 3 }),
  );
}

test('a live payment offers the networks of its currency, then the chosen one with all that a wallet needs', async () => {
  expect((await readPage(page)).words).toContain('Confirmed in about 3 sec · Network fee in ETH');
  await submitForm(page, 'method', { asset: 'usdc-bep20' });
  const [, order = ''] = (await html()).match(/data-order="([^"]*)"/) ?? [];
  const [destination] = (await state()).destinations;
  expect(JSON.parse(order.replaceAll('&quot;', '"'))).toMatchObject({
    to: destination!.address,
    units: '25500000000000000000',
    chainId: chain.id,
    publicRpcUrl: chain.rpcUrl,
  });
});

test('the state keeps to the contract: of a network it tells neither contract nor endpoint', async () => {
  await submitForm(page, 'method', { asset: 'usdc-bep20' });
  await observe('usdc-bep20', 10n ** 18n);
  const { destinations, transfers } = await state();
  expect(destinations).toEqual([
    {
      asset: 'usdc-bep20',
      network: destinations[0]!.network,
      address: expect.stringMatching(/^0x[\da-fA-F]{40}$/),
      memo: null,
      amount: '24.5',
    },
  ]);
  expect(transfers).toEqual([{ transaction: hash, amount: '1', confirmations: 1, needed: 3 }]);
});

test('a transfer is linked to where its network shows it', async () => {
  await observe('usdc-bep20', 255n * 10n ** 17n);
  expect(await html()).toContain(`href="${explorer}/tx/${hash}"`);
  expect((await readPage(page)).words).toContain('Payment seen: 1 of 3 confirmations');
});

test('money in another currency is named, and the payment goes on waiting', async () => {
  await submitForm(page, 'method', { asset: 'usdc-bep20' });
  await observe('usdt-bep20', 10n ** 18n);
  const { words } = await readPage(page);
  expect(words).toContain('Send 25.50 USDC');
  expect(words.replaceAll('\u00a0', ' ')).toContain('1.00 USDT has arrived, but this payment takes USDC.');
});
