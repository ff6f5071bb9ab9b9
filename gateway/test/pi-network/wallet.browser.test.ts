import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../browser/browser.ts';
import { takePicture } from '../browser/pictures.ts';
import { freePorts } from '../support/free-ports.ts';
import { type PiNetwork, startPiNetwork } from './network.ts';

/** Pictures for people to look at; git does not keep them. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let directory: string;
let network: PiNetwork;
let browser: Browser;
let custody: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  [network, browser] = await Promise.all([start(), openBrowser()]);
  custody = (await kept()).custody_account!;
});
afterAll(async () => {
  await network?.stop();
  await rm(directory, { recursive: true });
});

async function start(): Promise<PiNetwork> {
  const [port] = await freePorts(1);
  return await startPiNetwork({ directory, port: port!, pageOrigins: ['http://127.0.0.1:4000'] });
}

const kept = async (): Promise<Record<string, string>> =>
  JSON.parse(await readFile(join(directory, 'network.json'), 'utf8'));

async function open(
  query: Record<string, string> = {},
  look: { colorScheme?: 'dark'; javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 720 }, ...look });
  onTestFinished(() => context.close());
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  if (look.javaScriptEnabled !== false) await page.addInitScript(axe);
  await page.goto(`${network.url}/wallet?${new URLSearchParams(query)}`);
  return page;
}

const faultsOf = (page: Page) =>
  page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.map(({ id }) => id))`);
const widerBy = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

async function received(memo: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/accounts/${custody}/payments?join=transactions&order=desc`);
  type Page = { _embedded: { records: { amount?: string; transaction: { memo?: string } }[] } };
  const { records } = ((await answer.json()) as Page)._embedded;
  return records.filter(({ transaction }) => transaction.memo === memo).map(({ amount }) => amount!);
}

describe('the simulated wallet', () => {
  test('sends what the shop asked for, and gives the transaction to copy', async () => {
    const page = await open({ to: custody, amount: '12.5', memo: 'ABCDE12345' });
    expect(await page.getByText('Its coins are worth nothing').isVisible()).toBe(true);
    await takePicture(page, 'pi/wallet-form');
    expect([await faultsOf(page), await widerBy(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Sent 12.5 π' }).waitFor();
    await takePicture(page, 'pi/wallet-sent');
    expect(await received('ABCDE12345')).toEqual(['12.5000000']);
    const result = page.getByRole('status').filter({ hasText: 'Sent' });
    await result.getByRole('button', { name: 'Copy transaction' }).click();
    await result.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(new URL(page.url()).searchParams.get('sent'));
    expect((await fetch(`${network.url}/transactions/${copied}`)).status).toBe(200);
  });

  test('works without JavaScript, in the dark, and says why nothing was sent', async () => {
    const page = await open(
      { to: custody, amount: '1000000', memo: 'TOOMUCH' },
      { javaScriptEnabled: false, colorScheme: 'dark' },
    );
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('does not hold that much');
    await takePicture(page, 'pi/wallet-refused-dark');
    expect(await page.getByLabel('Memo').inputValue()).toBe('TOOMUCH');
    for (const [label, value, why] of [
      ['Amount', '1.23456789', 'at most 7 decimals'],
      ['To', `${custody.slice(0, -1)}${custody.endsWith('A') ? 'B' : 'A'}`, 'no address of a wallet'],
      ['Memo', 'a memo that is far too long for Pi', '28 characters'],
    ] as const) {
      await page.goto(`${network.url}/wallet?${new URLSearchParams({ to: custody, amount: '1', memo: '' })}`);
      await page.getByRole('textbox', { name: label }).fill(value);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect(await page.getByRole('alert').textContent()).toContain(why);
    }
  });

  test('pays once however often its form is sent, and nothing that another site sends', async () => {
    const send = (headers: Record<string, string> = {}) =>
      fetch(`${network.url}/wallet/send`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ order: 'one', to: custody, amount: '1', memo: 'ONCE' }),
      });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(await received('ONCE')).toEqual(['1.0000000']);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('the demo network', () => {
  test('keeps its keys for their owner alone, and stands where it stood', async () => {
    const files = ['network.json', 'custody.key', 'platform.key', 'ledgers.jsonl', 'payments.jsonl'];
    for (const file of files) expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    const { port: _, ...before } = await kept();
    await network.stop();
    network = await start();
    const { port: __, ...after } = await kept();
    expect(after).toEqual(before);
    expect(await received('ONCE')).toEqual(['1.0000000']);
  });

  test('without its ledgers is another one, under a name and keys that no other has', async () => {
    const before = await kept();
    await network.stop();
    await rm(join(directory, 'ledgers.jsonl'));
    network = await start();
    const after = await kept();
    for (const name of ['passphrase', 'custody_account', 'payer_secret'])
      expect(after[name]).not.toBe(before[name]);
  });
});
