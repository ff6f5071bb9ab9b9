import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { compareReserves } from '../src/commands/treasury/reserves.ts';
import { isAccount } from '../src/rails/pi/horizon/account.ts';
import { auditFindingsOf, createLive, demoChain, destinationOf, stateOf } from './chain/demo-chain.ts';
import { bookedInPi, demoPi } from './pi/demo-pi.ts';
import { payInEuros } from './prices/euros.ts';
import { childEnvironment } from './suite/child-environment.ts';
import { type CreatedPayment, createApi, readPage, submitForm } from './support/api.ts';
import { spawnGateway } from './support/gateway-process.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver } from './webhooks/receiver.ts';

// Both demo networks, of one gateway: a start takes longer than all that is asked of it.

const coin = 10_000_000n;
const networks = { chain: true, pi: true };

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ ...networks, embedded: true });
});

const chain = () => demoChain(gateway.demo.chain!);
const pi = () => demoPi(gateway.demo.pi!);
const inPi = { amount: 12.5, currency: 'PI' };
/** What a gateway says of its networks on a busy machine. */
const isLate = /is late: Florin serves without it|no complete answer within/;
const answers = (url: string, method: 'GET' | 'POST') =>
  fetch(url, { method }).then(
    () => true,
    () => false,
  );

/** What tells one state of the networks from another. */
async function standing() {
  const { client, payer, balanceOf } = chain();
  const { hash } = await client.getBlock({ blockNumber: 2n });
  const ofChain = { hash, id: await client.getChainId(), usdc: await balanceOf('usdc-bep20', payer) };
  const { records } = await pi().server.ledgers().order('asc').limit(1).call();
  return { ofChain, first: records[0]!.hash, payer: await pi().balanceOf(pi().payer) };
}

