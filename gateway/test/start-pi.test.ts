import { Keypair } from '@stellar/stellar-sdk';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isAccount } from '../src/rails/pi/horizon/account.ts';
import { auditFindingsOf, createLive, stateOf } from './chain/demo-chain.ts';
import { bookedInPi, demoPi, piDestinationOf } from './pi/demo-pi.ts';
import { spawnGateway } from './support/gateway-process.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver } from './webhooks/receiver.ts';

const coin = 10_000_000n;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ pi: true, embedded: true });
});

const pi = () => demoPi(gateway.demo.pi!);
const inPi = { amount: 12.5, currency: 'PI' };
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** What tells one state of the network from another. */
async function standing() {
  const { server, payer, balanceOf } = pi();
  const { records } = await server.ledgers().order('asc').limit(1).call();
  return { first: records[0]!.hash, payer: await balanceOf(payer) };
}

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
    const { asset, network, address, memo, amount } = await piDestinationOf(url);
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

  test('keeps the network over a kill -9 and over a restart, and what was paid meanwhile', async () => {
    const { reference, url } = await createLive(gateway, inPi);
    const { address, memo, amount } = await piDestinationOf(url);
    const hash = await pi().send(address, amount, memo);
    const before = { standing: await standing(), file: gateway.demo.pi };
    await gateway.kill9();
    gateway = await startGateway({ pi: true, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: gateway.demo.pi }).toEqual(before);
    type Known = { payment_status: string; transfers: { transaction: string }[] };
    const known = () => gateway.liveApi<Known>('GET', `/payments/${reference}`).then(({ body }) => body.data);
    await expect.poll(async () => (await known()).payment_status).toBe('completed');
    await gateway.stop();
    gateway = await startGateway({ pi: true, dataDir: gateway.dataDir });
    expect({ standing: await standing(), file: gateway.demo.pi }).toEqual(before);
    expect((await known()).transfers).toMatchObject([{ transaction: hash }]);
  });

  test('says nothing of a fault, ends with 0 and takes the network with it', async () => {
    const { horizon_url } = gateway.demo.pi!;
    expect(gateway.log()).toBe('');
    expect(await answers(horizon_url)).toBe(true);
    await gateway.stop();
    expect(await answers(horizon_url)).toBe(false);
  });

  test('leaves nothing behind when it is killed, either', async () => {
    const killed = await startGateway({ pi: true, chain: true, dataDir: gateway.dataDir });
    expect([killed.demo.chain, killed.demo.pi]).toEqual([expect.anything(), gateway.demo.pi]);
    await killed.kill9();
    await expect.poll(() => answers(gateway.demo.pi!.horizon_url)).toBe(false);
  });

  test('starts without it as well, and then its file tells of none', async () => {
    const plain = await startGateway({ dataDir: gateway.dataDir });
    expect(plain.demo.pi).toBeUndefined();
    await plain.stop();
  });

  test('does not start where the demo is not wanted', async () => {
    const started = await spawnGateway({ DATA_DIR: gateway.dataDir, DEMO: '0' }, '--pi');
    expect(await started.exitCode).toBe(1);
    expect(started.errors()).toContain('--pi goes with the demo: DEMO must be 1');
  });
});
