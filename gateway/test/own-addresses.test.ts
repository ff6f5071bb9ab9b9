import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeAbiParameters, getContractAddress, keccak256, parseAbiParameters, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { compiled } from '../../scripts/contracts.ts';
import { paymentWords, verifyDestination } from '../../sdk/typescript/src/index.ts';
import type { PaymentDestinations } from '../src/payments/api/console-answers/destinations.ts';
import { checksummed, factoryAddress, forwarderInitCodeHash } from '../src/rails/evm/addresses/forwarders.ts';
import {
  splitterAddress,
  splitterFactoryAddress,
  splitterInitCodeHash,
} from '../src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { requestDigest } from '../src/rails/evm/requests/payment-request.ts';
import type { OwnAddresses } from '../src/treasury/direct/console-answers.ts';
import { accounts, startChain } from './chain/chain.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { outbox } from './support/mailbox.ts';
import { startApp } from './support/running.ts';

// The addresses of a merchant's own, as the owner sets them in the dashboard, and what a back end learns of a payment.

const [chain, contracts] = await Promise.all([startChain(), compiled('test/Wallets.sol')]);
const host = accounts.admin.address;
const file = join(await testFolder(), 'florin.json');
await writeFile(file, JSON.stringify({ chains: [chain.entry({ fee_address: host })] }));
const app = await startApp({ seed: { approved: true }, env: { CONFIG_FILE: file } });
const people = await openConsole(app);
const owner = await people.as('owner');
const path = `${people.live}/own-addresses`;
const key = privateKeyToAccount(`0x${'11'.repeat(32)}`);

const read = async () => (await owner<OwnAddresses>('GET', path)).body.data;
const itemOf = async (asset = 'usdc-bep20') => (await read()).items.find((each) => each.asset === asset);
async function statementOf(address: string, asset = 'usdc-bep20') {
  const query = new URLSearchParams({ asset, address });
  return await owner<{ statement: string }>('GET', `${path}/statement?${query}`);
}
async function put(address: string, signature: string, asset = 'usdc-bep20') {
  return await owner('PUT', path, { body: { asset, address, signature } });
}
async function setBy(account: typeof key, asset = 'usdc-bep20') {
  const { statement } = (await statementOf(account.address, asset)).body.data;
  return await put(account.address, await account.signMessage({ message: statement }), asset);
}