describe('a gateway with a demo chain', () => {
  test('says where the chain is, and with what it can be paid', async () => {
    const { client, payer, balanceOf } = chain();
    const { chain_id, tokens, rpc_url } = gateway.demo.chain!;
    expect(rpc_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await client.getChainId()).toBe(chain_id);
    expect(Object.keys(tokens).sort()).toEqual(['csk-bep20', 'usdc-bep20', 'usdt-bep20']);
    for (const asset of Object.keys(tokens)) {
      expect(await balanceOf(asset, payer)).toBe(1_000_000n * 10n ** 18n);
    }
    expect(await client.getBalance({ address: payer })).toBe(10_000n * 10n ** 18n);
  });

  test('completes a live payment by a plain transfer, and says so in a signed webhook', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    await gateway.liveApi('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    const { reference, url } = await createLive(gateway);
    const { asset, network, address, amount } = await destinationOf(url);
    expect({ asset, network, amount }).toEqual({
      asset: 'usdc-bep20',
      network: 'Florin demo chain',
      amount: '25.5',
    });
    await chain().send(asset, address, amount);
    const completed = await receiver.next(
      ({ body }) => body.event_type === 'payment_completed',
      'the payment',
    );
    expect(completed.body).toMatchObject({ payment_reference: reference, payment_status: 'completed' });
    const { raw, headers } = completed;
    expect(isSignedWith(gateway.demo.live_secret_key, raw, headers['x-signature'])).toBe(true);
    expect((await stateOf(url)).payment_status).toBe('completed');
    expect(await auditFindingsOf(gateway)).toEqual([]);
  });

  test('takes a test payment on the chain of test mode, and pays out there, by test keys alone', async () => {
    const asset = 'usdc-bsc-testnet';
    const { test_chain: file, payout_keys: keys, base_url } = gateway.demo;
    expect(file!.chain_id).not.toBe(gateway.demo.chain!.chain_id);
    expect(Object.keys(file!.tokens).sort()).toEqual([asset, 'usdt-bsc-testnet']);
    const created = await gateway.api<CreatedPayment>('PUT', '/payment/create', {
      body: { amount: 25.5, currency: 'USDC', payment_type: 'deposit' },
    });
    const url = created.body.data.PaymentURL;
    await expect.poll(async () => (await readPage(url)).words).toContain('Florin demo test chain');
    await submitForm(url, 'method', { asset });
    const { address, amount } = await destinationOf(url);
    const testChain = demoChain(file!);
    await testChain.send(asset, address, amount);
    await expect
      .poll(async () => (await stateOf(url)).payment_status, { timeout: 120_000 })
      .toBe('completed');
    const to = '0x00000000000000000000000000000000000000dd';
    const api = createApi(base_url, keys!.test);
    const ordered = await api<{ id: string }>('POST', '/payouts', { body: { asset, amount: '5', to } });
    expect(ordered.body.message).toBe('Payout created');
    const status = async () =>
      (await api<{ status: string }>('GET', `/payouts/${ordered.body.data.id}`)).body.data.status;
    await expect.poll(status, { timeout: 120_000 }).toBe('completed');
    expect(await testChain.balanceOf(asset, to)).toBe(5n * 10n ** 18n);
    const report = await compareReserves({ ...childEnvironment, DATA_DIR: gateway.dataDir }, 'test');
    expect(report.items.map((item) => [item.asset, item.difference])).toEqual([
      [asset, '0'],
      ['usdt-bsc-testnet', '0'],
    ]);
    expect(await auditFindingsOf(gateway)).toEqual([]);
  });

  test('pays out of its vault exactly what was ordered, and keeps the books', async () => {
    const to = '0x00000000000000000000000000000000000000cc';
    const ordered = await fetch(`${gateway.demo.base_url}/payouts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.demo.payout_keys!.live}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ asset: 'usdc-bep20', amount: '5', to }),
    });
    const { data, message } = (await ordered.json()) as { data: { id: string } | null; message: string };
    expect({ status: ordered.status, message }).toEqual({ status: 200, message: 'Payout created' });
    const status = async () => {
      const answer = await fetch(`${gateway.demo.base_url}/payouts/${data!.id}`, {
        headers: { authorization: `Bearer ${gateway.demo.payout_keys!.live}` },
      });
      return ((await answer.json()) as { data: { status: string } }).data.status;
    };
    await expect.poll(status, { timeout: 120_000 }).toBe('completed');
    expect(await chain().balanceOf('usdc-bep20', to)).toBe(5n * 10n ** 18n);
    expect(await auditFindingsOf(gateway)).toEqual([]);
  });

  test('gives coins to whoever wants to pay there, and to nobody else', async () => {
    const wallet = '0x00000000000000000000000000000000000000AA'.toLowerCase();
    const { url } = await createLive(gateway);
    await destinationOf(url);
    const given = await submitForm(url, 'faucet', { address: wallet });
    expect(given.headers.get('location')).toContain('notice=test_coins_sent');
    const { client, balanceOf } = chain();
    await expect.poll(() => balanceOf('csk-bep20', wallet)).toBe(1_000n * 10n ** 18n);
    expect(await client.getBalance({ address: wallet as `0x${string}` })).toBe(10n ** 18n);

    const wrong = await submitForm(url, 'faucet', { address: `${wallet.slice(0, -1)}g` });
    expect(wrong.headers.get('location')).toContain('notice=not_an_address');
    const inTestMode = await gateway.api<{ PaymentURL: string }>('PUT', '/payment/create', {
      body: { amount: 25, currency: 'USDC', payment_type: 'deposit' },
    });
    const refused = await submitForm(inTestMode.body.data.PaymentURL, 'faucet', { address: wallet });
    expect(refused.status).toBe(404);
    for (let more = 0; more < 4; more++) await submitForm(url, 'faucet', { address: wallet });
    const tooMuch = await submitForm(url, 'faucet', { address: wallet });
    expect(tooMuch.headers.get('location')).toContain('notice=too_many_requests');
  });
});

describe('a gateway with a demo Pi network', () => {
  test('says where the network is, where PI arrives, and with what it can be paid', async () => {
    const { horizon_url, network_passphrase, custody_account, payer_secret } = gateway.demo.pi!;
    expect(horizon_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(network_passphrase).toMatch(/^Florin Demo Pi \w+$/);
    expect(isAccount(custody_account)).toBe(true);
    const root = (await (await fetch(horizon_url)).json()) as Record<string, unknown>;
    expect(root.network_passphrase).toBe(network_passphrase);
    expect(pi().payer).toBe(Keypair.fromSecret(payer_secret).publicKey());
    expect(await pi().balanceOf(pi().payer)).toBe(100_000n * coin);
  });

  test('completes a live payment by a plain transfer, and says so in a signed webhook', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    await gateway.liveApi('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    const { reference, url } = await createLive(gateway, inPi);
    const { asset, network, address, memo, amount } = await destinationOf(url);
    expect({ asset, network, address, amount }).toEqual({
      asset: 'pi',
      network: 'Florin demo Pi',
      address: gateway.demo.pi!.custody_account,
      amount: '12.5',
    });
    expect(await bookedInPi(gateway)).toBe(0n);
    const hash = await pi().send(address, amount, memo);
    const completed = await receiver.next(
      ({ body }) => body.event_type === 'payment_completed',
      'the payment',
    );
    expect(completed.body).toMatchObject({ payment_reference: reference, payment_status: 'completed' });
    const { raw, headers } = completed;
    expect(isSignedWith(gateway.demo.live_secret_key, raw, headers['x-signature'])).toBe(true);
    expect(await stateOf(url)).toMatchObject({
      payment_status: 'completed',
      transfers: [{ transaction: hash, amount: '12.5', confirmations: 1, needed: 1 }],
    });
    expect(await bookedInPi(gateway)).toBe(125_000_000n);
    expect(await auditFindingsOf(gateway)).toEqual([]);
  });
});

test.each([
  ['usdc-bep20', '62.38', '0x00000000000000000000000000000000000000ee'],
  ['pi', '62.375', Keypair.random().publicKey()],
])(
  'a price in EUR is paid in %s at the rate that was shown, and 10 EUR of it go back',
  async (asset, due, to) => {
    const send = (address: string, memo: string | null) =>
      asset === 'pi' ? pi().send(address, due, memo) : chain().send(asset, address, due);
    await payInEuros(gateway, { asset, due, send, to });
  },
);

describe('a gateway with both', () => {
  test('keeps them over a kill -9 and over a restart: blocks, balances, ports and keys, and what was paid meanwhile', async () => {
    const onChain = await createLive(gateway, { currency: 'CSK' });
    const { asset, address, amount } = await destinationOf(onChain.url);
    await chain().send(asset, address, amount);
    // The block after the one that holds it is made once that one is kept.
    await expect
      .poll(async () => (await stateOf(onChain.url)).transfers[0]?.confirmations, { interval: 20 })
      .toBeGreaterThan(1);
    const onPi = await createLive(gateway, inPi);
    const to = await destinationOf(onPi.url);
    const transaction = await pi().send(to.address, to.amount, to.memo);
    const file = () => ({ chain: gateway.demo.chain, pi: gateway.demo.pi });
    const before = { standing: await standing(), file: file() };
    await gateway.kill9();
    gateway = await startGateway({ ...networks, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: file() }).toEqual(before);
    type Known = { payment_status: string; transfers: { transaction: string }[] };
    const known = async ({ reference }: { reference: string }) =>
      (await gateway.liveApi<Known>('GET', `/payments/${reference}`)).body.data;
    for (const each of [onChain, onPi])
      await expect.poll(async () => (await known(each)).payment_status).toBe('completed');
    await gateway.stop();
    gateway = await startGateway({ ...networks, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: file() }).toEqual(before);
    expect((await known(onPi)).transfers).toMatchObject([{ transaction }]);
  });

  test('says nothing of a fault, ends with 0 and takes them with it', async () => {
    const { chain, pi } = gateway.demo;
    const answering = async () => [
      await answers(chain!.rpc_url, 'POST'),
      await answers(pi!.horizon_url, 'GET'),
    ];
    expect(
      gateway
        .log()
        .split('\n')
        .filter((line) => line !== '' && !isLate.test(line)),
    ).toEqual([]);
    expect(await answering()).toEqual([true, true]);
    await gateway.stop();
    expect(await answering()).toEqual([false, false]);
  });

  test('starts with one of them as well, and leaves nothing behind when it is killed, either', async () => {
    const { pi: before } = gateway.demo;
    const killed = await startGateway({ pi: true, dataDir: gateway.dataDir });
    expect([killed.demo.chain, killed.demo.pi]).toEqual([undefined, before]);
    expect(await answers(before!.horizon_url, 'GET')).toBe(true);
    await killed.kill9();
    await expect.poll(() => answers(before!.horizon_url, 'GET')).toBe(false);
  });

  test('starts without them as well, and then its file tells of none', async () => {
    const plain = await startGateway({ dataDir: gateway.dataDir });
    expect([plain.demo.chain, plain.demo.pi]).toEqual([undefined, undefined]);
    await plain.stop();
  });
});

describe('a start that is refused', () => {
  async function faultsWith(env: Record<string, string>, ...options: string[]): Promise<string> {
    const started = await spawnGateway({ DATA_DIR: gateway.dataDir, ...env }, ...options);
    expect(await started.exitCode).toBe(1);
    return started.errors();
  }

  test('is one with a public chain, where a demo chain once was: its coins would count as live money', async () => {
    const file = join(gateway.dataDir, 'florin.json');
    const treasury = '0x00000000000000000000000000000000000000aa';
    await writeFile(file, JSON.stringify({ chains: [{ id: 137, rpc: ['http://127.0.0.1:9'], treasury }] }));
    expect(await faultsWith({ CONFIG_FILE: file })).toContain('CONFIG_FILE has the public chain Polygon');
  });

  test('is one with an option that there is not', async () => {
    expect(await faultsWith({}, '--chian')).toContain('does not know the option --chian');
  });

  test('is one with a network where the demo is not wanted', async () => {
    expect(await faultsWith({ DEMO: '0' }, '--pi')).toContain('--pi goes with the demo: DEMO must be 1');
  });
});
