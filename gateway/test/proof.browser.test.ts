import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { ProofPath, SignedStatement } from '../../web/proof/statement.ts';
import { prove } from '../src/commands/treasury/prove.ts';
import { keepProof } from '../src/treasury/proofs/store.ts';
import { openBrowser } from './browser/browser.ts';
import { openSignedIn } from './browser/demo-people.ts';
import { createLive, demoChain, destinationOf, stateOf } from './chain/demo-chain.ts';
import { madeUpStatement, pathIn, provedAsset, signedBy } from './proofs/proof-fixtures.ts';
import { testFolder } from './support/data-dir.ts';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { startApp, startGateway } from './support/running.ts';

// People check proof statements in a real browser, which asks nobody but the nodes that they name.

const wallets = 1_000;
const password = 'correct horse battery staple';
let browser: Browser;
let folder: string;
beforeAll(async () => {
  [browser, folder] = await Promise.all([openBrowser(), testFolder()]);
});

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en' });
  return await context.newPage();
}

/** Presses the button, and returns what the page says then. */
async function check(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const outcome = page.locator('#proof-outcome');
  await outcome.getByText(/^(?:Nothing|Something) is wrong\.$/).waitFor();
  return await outcome.locator('p').allTextContents();
}

/** Presses the button inside the page, and says how many milliseconds the check took. */
const timedCheck = `new Promise((resolve) => {
  const begun = performance.now();
  const seen = new MutationObserver(() => {
    if (document.querySelector('#proof-outcome .proof-good')) resolve(performance.now() - begun);
  });
  document.querySelector('#proof-check button').click();
  seen.observe(document.querySelector('#proof-outcome'), { childList: true });
})`;

type Given = { signed: SignedStatement; path: ProofPath };

/** What a forger may give a reader, each with the reason for which it is refused. */
async function forgeries(): Promise<[string, Given][]> {
  const made = await madeUpStatement([5n, 7n, 11n]);
  const signed = await signedBy(made.treasury, made.statement);
  const path = await pathIn(made, 0);
  const lowered = structuredClone(path);
  lowered.leaves[0]!.units = '4';
  const negative = structuredClone(path);
  negative.leaves[0]!.siblings[0]!.sum = '-7';
  const others = await madeUpStatement([7n, 11n]);
  const without = { ...others.statement, id: made.statement.id };
  const less = structuredClone(made.statement);
  less.assets[0]!.sum = '22';
  less.assets[0]!.owed.wallets = '22';
  return [
    ['leaf', { signed, path: lowered }],
    ['leaf', { signed: await signedBy(others.treasury, without), path }],
    ['sum', { signed: await signedBy(made.treasury, less), path }],
    ['negative', { signed, path: negative }],
  ];
}

/** The page as it would be with another statement and a file with a path. */
async function give(page: Page, { signed, path }: Given): Promise<void> {
  const text = JSON.stringify(JSON.stringify(signed));
  await page.evaluate(`document.querySelector('#proof-statement').textContent = ${text}`);
  const file = join(folder, 'path.json');
  await writeFile(file, JSON.stringify(path));
  await page.locator('#proof-path-file').setInputFiles(file);
}