describe('an own address', () => {
  test('is offered for the tokens of chains with an address of the host, and none is set', async () => {
    const { items, ...rest } = await read();
    expect(rest).toEqual({ settlement: 'offered', basis_points: 100, fee_fault: null });
    expect(items).toHaveLength(3);
    expect(items[0]).toEqual({
      ...{ asset: 'usdc-bep20', network: expect.any(String), host, address: null, next: null },
      ...{ set_by: null, on_the_way: '0' },
    });
  });

  test('is proved by its signature of a text that names installation, integration, asset and address', async () => {
    const { statement } = (await statementOf(key.address.toLowerCase())).body.data;
    for (const part of [app.baseUrl, app.integrationId, 'usdc-bep20', key.address])
      expect(statement).toContain(part);
    const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
    for (const signature of [
      await other.signMessage({ message: statement }),
      await key.signMessage({ message: `${statement} ` }),
    ])
      expect(await put(key.address, signature)).toMatchObject({
        body: { error: expect.stringMatching(/^(not_signed|signature_unread)$/) },
      });
    expect((await itemOf())?.next).toBeNull();
  });

  test('rests for a day in live mode, and whoever may stop it is told by mail', async () => {
    expect((await setBy(key)).status).toBe(200);
    const item = await itemOf();
    expect(item).toMatchObject({ address: null, next: { address: key.address } });
    const hours = (Date.parse(item!.next!.from) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    const mails = await outbox(app.db);
    expect(mails.find(({ subject }) => subject.includes('settle to another address'))?.text).toContain(
      key.address,
    );
  });

  test('is refused where it is no address, the host’s, the treasury, or a token', async () => {
    const token = chain.tokens['usdc-bep20']!.address;
    for (const address of ['0x12', `0x${'0'.repeat(40)}`, host, accounts.treasury.address, token])
      expect(await statementOf(address)).toMatchObject({ status: 400 });
    expect(await statementOf(key.address, 'pi')).toMatchObject({
      status: 409,
      body: { error: 'not_offered' },
    });
  });

  test('can be ended at once, by which the payments are credited to the balance', async () => {
    expect((await owner('DELETE', `${path}/usdc-bep20`)).status).toBe(200);
    expect(await itemOf()).toMatchObject({ address: null, next: null });
    expect((await owner('DELETE', `${path}/usdc-bep20`)).status).toBe(404);
  });

  test('asks for basis points alone, when it is set and when the fee is changed', async () => {
    await app.db.query(`UPDATE integrations SET fee = '{"bps": 100, "fixed": "0.3"}' WHERE id = $1`, [
      app.integrationId,
    ]);
    const message = 'fee is invalid: direct settlement takes basis points alone';
    expect((await read()).fee_fault).toBe(message);
    expect(await setBy(key)).toMatchObject({ status: 400, body: { message } });
    await app.db.query(`UPDATE integrations SET fee = '{"bps": 250}' WHERE id = $1`, [app.integrationId]);
    expect((await setBy(key)).status).toBe(200);
  });

  test('is set by nobody who may only order payouts, or read', async () => {
    for (const role of ['developer', 'support'] as const) {
      const other = await people.as(role);
      expect((await other('DELETE', `${path}/usdc-bep20`)).status).toBe(403);
    }
  });

  test('may be a wallet contract’s, which says so itself', async () => {
    const { abi, bytecode } = contracts.OwnedWallet!;
    const wallet = await chain.deploy(abi, bytecode, [key.address]);
    await chain.mine(3);
    const address = checksummed(wallet);
    const { statement } = (await statementOf(address, 'usdt-bep20')).body.data;
    const signature = await key.signMessage({ message: statement });
    await expect
      .poll(async () => (await put(address, signature, 'usdt-bep20')).status, { timeout: 20_000 })
      .toBe(200);
  });
});

/** The chain was verified and read, so that its assets are offered. */
async function untilRead({ db }: typeof app): Promise<void> {
  const sql = 'SELECT FROM evm_chains WHERE verified_at IS NOT NULL AND final_number IS NOT NULL';
  await expect.poll(async () => (await db.query(sql)).rowCount, { timeout: 20_000 }).toBe(1);
}

test('a back end recomputes where each address of a payment leads', async () => {
  // The day of rest is over.
  await app.db.query(
    `UPDATE integrations SET own_addresses = jsonb_set(own_addresses, '{usdc-bep20,from}', '"2020-01-01T00:00:00Z"') WHERE id = $1`,
    [app.integrationId],
  );
  await untilRead(app);
  const live = { key: app.liveSecretKey };
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: 'DIRECT-1' };
  expect((await app.api('PUT', '/payment/create', { ...live, body })).status).toBe(200);
  const found = await app.api<PaymentDestinations>('GET', '/payments/DIRECT-1/destinations', live);
  const splitter = splitterAddress({
    merchant: key.address.toLowerCase() as Hex,
    host: host.toLowerCase() as Hex,
    basisPoints: 250,
  });
  expect(found.body.data.items).toEqual([
    {
      ...{ asset: 'usdc-bep20', chain_id: chain.id, settlement: 'direct', basis_points: 250 },
      ...{ splitter: checksummed(splitter), destination: checksummed(splitter), merchant: key.address, host },
      ...{
        factory: expect.any(String),
        init_code_hash: expect.any(String),
        salt: expect.any(String),
        address: expect.any(String),
        request: expect.any(Object),
      },
    },
  ]);
  const inDashboard = await owner<PaymentDestinations>(
    'GET',
    `${people.live}/payments/DIRECT-1/destinations`,
  );
  const bare = ({ request: _, ...rest }: PaymentDestinations['items'][number]) => rest;
  expect(inDashboard.body.data.items.map(bare)).toEqual(found.body.data.items.map(bare));
  const read = await app.api<{ id: string; settlement: string }>('GET', '/payments/DIRECT-1', live);
  await expectRequest(read.body.data.id, found.body.data.items[0]!);
  expect(read.body.data.settlement).toBe('direct');
});

