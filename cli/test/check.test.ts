import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { type Ended, runFlorin } from './florin.ts';

// The exit codes of `florin endpoints check`, which scripts use.

const timeout = 120_000;

const app = await startApp();
const env = { FLORIN_URL: app.baseUrl, FLORIN_SECRET_KEY: app.secretKey };

const florin = (words: string): Promise<Ended> => runFlorin(words.split(' '), env);

/** Makes an endpoint at a port of this machine and checks it. */
async function check(port: number): Promise<Ended> {
  const url = `http://127.0.0.1:${port}`;
  const { output } = await florin(`endpoints create ${url} --events payment_refunded --json`);
  return await florin(`endpoints check ${JSON.parse(output).id}`);
}

test('with 2 when the receiver accepts everything', { timeout }, async () => {
  const careless = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(careless.listen(0, '127.0.0.1'), 'listening');
  const { code, output, errors } = await check((careless.address() as AddressInfo).port);
  expect([code, errors]).toEqual([2, '']);
  expect(output).toMatch(/\nbroken +Refuses forged deliveries[\s\S]*\n\d+ kept, \d+ broken, \d+ unclear\.\n/);
  careless.close();
});

test('with 1 when there is no answer, as check-webhook does', { timeout }, async () => {
  const [port] = await freePorts(1);
  const { code, output } = await check(port!);
  expect([code, output]).toEqual([1, expect.stringContaining('it cannot be reached')]);
});
