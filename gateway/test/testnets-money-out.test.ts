import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { findUserIds } from '../src/wallets/users.ts';
import { walletPerson } from './browser/wallet-person.ts';
import { accounts, startChain } from './chain/chain.ts';
import { gasKeyFile } from './chain/sweep-fixtures.ts';
import { admin, deployVault } from './chain/vault-fixtures.ts';
import { type CreatedPayment, createApi, submitForm } from './support/api.ts';
import { testFolder } from './support/data-dir.ts';
import { seedBalance } from './support/fixtures.ts';
import { restrictedKey } from './support/keys.ts';
import { auditFindings } from './support/payment-fixtures.ts';
import { startApp } from './support/running.ts';

// What leaves in an asset of a test network: by the vault of its own entry, asked for by test keys and test money alone.

const asset = 'usdc-local-test';
const keyless = 'usdt-local-test';
const soon = { timeout: 120_000, interval: 100 };

const testnet = await startChain({ chainId: 31338, assets: { [asset]: 6 } });
const other = await startChain({ chainId: 31339, assets: { [keyless]: 6 } });
const key = await gasKeyFile();
await testnet.client.setBalance({ address: key.address, value: 10n ** 18n });
const token = testnet.tokens[asset]!;
const vault = await deployVault(testnet, { limits: { [token.address]: 1_000_000_000n } });
await vault.call('setSigner', [key.address]);
await token.mint(vault.address, 100_000_000n);

const file = join(await testFolder(), 'config.json');
const named = { currency: 'USDC', scale: 6, network: 'Local test', test: true };
const assets = [
  { code: asset, ...named },
  { code: keyless, ...named, currency: 'USDT', network: 'Other test' },
];
const withVault = {
  ...testnet.entry({ name: 'Local test', test: true }),
  vault: { admin, signer: { key_file: key.file } },
};
const without = other.entry({ name: 'Other test', test: true, treasury: accounts.gas.address });
await writeFile(file, JSON.stringify({ assets, chains: [withVault, without] }));
const app = await startApp({
  env: { CONFIG_FILE: file, WALLETS: 'open', WITHDRAWAL_CHECKS: '0' },
  seed: { approved: true },
});
const api = createApi(
  app.baseUrl,
  await restrictedKey(app.db, app.integrationId, { actions: ['make payouts', 'make refunds'] }),
);

const verified = 'SELECT FROM evm_chains WHERE verified_at IS NOT NULL AND final_number IS NOT NULL';
await vi.waitFor(async () => expect((await app.db.query(verified)).rowCount).toBe(2), soon);

const freshAddress = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;

/** Waits until the token's new owner has so many units, and the order is completed. */
async function arrives(to: Hex, units: bigint, status: () => Promise<unknown>): Promise<void> {
  await vi.waitFor(async () => {
    await testnet.mine(2);
    expect(await token.balanceOf(to)).toBe(units);
    expect(await status()).toBe('completed');
  }, soon);
}

/** A test payment of 10 USDC that was paid on the test network. */
async function paid(): Promise<string> {
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const url = made.body.data.PaymentURL;
  await submitForm(url, 'method', { asset });
  const state = async () => (await (await fetch(url.replace('?', '/state?'))).json()) as StateJson;
  await token.send((await state()).destinations[0]!.address as Hex, 10_000_000n);
  await vi.waitFor(async () => {
    await testnet.mine(2);
    expect((await state()).payment_status).toBe('completed');
  }, soon);
  return made.body.data.PaymentData.payment_reference;
}

/** What live mode has of any asset: nothing, whatever happens here. */
const liveEntries = async () =>
  (await app.db.query("SELECT FROM ledger_accounts WHERE mode = 'live' AND balance <> 0")).rowCount;

test('a refund goes back to the payer, and a payout to whoever it names', async () => {
  const reference = await paid();
  const payer = accounts.payer.address.toLowerCase() as Hex;
  const before = await token.balanceOf(payer);
  const refund = await api<{ id: string; asset: string }>('POST', `/payments/${reference}/refunds`, {
    body: { amount: '4', to: payer },
  });
  expect(refund.body).toMatchObject({ data: { asset, amount: '4' } });
  const statusOfRefund = async () => {
    const { body } = await api<{ items: { status: string }[] }>('GET', `/payments/${reference}/refunds`);
    return body.data.items[0]?.status;
  };
  await arrives(payer, before + 4_000_000n, statusOfRefund);

  const to = freshAddress();
  const payout = await api<{ id: string }>('POST', '/payouts', { body: { asset, amount: '3', to } });
  expect(payout.body.message).toBe('Payout created');
  const statusOfPayout = async () =>
    (await api<{ status: string }>('GET', `/payouts/${payout.body.data.id}`)).body.data.status;
  await arrives(to, 3_000_000n, statusOfPayout);
  expect(await liveEntries()).toBe(0);
  expect(await auditFindings(app.db)).toEqual([]);
});

test('a user withdraws test money of a test network, and no live money of it exists', async () => {
  const person = walletPerson(app.baseUrl);
  const sent = await person.send('sign-up', { username: 'jane', password: 'correct horse battery staple' });
  expect(sent.status).toBe(303);
  const owner = (await findUserIds(app.db, ['jane'])).get('jane') ?? '';
  await seedBalance(app.db, { owner, kind: 'user', mode: 'test', asset, units: 9_000_000n });
  const to = freshAddress();
  const fields = { asset, amount: '2', to, confirm: 'yes' };
  expect((await person.send('withdraw', { ...fields, mode: 'live' })).status).toBe(400);
  expect((await person.send('withdraw', { ...fields, mode: 'test' })).to).toContain('withdrawOrdered');
  const status = async () =>
    (
      await app.db.query<{ status: string }>(
        "SELECT status FROM payouts WHERE purpose = 'withdrawal' AND asset = $1",
        [asset],
      )
    ).rows[0]?.status;
  await arrives(to, 2_000_000n, status);
  expect(await liveEntries()).toBe(0);
});

test('without a vault of the entry itself nothing leaves, and each way says so', async () => {
  const business = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
  await seedBalance(app.db, { ...business, asset: keyless, units: 9_000_000n });
  const refused = `Payouts in ${keyless} are not available: this installation has no key that sends it`;
  const payout = await api('POST', '/payouts', { body: { asset: keyless, amount: '1', to: freshAddress() } });
  expect([payout.status, payout.body.message]).toEqual([409, refused]);
  const person = walletPerson(app.baseUrl);
  await person.send('sign-up', { username: 'joan', password: 'correct horse battery staple' });
  const owner = (await findUserIds(app.db, ['joan'])).get('joan') ?? '';
  await seedBalance(app.db, { owner, kind: 'user', mode: 'test', asset: keyless, units: 9_000_000n });
  const fields = { mode: 'test', asset: keyless, amount: '2', to: freshAddress(), confirm: 'yes' };
  const answer = await person.send('withdraw', fields);
  expect([answer.status, answer.to]).toEqual([409, null]);
  expect((await app.db.query('SELECT FROM payouts WHERE asset = $1', [keyless])).rowCount).toBe(0);
});