/** Where a payment's money goes, computed as docs/direct-settlement.md says, from what the merchant agreed on alone. */
function addressByHand(
  paymentId: string,
  agreed: { merchant: string; host: string; basisPoints: bigint },
): Hex {
  const made = (deployer: Hex, codeHash: Hex, types: string, values: readonly unknown[]): Hex =>
    getContractAddress({
      opcode: 'CREATE2',
      from: deployer,
      salt: keccak256(encodeAbiParameters(parseAbiParameters(types), values)),
      bytecodeHash: codeHash,
    }).toLowerCase() as Hex;
  const { merchant, host: side, basisPoints } = agreed;
  const parts = [merchant, side, basisPoints];
  const split = made(splitterFactoryAddress, splitterInitCodeHash, 'address, address, uint256', parts);
  const word: Hex = `0x${paymentId.replaceAll('-', '').padStart(64, '0')}`;
  return made(factoryAddress, forwarderInitCodeHash, 'address, bytes32', [split, word]);
}

describe('who can write to the database', () => {
  const live = { key: app.liveSecretKey };
  const agreed = { merchant: key.address, host, basisPoints: 250n };
  const thief = privateKeyToAccount(`0x${'66'.repeat(32)}`).address;
  const made = async (): Promise<{ id: string; page: string; address: string }> => {
    const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
    const { PaymentData, PaymentURL } = (
      await app.api<CreatedPayment>('PUT', '/payment/create', { ...live, body })
    ).body.data;
    const path = `/payments/${PaymentData.payment_reference}/destinations`;
    const found = await app.api<{ items: { address: string }[] }>('GET', path, live);
    return { id: PaymentData.id, page: PaymentURL, address: found.body.data.items[0]?.address ?? '' };
  };

  test('leads no new payment elsewhere without that its address shows it, and the audit log names nobody', async () => {
    const before = await made();
    expect(before.address.toLowerCase()).toBe(addressByHand(before.id, agreed));
    await app.db.query(
      `UPDATE integrations SET own_addresses = jsonb_set(own_addresses, '{usdc-bep20,address}', to_jsonb($2::text)) WHERE id = $1`,
      [app.integrationId, thief],
    );
    const after = await made();
    expect(after.address.toLowerCase()).not.toBe(addressByHand(after.id, agreed));
    expect(after.address.toLowerCase()).toBe(addressByHand(after.id, { ...agreed, merchant: thief }));
    const log = await owner<object>('GET', `${people.merchant}/audit`);
    expect(JSON.stringify(log.body.data)).not.toContain(thief);
    expect(JSON.stringify(log.body.data)).toContain(key.address);
  });

  test('shows another address for a payment that was made, and what it follows from is no longer it', async () => {
    const { id, page } = await made();
    await app.db.query('UPDATE evm_addresses SET address = lower($2) WHERE owner_id = $1', [id, thief]);
    await submitForm(page, 'method', { asset: 'usdc-bep20' });
    // Nothing on the gateway's side can be believed then: the merchant's back end and its customer compare.
    expect(await (await fetch(page)).text()).toContain(thief);
    expect(addressByHand(id, { ...agreed, merchant: thief })).not.toBe(thief.toLowerCase());
    expect(addressByHand(id, agreed)).not.toBe(thief.toLowerCase());
  });
});

/** What is asked is signed by the key that /proof shows, and a shop makes its words from what it knows alone. */
async function expectRequest(
  paymentId: string,
  destination: PaymentDestinations['items'][number],
): Promise<void> {
  const { asset, chain_id: chainId, request } = destination;
  const { amount, reference, deadline, words, signer, signature } = request;
  expect({ amount, reference }).toEqual({ amount: '10', reference: 'DIRECT-1' });
  const agreed = { merchant: key.address, host, basisPoints: 250 };
  expect(verifyDestination({ paymentId, destination, agreed })).toBe(true);
  expect(paymentWords({ paymentId, agreed, chainId, asset, amount: '10.00', reference })).toBe(words);
  const digest = requestDigest({ chainId, to: destination.address, asset, amount, reference, deadline });
  const signed = { hash: `0x${digest.toString('hex')}`, signature: signature as Hex } as const;
  expect(await recoverAddress(signed)).toBe(signer);
  expect(await (await fetch(`${app.baseUrl}/proof`)).text()).toContain(`Florin payment request ${signer}`);
}
