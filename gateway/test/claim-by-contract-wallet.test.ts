import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { compiled } from '../../scripts/contracts.ts';
import type { StateJson } from '../src/checkout/state-json.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { accounts, startChain } from './chain/chain.ts';
import { startRpcProxy } from './chain/rpc-proxy.ts';
import { admin, deployVault } from './chain/vault-fixtures.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { testFolder } from './support/data-dir.ts';
import { startApp } from './support/running.ts';

// A customer paid too much from a wallet that is a contract, and claims the rest with what its owner signs.

const waits = { timeout: 120_000, interval: 300 };
const dollar = 10n ** 18n;
const [chain, contracts] = await Promise.all([
  startChain({ assets: { 'usdc-bep20': 18 } }),
  compiled('test/Wallets.sol'),
]);
const usdc = chain.tokens['usdc-bep20']!;
const endpoint = await startRpcProxy(chain.rpcUrl);
await deployVault(chain);
const directory = await testFolder();

const key = privateKeyToAccount(generatePrivateKey());
const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const claimed = { asset: 'usdc-bep20', to };

let wallet: Hex;

const stateOf = async () => (await (await fetch(payment.page.replace('?', '/state?'))).json()) as StateJson;

async function payByWallet(address: Hex, units: bigint): Promise<void> {
  const { abi, bytecode } = contracts.OwnedWallet!;
  wallet = await chain.deploy(abi, bytecode, [key.address]);
  await usdc.mint(wallet, units);
  const call = { abi, functionName: 'send', args: [usdc.address, address, units] };
  await chain.mined(await chain.transact(accounts.payer, wallet, encodeFunctionData(call as never)));
}

const file = join(directory, 'florin.json');
const entry = chain.entry({ rpc: [endpoint.url], vault: { admin } });
await writeFile(file, JSON.stringify({ chains: [entry] }));
const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
  key: app.liveSecretKey,
  body: { amount: 200, currency: 'USDC', payment_type: 'deposit' },
});
const payment = { id: body.data.PaymentData.id, page: body.data.PaymentURL };
await submitForm(payment.page, 'method', { asset: 'usdc-bep20' });
await vi.waitFor(async () => expect((await stateOf()).destinations).toHaveLength(1), waits);
await payByWallet((await stateOf()).destinations[0]!.address as Hex, 300n * dollar);
await vi.waitFor(async () => {
  await chain.mine();
  expect((await stateOf()).payment_status).toBe('completed');
}, waits);

/** What the claim answers: the notice of its redirect, or its status and page. */
async function claim(
  fields: Record<string, string>,
): Promise<{ notice: string | null; status: number; text: string }> {
  const response = await submitForm(payment.page, 'refund', { ...claimed, ...fields });
  const location = response.headers.get('location');
  const notice = location === null ? null : new URL(location, payment.page).searchParams.get('notice');
  return { notice, status: response.status, text: await response.text() };
}

async function statement(): Promise<string> {
  const { text } = await claim({});
  return /id="proof-statement"[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
}

test('the page says who has to sign, and refuses what the wallet does not accept', async () => {
  const { text } = await claim({});
  expect(text).toContain(wallet);
  expect(text).toContain('A contract wallet, such as a Safe, can sign it as well.');
  const stranger = privateKeyToAccount(generatePrivateKey());
  const signature = await stranger.signMessage({ message: await statement() });
  const refused = await claim({ signature, confirm: 'yes' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('This signature does not fit.');
  expect((await stateOf()).refunds).toEqual([]);
});

test('while the network cannot be asked, it says so, and nothing is ordered', async () => {
  const signature = await key.signMessage({ message: await statement() });
  endpoint.faults.dead = true;
  const unread = await claim({ signature, confirm: 'yes' });
  endpoint.mend();
  expect(unread.status).toBe(400);
  expect(unread.text).toContain('The network could not be asked whether your wallet accepts this signature.');
  expect((await stateOf()).refunds).toEqual([]);
});

test('what the owner of the wallet signed is ordered without anybody’s confirmation, and its proof is kept', async () => {
  const message = await statement();
  const signature = await key.signMessage({ message });
  // An endpoint that was dead is left alone for a while.
  const shown = await vi.waitFor(async () => {
    const answer = await claim({ signature });
    expect(answer.status).toBe(200);
    return answer;
  }, waits);
  expect(shown.text).not.toContain('has to confirm this address');
  expect((await stateOf()).refunds).toEqual([]);
  expect(await claim({ signature, confirm: 'yes' })).toMatchObject({ notice: 'claim_ordered', status: 303 });
  expect((await stateOf()).refunds).toMatchObject([{ status: 'queued', amount: '100', to }]);
  const { rows } = await app.db.query(
    'SELECT proved_by, proof_statement, proof_signature FROM payment_refunds WHERE payment_id = $1',
    [payment.id],
  );
  expect(rows).toEqual([{ proved_by: wallet, proof_statement: message, proof_signature: signature }]);
});
