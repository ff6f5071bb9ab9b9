import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atFileEnd } from '../gateway/test/suite/endings.ts';
import { startApp } from '../gateway/test/support/running.ts';

// The calls of Florin for WooCommerce, each answered by a gateway.

const client = join(import.meta.dirname, 'woocommerce/tests/client.php');
const hasPhp = spawnSync('php', ['--version'], { stdio: 'ignore' }).status === 0;
const app = await startApp();

type Result = { data?: Record<string, unknown>; error?: string; status?: number; message?: string };
type Call = [call: string, ...args: unknown[]];

/** Results of calls, one after the other. */
async function results(calls: Call[], address = app.baseUrl, key = app.secretKey): Promise<Result[]> {
  const child = spawn('php', [client], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  for (const [call, ...args] of calls)
    child.stdin.write(`${JSON.stringify({ address, key, call, arguments: args })}\n`);
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
}

describe.runIf(hasPhp)('the client of the plug-in', () => {
  const reference = 'wc-0a1b2c3d-17-1';
  const asked = {
    payment_type: 'deposit',
    payment_reference: reference,
    price: { amount: '49.90', currency: 'EUR' },
  };

  test('makes a payment, once however often it is asked, reads it and cancels it', async () => {
    const [made, again, read, cancelled, gone, missing] = await results([
      ['createPayment', asked],
      ['createPayment', asked],
      ['payment', reference],
      ['cancelPayment', reference],
      ['payment', reference],
      ['payment', 'wc-0a1b2c3d-18-1'],
    ]);
    expect(made?.data?.PaymentURL).toContain(reference);
    expect(again).toEqual(made);
    expect(read?.data).toMatchObject({ payment_reference: reference, amount: '49.9', currency: 'EUR' });
    expect(read?.data?.PaymentURL).toBe(made?.data?.PaymentURL);
    expect(cancelled).toEqual({ data: null });
    expect(gone?.data?.payment_status).toBe('cancelled');
    expect(missing).toMatchObject({ error: 'not_found', status: 404 });
  });

  test('makes a webhook endpoint with a secret, finds it active, and removes it', async () => {
    const [made] = await results([
      ['makeEndpoint', 'https://shop.example/?wc-api=florin', ['payment_completed']],
    ]);
    expect(made?.data?.secret).toMatch(/^whsec_/);
    const [found, , missing] = await results([
      ['endpoint', made?.data?.id],
      ['removeEndpoint', made?.data?.id],
      ['endpoint', made?.data?.id],
    ]);
    expect(found?.data?.status).toBe('active');
    expect(missing?.status).toBe(404);
  });

  test('says what the gateway says of a refund that it refuses', async () => {
    const [refused] = await results([['refund', reference, { price_amount: '10' }, 'refund-1']]);
    expect(refused?.status).toBeGreaterThanOrEqual(400);
    expect(refused?.error).not.toBe('');
  });

  test('says that an address has no gateway, or that it is none, and tries again what has no answer', async () => {
    let asked = 0;
    const page = createServer((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 502 : 200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    atFileEnd(async () => void page.close());
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const [other] = await results([['payment', reference]], address);
    expect(other?.message).toBe('The Florin gateway answered with status 200. Is its address right?');
    expect(asked).toBe(3);
    const [nobody] = await results([['payment', reference]], 'http://127.0.0.1:9');
    expect(nobody).toMatchObject({ status: 0, message: 'The Florin gateway cannot be reached: no answer' });
  });
});
