import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JudgedDestination } from '../../sdk/conformance/cases.ts';
import { runFlorin } from './florin.ts';

// Addresses and what they follow from, as the suite of the SDKs has them.
const file = join(import.meta.dirname, '../../sdk/conformance/destinations.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as JudgedDestination[];
const named = (name: string) => {
  const found = cases.find((each) => each.name === `2 ${name}`);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
};
const right = named('as it is');
const { merchant, host, basisPoints } = { merchant: '', host: '', basisPoints: 0, ...right.agreed };
const own = ['--merchant', merchant, '--host', host, '--basis-points', `${basisPoints}`];
const answers: Record<string, object[]> = {
  right: [
    { asset: 'usdc-bep20', chain_id: 56, ...right.destination },
    { asset: 'usdc-base', chain_id: 8453, ...right.destination },
  ],
  mixed: [
    { asset: 'usdc-bep20', chain_id: 56, ...right.destination },
    { asset: 'usdc-base', chain_id: 8453, ...named('with another host').destination },
  ],
  empty: [],
};

const server = createServer((request, response) => {
  const [, , reference = '', part] = request.url?.split('/') ?? [];
  const data = part === undefined ? { id: right.paymentId } : { items: answers[reference] };
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ status: true, message: '', data }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const env = {
  FLORIN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  FLORIN_SECRET_KEY: `sk_test_${'a'.repeat(32)}`,
};
const verify = (...words: string[]) => runFlorin(['address', 'verify', ...words], env);

test('says of each chain that the address follows from what was given', async () => {
  const { code, output, errors } = await verify('right', ...own);
  const { address } = right.destination as { address: string };
  const line = (place: string) => `${place}: ${address} follows from what you know\n`;
  expect([code, errors]).toEqual([0, '']);
  expect(output).toBe(line('usdc-bep20 on chain 56') + line('usdc-base on chain 8453'));
});

test('says which part differs and what to do, and ends with 2', async () => {
  const { code, output } = await verify('mixed', ...own);
  expect(code).toBe(2);
  expect(output).toMatch(
    /^usdc-bep20 on chain 56: 0x\w+ follows .+\nusdc-base on chain 8453: 0x\w+ is another /,
  );
  expect(output).toContain(`The host should be ${host} and is 0x`);
  expect(output).toContain('Ask the host which address is its own');
  expect((await verify('mixed', '--asset', 'usdc-bep20', ...own)).code).toBe(0);
});

test('has it as JSON, a line for each chain', async () => {
  const { code, output } = await verify('mixed', ...own, '--json');
  const found = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(code).toBe(2);
  expect(found).toMatchObject([
    { asset: 'usdc-bep20', chain_id: 56, is_yours: true, reason: null, message: null },
    { asset: 'usdc-base', chain_id: 8453, is_yours: false, reason: 'other_host' },
  ]);
});

test('needs no gateway where the id and the address are given', async () => {
  const { address } = right.destination as { address: string };
  const words = ['address', 'verify', '--payment-id', right.paymentId, '--address', address];
  expect((await runFlorin([...words, ...own], {})).code).toBe(0);
  const { code, output } = await runFlorin([...words, '--treasury', merchant], {});
  expect([code, output]).toEqual([2, expect.stringContaining('it follows from nothing that was agreed on')]);
});

test.each([
  [['right'], 'pass what you know'],
  [['right', '--treasury', '0x12'], 'treasury is not an address'],
  [['right', ...own.slice(0, 4), '--basis-points', '1%'], '--basis-points must be a whole number'],
  [['right', ...own, '--treasury', merchant], 'pass what you know'],
  [['empty', ...own], 'empty has no such address'],
  [own, 'pass the reference of a payment'],
])('ends with 1 for %j', async (words, message) => {
  const { code, output, errors } = await verify(...words);
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(message);
});
