import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { auditFindingsOf, createLive, demoChain, stateOf } from './chain/demo-chain.ts';
import { submitForm } from './support/api.ts';
import { spawnGateway } from './support/gateway-process.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver } from './webhooks/receiver.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ chain: true, embedded: true });
});

const chain = () => demoChain(gateway.demo.chain!);
const answers = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );

/** Where the payment's page says that money goes. */
async function destinationOf(url: string) {
  await expect.poll(async () => (await stateOf(url)).destinations.length).toBe(1);
  return (await stateOf(url)).destinations[0]!;
}

/** What tells one state of the chain from another. */
async function standing() {
  const { client, payer, balanceOf } = chain();
  const { hash } = await client.getBlock({ blockNumber: 2n });
  return { hash, id: await client.getChainId(), usdc: await balanceOf('usdc-bep20', payer) };
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

  test('keeps the chain over a kill -9 and over a restart: its blocks, its balances, its port and its keys', async () => {
    const { reference, url } = await createLive(gateway, { currency: 'CSK' });
    const { asset, address, amount } = await destinationOf(url);
    await chain().send(asset, address, amount);
    // The block after the one that holds it is made once that one is kept.
    await expect
      .poll(async () => (await stateOf(url)).transfers[0]?.confirmations, { interval: 20 })
      .toBeGreaterThan(1);
    const before = { standing: await standing(), file: gateway.demo.chain };
    await gateway.kill9();
    gateway = await startGateway({ chain: true, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: gateway.demo.chain }).toEqual(before);
    const status = () =>
      gateway
        .liveApi<{ payment_status: string }>('GET', `/payment/info/${reference}`)
        .then(({ body }) => body.data.payment_status);
    await expect.poll(status).toBe('completed');
    await gateway.stop();
    gateway = await startGateway({ chain: true, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: gateway.demo.chain }).toEqual(before);
  });

  test('says nothing of a fault, ends with 0 and takes the chain with it', async () => {
    const { rpc_url } = gateway.demo.chain!;
    expect(gateway.log()).toBe('');
    expect(await answers(rpc_url)).toBe(true);
    await gateway.stop();
    expect(await answers(rpc_url)).toBe(false);
  });

  test('starts without it as well, and then its file tells of none', async () => {
    const plain = await startGateway({ dataDir: gateway.dataDir });
    expect(plain.demo.chain).toBeUndefined();
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
});
