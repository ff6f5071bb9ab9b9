import { promises as dns } from 'node:dns';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import type { ExchangeResult, OutgoingRequest } from '../../kit/net/safe-fetch.ts';
import { createDomainCheck, domainOf } from './domain.ts';

const proof = 'florin-verification=b7Qm2xV9TzK4nR8sLw3YcA';
let asked: OutgoingRequest[];
let file: ExchangeResult;
const server = await startDnsServer();
const resolver = new dns.Resolver({ timeout: 60_000, tries: 1 });
resolver.setServers([`127.0.0.1:${server.port}`]);
const send = async (exchange: OutgoingRequest) => {
  asked.push(exchange);
  return file;
};
const check = createDomainCheck((name) => resolver.resolveTxt(name), { send });
beforeEach(() => {
  server.records.clear();
  asked = [];
  file = { error: 'refused', durationMs: 1 };
});
afterAll(() => server.close());

const answer = (statusCode: number, text: string): ExchangeResult => ({
  statusCode,
  headers: {},
  body: Buffer.from(text),
  durationMs: 1,
});

describe('a domain is proved', () => {
  test('by one of the TXT records of its own _florin name', async () => {
    server.records.set('_florin.shop.example', ['something else', proof]);
    expect(await check('shop.example', proof)).toEqual({ found: true });
  });

  test('by a line of its file, which is fetched only by https and from the public internet', async () => {
    file = answer(200, `# our proof\r\n${proof}\r\n`);
    expect(await check('shop.example', proof)).toEqual({ found: true });
    expect(asked).toMatchObject([{ method: 'GET', reach: 'public' }]);
    expect(String(asked[0]!.url)).toBe('https://shop.example/.well-known/florin.txt');
  });

  test.each<[string, string[] | null, ExchangeResult, string]>([
    ['nothing is published', null, answer(404, ''), '_florin.shop.example has no TXT record that we can see'],
    ['the record is of another', [`${proof}x`], answer(404, ''), 'says something else'],
    ['the record is one of many words', [`v=1 ${proof}`], answer(404, ''), 'says something else'],
    ['the file is not there', null, answer(404, proof), 'florin.txt answers 404'],
    ['the file moved elsewhere', null, answer(302, proof), 'florin.txt answers 302'],
    ['the file only mentions it', null, answer(200, `see ${proof}`), 'florin.txt says something else'],
    ['nobody answers', null, { error: 'refused', durationMs: 1 }, 'florin.txt could not be read'],
  ])('not when %s', async (_, records, found, why) => {
    if (records) server.records.set('_florin.shop.example', records);
    file = found;
    expect(await check('shop.example', proof)).toEqual({ why: expect.stringContaining(why) });
  });
});

describe('the name of a domain', () => {
  test.each([
    ['shop.example', 'shop.example'],
    ['  Shop.Example. ', 'shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a.b.shop.example', 'a.b.shop.example'],
  ])('%j is %s', (text, name) => expect(domainOf(text)).toBe(name));

  test.each([
    'shop',
    'https://shop.example',
    'shop.example/x',
    '192.0.2.1',
    '[::1]',
    'a..b.example',
    '-a.example',
    '',
  ])('%j is not one', (text) => expect(domainOf(text)).toBeNull());
});
