import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { expect, vi } from 'vitest';
import type { StateJson } from '../../src/checkout/state-json.ts';
import { type Horizon, startHorizon } from '../horizon/horizon.ts';
import type { CreatedPayment } from '../support/api.ts';
import { type OpenConsole, openConsole } from '../support/console.ts';
import { type OperatorDesk, operatorDesk, root } from '../support/operator.ts';
import { type RunningApp, startApp } from '../support/running.ts';

export const coin = 10_000_000n;
const soon = { timeout: 120_000, interval: 50 };

export type Owed = {
  id: string;
  state: string;
  can_send: boolean;
  fault: string | null;
  destination: string | null;
};

/** A gateway that takes PI and has the key to send it, on a network where each account began with 100 PI. */
export type SendingWorld = {
  app: RunningApp;
  people: OpenConsole;
  desk: OperatorDesk;
  horizon: Horizon;
  custody: Keypair;
  payer: Keypair;
  exchange: Keypair;
  owed(): Promise<Owed[]>;
  /** A live payment of 4 PI that was paid, disputed and refunded. */
  refundOrder(reference: string): Promise<Owed>;
  stop(): Promise<void>;
};

export async function openSendingWorld(): Promise<SendingWorld> {
  const [custody, payer, exchange] = [Keypair.random(), Keypair.random(), Keypair.random()];
  const directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const horizon = await startHorizon();
  for (const account of [custody, payer, exchange]) horizon.fund(account.publicKey(), 100n * coin);
  const keyFile = join(directory, 'custody.key');
  await writeFile(keyFile, custody.secret(), { mode: 0o600 });
  const file = join(directory, 'config.json');
  const { passphrase, url } = horizon;
  const pi = { passphrase, horizon: [url], account: custody.publicKey(), signer: { key_file: keyFile } };
  await writeFile(file, JSON.stringify({ pi }));
  const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  const people = await openConsole(app);
  const desk = await operatorDesk(people);
  const owed = async (): Promise<Owed[]> => (await desk.get('/owed-refunds')).items as unknown as Owed[];

  async function refundOrder(reference: string): Promise<Owed> {
    const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
      key: app.liveSecretKey,
      body: { amount: 4, currency: 'PI', payment_type: 'deposit', payment_reference: reference },
    });
    const page = new URL(body.data.PaymentURL);
    const memo = await vi.waitFor(async () => {
      const state = await fetch(body.data.PaymentURL.replace('?', '/state?'));
      const { destinations } = (await state.json()) as StateJson;
      expect(destinations).toHaveLength(1);
      return destinations[0]!.memo!;
    }, soon);
    horizon.pay({ from: payer, to: custody.publicKey(), amount: 4n * coin, memo });
    await vi.waitFor(async () => {
      const info = await app.api<CreatedPayment['PaymentData']>('GET', `/payment/info/${reference}`, {
        key: null,
      });
      expect(info.body.data.payment_status).toBe('completed');
    }, soon);
    const form = new URLSearchParams(page.search);
    form.set('reason', 'Nothing came');
    await fetch(new URL(`${page.pathname}/dispute`, page), {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    const { id } = (await desk.get('/appeals?status=open')).items[0]!;
    const given = await desk.call('POST', `${root}/appeals/${id}/return`, {
      body: { reason: 'Nothing came' },
    });
    expect(given.status).toBe(200);
    return (await owed())[0]!;
  }

  return {
    app,
    people,
    desk,
    horizon,
    custody,
    payer,
    exchange,
    owed,
    refundOrder,
    async stop() {
      await horizon.stop();
      await rm(directory, { recursive: true });
    },
  };
}