test('a thousand paths are checked on the page, and each forged one is refused with its reason', async () => {
  const app = await startApp({ env: { WALLETS: 'open' } });
  const jane = await seedUser(app.db, 'jane', password);
  await seedBalance(app.db, { owner: jane, kind: 'user', mode: 'live', asset: provedAsset, units: 5n });
  const { rows } = await app.db.query<{ id: bigint }>("SELECT id FROM ledger_accounts WHERE kind = 'user'");
  const units = Array.from({ length: wallets }, (_, at) => (at === 0 ? 5n : BigInt(at) * 10n ** 18n));
  const made = await madeUpStatement(units, (at) => (at === 0 ? `user:${jane}` : `user:${at}`));
  const signed = await signedBy(made.treasury, made.statement);
  const account = (at: number) => (at === 0 ? rows[0]!.id : BigInt(1_000_000 + at));
  const leaves = units.map((each, at) => ({ account: account(at), units: each }));
  await keepProof(app.db, {
    signed,
    seed: made.seed,
    trees: [{ asset: provedAsset, tree: made.tree, leaves }],
  });
  const paths = await Promise.all(units.map((_, at) => pathIn(made, at)));
  const all: ProofPath = { ...paths[0]!, leaves: paths.flatMap((path) => path.leaves) };
  const file = join(folder, 'paths.json');

  const page = await openPage();
  const asked: string[] = [];
  await page.goto(`${app.baseUrl}/proof`);
  await page.getByRole('link', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
  page.on('request', (request) => asked.push(request.url()));
  await writeFile(file, JSON.stringify(all));
  await page.locator('#proof-path-file').setInputFiles(file);
  expect(await check(page)).toEqual(['Nothing is wrong.', 'Demo chain was not asked.']);
  const ms = Math.round(await page.evaluate<number>(timedCheck));
  process.stdout.write(`${wallets} paths were checked in the browser in ${ms} ms\n`);

  all.leaves[wallets - 1]!.units = '1';
  all.leaves[1]!.siblings[0]!.sum = '-1';
  await writeFile(file, JSON.stringify(all));
  await page.locator('#proof-path-file').setInputFiles(file);
  const refused = await check(page);
  expect(refused.join()).toContain('negative: A balance or sum beside the way');
  expect(refused.join()).toContain('leaf: This balance of usdc-bep20 is not in the tree');
  for (const [reason, given] of await forgeries()) {
    await give(page, given);
    const [, ...said] = await check(page);
    expect(said.map((line) => line.replace(/:.*/s, ''))).toEqual([reason, 'Demo chain was not asked.']);
  }
  // Everything was there before: the page asks nobody.
  expect(asked).toEqual([]);

  // The user finds their own, and nobody else's.
  await page.goto(`${app.baseUrl}/wallet/sign-in?next=proof`);
  await page.getByLabel('Username').fill('jane');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your balance in it' }).waitFor();
  expect(await check(page)).toEqual(['Nothing is wrong.', 'Demo chain was not asked.']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download your path' }).click(),
  ]);
  expect(JSON.parse(await readText(await download.createReadStream()))).toEqual(paths[0]);
  expect((await fetch(`${app.baseUrl}/wallet/proof.json`)).status).toBe(401);
  expect(await (await fetch(`${app.baseUrl}/proof/${made.statement.id}.json`)).json()).toEqual(signed);
  for (const path of ['none', `${made.statement.id}.txt`, `${jane}.json`])
    expect((await fetch(`${app.baseUrl}/proof/${path}`)).status).toBe(404);
});

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

test('the statement of the demo chain is right, as its node says', async () => {
  const gateway = await startGateway({ chain: true });
  const { rpc_url, chain_id } = gateway.demo.chain!;
  const { reference, url } = await createLive(gateway);
  expect(reference).not.toBe('');
  const { address } = await destinationOf(url);
  await demoChain(gateway.demo.chain!).send('usdc-bep20', address, '25.5');
  await expect.poll(async () => (await stateOf(url)).payment_status).toBe('completed');
  const page = await openPage();
  await page.goto(`${gateway.baseUrl}/proof`);
  await page.getByText('No statement has been published yet.').waitFor();

  expect(await prove(gateway.settings, { out: undefined })).toBe(0);
  await page.reload();
  await page.getByRole('row', { name: /^usdc-bep20/ }).waitFor();
  await page.getByRole('link', { name: 'Check' }).click();
  await page.locator(`input[data-chain="${chain_id}"]`).fill(rpc_url);
  expect(await check(page)).toEqual(['Nothing is wrong.']);
  // The same of another block, which its node does not have.
  await page.evaluate(`{
    const place = document.querySelector('#proof-statement');
    const file = JSON.parse(place.textContent);
    file.statement.chains.find(({ chain_id }) => chain_id === ${chain_id}).block -= 1;
    place.textContent = JSON.stringify(file);
  }`);
  expect((await check(page)).join()).toContain('block: ');
  // Another network's node, and one that is away.
  await page.locator(`input[data-chain="${chain_id}"]`).fill(gateway.baseUrl);
  expect((await check(page)).join()).toContain('network: ');

  const { merchant, integration_id } = gateway.demo;
  const shop = await openSignedIn(browser, gateway, merchant, { timeout: 120_000 });
  await shop.goto(`/app/i/${integration_id}/live/balances?tab=statements`);
  await shop.getByRole('button', { name: 'Look for your balance in it' }).click();
  await shop.getByText('Your balance is in it, computed by this browser').waitFor();
});
