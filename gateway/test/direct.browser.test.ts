import type { Browser, Page } from 'playwright-core';
import { erc20Abi, type Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import type { OwnWallet } from '../src/demo/own-wallet.ts';
import { openDatabase } from '../src/kit/db/db.ts';
import { unitsOfDecimal } from '../src/money/money.ts';
import { openBrowser } from './browser/browser.ts';
import { injectWallet } from './browser/browser-wallet.ts';
import { openSignedIn } from './browser/demo-people.ts';
import { inEveryLook, takePicture } from './browser/pictures.ts';
import { auditFindingsOf, createLive, type DemoChainFile, demoChain } from './chain/demo-chain.ts';
import { type Api, createApi } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { subscribe, verifiedWebhook } from './webhooks/verified-webhook.ts';

// Direct settlement as customers, the merchant and the host meet it: the demo's second integration, its chain and its
// hosted page. Whatever was paid ends at the merchant's own address and the host's, to the unit.

const asset = 'usdc-bep20';
/** Until a block, its confirmations, or a release. */
const chainMs = 300_000;
const poll = { timeout: chainMs, interval: 100 };

let gateway: RunningGateway;
let browser: Browser;
let receiver: Receiver;
let own: OwnWallet;
let file: DemoChainFile;
let chain: ReturnType<typeof demoChain>;
let api: Api;
let webhookSecret: string;
const paid: string[] = [];

beforeAll(async () => {
  [gateway, browser, receiver] = await Promise.all([
    startGateway({ chain: true }),
    openBrowser(),
    openReceiver(),
  ]);
  own = gateway.demo.own_wallet!;
  file = gateway.demo.chain!;
  chain = demoChain(file);
  api = createApi(gateway.baseUrl, own.live_secret_key);
  webhookSecret = await subscribe(api, receiver, ['payment_completed']);
  return () => receiver.close();
});

type Look = { colorScheme: 'light' | 'dark'; width: number };
const phone: Look = { colorScheme: 'dark', width: 360 };
const desktop: Look = { colorScheme: 'light', width: 1280 };
const looks: Look[] = [
  phone,
  desktop,
  { ...phone, colorScheme: 'light' },
  { ...desktop, colorScheme: 'dark' },
];

async function openTab({ colorScheme, width }: Look): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 960 }, colorScheme, locale: 'en' });
  context.setDefaultTimeout(chainMs);
  return await context.newPage();
}

/** Pictures of a state for people to look at, in all looks. */
async function picture(page: Page, name: string): Promise<void> {
  if (!inEveryLook) return;
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 960 });
    await takePicture(page, `direct/${name}-${width}-${colorScheme}`);
  }
}

type Destination = { asset: string; address: Hex; merchant: string; host: string; basis_points: number };
type Paying = { page: Page; reference: string; address: Hex; points: bigint; before: Arrived };

