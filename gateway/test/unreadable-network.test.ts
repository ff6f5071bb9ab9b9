import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import { after } from '../src/kit/clock.ts';
import { newId } from '../src/kit/ids.ts';
import type { TopUpPage } from '../src/payouts/api/console-answers.ts';
import { unreadableSeconds } from '../src/rails/silence.ts';
import { walletPerson } from './browser/wallet-person.ts';
import { startChain } from './chain/chain.ts';
import { startRpcProxy } from './chain/rpc-proxy.ts';
import { type CreatedPayment, readPage, submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { startApp } from './support/running.ts';

// A network whose endpoint answers and cannot be read for minutes: wherever money is asked for on it, that is said.

const chain = await startChain();
const proxy = await startRpcProxy(chain.rpcUrl);
const asset = 'usdc-bep20';
const soon = { timeout: 60_000, interval: 50 };

const folder = await makeDataDir();
const file = join(folder, 'florin.json');
await writeFile(file, JSON.stringify({ chains: [chain.entry({ rpc: [proxy.url] })] }));
const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
await removeDataDir(folder);

async function payment(): Promise<string> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 25, currency: 'USDC', payment_type: 'deposit' },
  });
  return body.data.PaymentURL;
}
const stateOf = async (page: string) =>
  (await (await fetch(page.replace('?', '/state?'))).json()) as StateJson;
async function choose(page: string, choice: string): Promise<string | null> {
  const { headers } = await submitForm(page, 'method', { asset: choice });
  return new URL(headers.get('location') ?? '', page).searchParams.get('notice');
}

test('is chosen by nobody who had not chosen it, and its addresses say that money counts later', async () => {
  const [chosen, open] = [await payment(), await payment()];
  await vi.waitFor(async () => expect((await stateOf(open)).destinations).toHaveLength(1), soon);
  expect(await choose(chosen, asset)).toBeNull();
  const people = await openConsole(app);
  const owner = await people.as('owner');
  const path = `${people.live}/top-up-addresses`;
  expect((await owner('POST', path, { body: { asset } })).status).toBe(200);
  const topUps = async () => (await owner<TopUpPage>('GET', path)).body.data.items;
  const user = walletPerson(app.baseUrl);
  const username = `P${newId().replaceAll('-', '').slice(4, 30)}`;
  await user.send('sign-up', { username, password: 'correct horse battery staple' });
  const receive = async () => (await user.get(`receive?asset=${asset}`)).words;
  expect(await topUps()).toMatchObject([{ asset, is_readable: true }]);
  expect(await receive()).not.toContain('cannot be read');

  proxy.faults.longHashes = true;
  const ago = after(new Date(), -2 * unreadableSeconds);
  await vi.waitFor(async () => {
    const { rowCount } = await app.db.query(
      'UPDATE evm_chains SET scan_fault_at = $1 WHERE scan_fault IS NOT NULL',
      [ago],
    );
    expect(rowCount).toBe(1);
  }, soon);

  expect(await choose(open, asset)).toBe('network_unreadable');
  expect(await stateOf(open)).toMatchObject({ payment_status: 'unlinked', destinations: [] });
  expect((await readPage(`${open}&notice=network_unreadable`)).words).toContain(
    'This network cannot be read at the moment.',
  );
  expect(await choose(open, 'no-such-asset')).toBe('not_possible');
  // Who chose it before keeps the address.
  expect(await choose(chosen, asset)).toBeNull();
  expect((await stateOf(chosen)).destinations).toHaveLength(1);
  expect(await topUps()).toMatchObject([{ asset, is_readable: false }]);
  expect(await receive()).toContain(
    'This network cannot be read at the moment. The address stays valid, and what comes counts later.',
  );

  proxy.mend();
  await vi.waitFor(async () => expect(await topUps()).toMatchObject([{ is_readable: true }]), soon);
  expect(await choose(open, asset)).toBeNull();
  expect(await receive()).not.toContain('cannot be read');
});