/** Makes a payment and opens its page where that says what to send, which is what the API names too. */
async function openPayment(look: Look, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const before = await arrived();
  const { reference, url } = await createLive({ ...gateway, liveApi: api });
  const page = await openTab(look);
  await prepare(page);
  await page.goto(url);
  await page.getByText('Florin demo chain').first().click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Send USDC on Florin demo chain').waitFor();
  const { body } = await api<{ items: Destination[] }>('GET', `/payments/${reference}/destinations`);
  const found = body.data.items.find((each) => each.asset === asset)!;
  expect([found.merchant, found.host]).toEqual([own.address, own.host_address]);
  expect(await page.locator('main').textContent()).toContain(found.address);
  paid.push(reference);
  const { address, basis_points } = found;
  return { page, reference, address, points: BigInt(basis_points), before } satisfies Paying;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
const thanks = (page: Page) => heading(page, 'Paid. Thank you.').waitFor();

type Arrived = { merchant: bigint; host: bigint };
const arrived = async (): Promise<Arrived> => ({
  merchant: await chain.balanceOf(asset, own.address),
  host: await chain.balanceOf(asset, own.host_address),
});

/** What rows the gateway's database has. */
async function rowsOf<Row extends object>(text: string, values: unknown[] = [own.integration_id]) {
  const db = openDatabase(await gateway.connection());
  try {
    return (await db.query<Row>(text, values)).rows;
  } finally {
    await db.end();
  }
}

/** What the ledger has on the way to both sides. */
async function onTheWay(): Promise<bigint> {
  const [row] = await rowsOf<{ units: bigint }>(
    `SELECT coalesce(sum(e.units), 0) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'direct' AND a.owner = $1`,
  );
  return row!.units;
}

/** What came of so many units to both sides is all of it, the ledger is at zero, and no account of the merchant's has any. */
async function endsAtBoth({ before, points }: Paying, units: bigint): Promise<void> {
  const toHost = (units * points) / 10_000n;
  const after = { merchant: before.merchant + units - toHost, host: before.host + toHost };
  await expect.poll(arrived, poll).toEqual(after);
  await expect.poll(onTheWay, poll).toBe(0n);
  const others = await rowsOf(
    `SELECT a.kind, sum(e.units) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind <> 'direct' AND a.owner = $1 GROUP BY a.kind HAVING sum(e.units) <> 0`,
  );
  expect(others).toEqual([]);
  expect(await auditFindingsOf(gateway)).toEqual([]);
}

const unitsOf = (amount: string): bigint => unitsOfDecimal(amount, 18)!;
const twice = (...names: string[]) => [...names, ...names];

/** The causes of the ledger's lines about what left the addresses on the way, by name. */
async function moves(): Promise<string[]> {
  const rows = await rowsOf<{ cause: string }>(
    `SELECT t.cause FROM ledger_transfers t JOIN ledger_accounts a ON a.id IN (t.debit, t.credit)
     WHERE a.kind = 'direct' AND a.owner = $1 AND t.cause LIKE 'direct%'`,
  );
  return rows.map(({ cause }) => cause).toSorted();
}

const head = (): Promise<bigint> => chain.client.getBlockNumber({ cacheTime: 0 });
const rpc = (method: string, ...params: unknown[]) => chain.client.request({ method, params } as never);
const mine = (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`);

type Release = { transaction: Hex; block: Hex; number: bigint };

/** The transaction that pays the merchant after a block, as soon as it is in one. */
async function releaseSince(block: bigint): Promise<Release> {
  const token = { address: file.tokens[asset] as Hex, abi: erc20Abi, eventName: 'Transfer' } as const;
  const args = { to: own.address as Hex };
  const find = () => chain.client.getContractEvents({ ...token, args, fromBlock: block + 1n });
  await expect.poll(async () => (await find()).length, { ...poll, interval: 25 }).toBe(1);
  const [log] = await find();
  return { transaction: log!.transactionHash, block: log!.blockHash, number: log!.blockNumber };
}

/** Blocks from that of a release on leave the chain, and empty ones take their place. */
async function takeBack({ transaction, block, number }: Release): Promise<void> {
  const isThere = async () => {
    const receipt = await chain.client.getTransactionReceipt({ hash: transaction }).catch(() => null);
    return receipt?.blockHash === block;
  };
  // The chain may make a block in between.
  do await rpc('anvil_reorg', Number((await head()) - number) + 1, []);
  while (await isThere());
}

async function isTold({ reference }: Paying): Promise<void> {
  await verifiedWebhook(
    receiver,
    { secretKey: own.live_secret_key, webhookSecret },
    reference,
    'payment_completed',
  );
}

test('a plain transfer from anywhere', async () => {
  const paying = await openPayment(phone);
  const { page, address } = paying;
  await picture(page, 'transfer-1-send');
  await chain.send(asset, address, '25.5');
  await heading(page, /^(Sent, waiting for the network|Paid\. Thank you\.)$/).waitFor();
  await picture(page, 'transfer-2-seen');
  await thanks(page);
  await picture(page, 'transfer-3-paid');
  await isTold(paying);
  await endsAtBoth(paying, unitsOf('25.5'));
});

test('a browser wallet', async () => {
  const rpcUrl = file.rpc_url;
  const privateKey = file.payer_private_key as Hex;
  const paying = await openPayment(desktop, (page) => injectWallet(page, { privateKey, rpcUrl, chainId: 1 }));
  const { page } = paying;
  await picture(page, 'wallet-1-send');
  await page.getByRole('button', { name: /^Pay with Test Wallet/ }).click();
  await thanks(page);
  await picture(page, 'wallet-2-paid');
  await isTold(paying);
  await endsAtBoth(paying, unitsOf('25.5'));
});

test('two parts, of which the second has a unit that the parts cannot share', async () => {
  const paying = await openPayment(phone);
  const { page, address } = paying;
  await chain.send(asset, address, '10');
  await page.getByText('15.50 USDC').first().waitFor();
  await picture(page, 'parts-1-rest');
  await chain.send(asset, address, '15.500000000000000001');
  await thanks(page);
  await picture(page, 'parts-2-paid');
  await isTold(paying);
  await endsAtBoth(paying, unitsOf('25.500000000000000001'));
});

test('too much, which arrives as well', async () => {
  const paying = await openPayment(desktop);
  const { page, address } = paying;
  await chain.send(asset, address, '30.123456789012345678');
  await heading(page, /too much|Paid\. Thank you\./)
    .first()
    .waitFor();
  await picture(page, 'too-much-1-seen');
  await thanks(page);
  await picture(page, 'too-much-2-paid');
  await page
    .getByText(/4\.623456789012345678.*went straight to/s)
    .first()
    .waitFor();
  await isTold(paying);
  await endsAtBoth(paying, unitsOf('30.123456789012345678'));
});

test('a release that a reorg takes back is made again, before it was booked and after', async () => {
  const paying = await openPayment(phone);
  const { page, address } = paying;
  const from = await head();
  const known = await moves();
  await chain.send(asset, address, '25.5');
  await takeBack(await releaseSince(from));
  await thanks(page);
  await endsAtBoth(paying, unitsOf('25.5'));
  // It was in no final block, so that nothing was booked of it.
  expect(await moves()).toEqual([...known, 'direct_fee', 'direct_released'].toSorted());

  await takeBack(await releaseSince(from));
  await mine(3);
  await expect.poll(onTheWay, poll).toBe(unitsOf('25.5'));
  expect(await arrived()).toEqual(paying.before);
  await page.reload();
  await thanks(page);
  // The gateway leaves what it has released to its scanner for ten minutes.
  await rowsOf(
    "UPDATE evm_transactions SET settled_at = settled_at - interval '11 minutes' WHERE kind = 'sweep'",
    [],
  );
  await endsAtBoth(paying, unitsOf('25.5'));
  const undone = ['direct_undone', 'direct_undone'];
  expect(await moves()).toEqual([...known, ...twice('direct_fee', 'direct_released'), ...undone].toSorted());
  await isTold(paying);
});

test('the merchant sees the address, what arrived there, and each payment', async () => {
  const page = await openSignedIn(browser, gateway, gateway.demo.merchant, { timeout: chainMs });
  const place = `/app/i/${own.integration_id}/live`;
  await page.goto(`${place}/balances?tab=direct`);
  // The second part of one, and each of the others.
  const arrivals = page.getByRole('table').getByText('Arrived', { exact: true });
  await expect.poll(() => arrivals.count(), poll).toBe(paid.length + 1);
  await picture(page, 'merchant-1-arrived');
  await page.goto(`${place}/settings?tab=payouts`);
  await heading(page, 'Your own wallet').waitFor();
  await picture(page, 'merchant-2-settings');
  for (const [at, reference] of paid.entries()) {
    if (!inEveryLook) break;
    await page.goto(`${place}/payments/${reference}`);
    await heading(page, 'To your own wallet').waitFor();
    await picture(page, `merchant-3-payment-${at}`);
  }
});

test('each payment was told of once, and the operator that final blocks left the chain', () => {
  const told = receiver.received.map(({ body }) => body.payment_reference);
  expect(told.toSorted()).toEqual(paid.toSorted());
  expect(gateway.log()).toContain('final blocks have left the chain');
});
