// A shop that asks prices in EUR, in a browser from the order to the books: on the demo chain, on the demo Pi network, by a
// payment link, and with a test key on a test network.
import { spawnSync } from 'node:child_process';
import { Keypair } from '@stellar/stellar-sdk';
import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { settle } from './browser/dashboard-look.ts';
import { openSignedIn } from './browser/demo-people.ts';
import { takePicture } from './browser/pictures.ts';
import { auditFindingsOf, demoChain, destinationOf } from './chain/demo-chain.ts';
import { demoPi } from './pi/demo-pi.ts';
import { atFileEnd } from './suite/endings.ts';
import type { CreatedPayment } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { subscribe, verifiedEvent, type WebhookKeys } from './webhooks/verified-webhook.ts';

type Mode = 'test' | 'live';
type Way = {
  mode: Mode;
  asset: string;
  coin: string;
  network: string;
  /** What 49.90 EUR are in the coin at the rates of the demo, as they are sent. */
  due: string;
  by: 'api' | 'link';
  /** The address that is paid back: the shop names it, or the customer. */
  named: 'shop' | 'customer';
};

/** Until blocks are final, on a loaded machine too. */
const patience = { timeout: 120_000 };
const story = { timeout: 900_000 };
const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;

let gateway: RunningGateway;
let browser: Browser;
let receiver: Receiver;
let owner: Page;
const keys = new Map<Mode, WebhookKeys>();

beforeAll(async () => {
  [gateway, browser, receiver] = await Promise.all([
    startGateway({ chain: true, pi: true }),
    openBrowser(),
    openReceiver(() => 200, { waitMs: patience.timeout }),
  ]);
  atFileEnd(() => receiver.close());
  for (const [mode, api, secretKey] of [
    ['live', gateway.liveApi, gateway.demo.live_secret_key],
    ['test', gateway.api, gateway.demo.secret_key],
  ] as const) {
    const webhookSecret = await subscribe(api, receiver, ['payment_completed', 'payment_refunded']);
    keys.set(mode, { secretKey, webhookSecret });
  }
  owner = await openSignedIn(browser, gateway, gateway.demo.merchant, patience);
}, 900_000);

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const webhookOf = (mode: Mode, fields: Record<string, string>) =>
  verifiedEvent(receiver, keys.get(mode)!, fields);
const chainOf = (mode: Mode) => demoChain(gateway.demo[mode === 'live' ? 'chain' : 'test_chain']!);
const pi = () => demoPi(gateway.demo.pi!);

async function open(page: Page, mode: Mode, path: string): Promise<void> {
  await page.goto(`/app/i/${gateway.demo.integration_id}/${mode}${path}`);
  await settle(page);
}

async function openCustomer(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ ...phone, ...options });
  context.setDefaultTimeout(patience.timeout);
  return await context.newPage();
}

/** Makes a payment of 49.90 EUR by a secret key, and resolves with the address of its page. */
async function askByKey(mode: Mode): Promise<string> {
  const api = mode === 'live' ? gateway.liveApi : gateway.api;
  const body = { price: { amount: 49.9, currency: 'EUR' }, payment_type: 'deposit' };
  const { body: answer } = await api<CreatedPayment>('PUT', '/payment/create', { body });
  expect(answer.message).toBe('Payment created');
  return answer.data.PaymentURL;
}

/** Makes a payment link of 49.90 EUR in the dashboard, and resolves with its address. */
async function askByLink(mode: Mode): Promise<string> {
  await open(owner, mode, '/payment-links');
  await press(owner, 'New payment link');
  await owner.getByLabel('For what').fill('Membership');
  await owner.getByLabel('How it is asked').selectOption('As a price in other money');
  await owner.getByLabel('Currency of the price').selectOption('EUR');
  await owner.getByLabel('Amount').fill('49.90');
  await press(owner, 'Create the link');
  return (await owner.getByRole('link', { name: 'Open its page' }).getAttribute('href'))!;
}

/** Chooses the coin on its line, its network below it, and goes on. */
async function choose(customer: Page, { mode, coin, network, asset, due }: Way): Promise<void> {
  await heading(customer, 'Choose how to pay');
  expect(await customer.locator('.amount-value').textContent()).toBe('49.90 EUR');
  const line = customer.locator('.coin', { has: customer.locator(`#method-${asset}`) });
  await expect.poll(() => line.count(), patience).toBe(1);
  expect((await line.locator('.coin-line').textContent())?.replaceAll('\u00a0', ' ')).toContain(
    `${coin} 49.90 EUR = ${due} ${coin}`,
  );
  if (mode === 'test') await line.getByText('Test network: coins here have no value').waitFor();
  // The line of the coin that is chosen already takes no press.
  if ((await line.locator(':checked').count()) === 0) await line.locator('.coin-line').click();
  await line.getByText(network, { exact: true }).click();
  await press(customer, 'Continue');
  await heading(customer, `Send ${coin} on ${network}`);
  for (const words of [`= ${due} ${coin}`, `1 ${coin} = 0.8 EUR`, /^Rate holds until/])
    await customer.getByText(words).first().waitFor();
}

/** A plain transfer of what the page asks for. */
async function send({ mode, asset, due }: Way, url: string): Promise<void> {
  const { address, memo, amount } = await destinationOf(url);
  expect(amount).toBe(due);
  await (asset === 'pi' ? pi().send(address, due, memo) : chainOf(mode).send(asset, address, due));
}

/** The receipt, opened anew by somebody whose browser runs no script. */
async function receiptIsShown({ coin, due, network }: Way, url: string): Promise<void> {
  const reader = await openCustomer({ javaScriptEnabled: false });
  await reader.goto(url);
  await heading(reader, 'Receipt');
  const words = (await reader.locator('main').textContent())?.replaceAll(/[\s\u00a0]+/g, ' ');
  for (const each of ['49.90 EUR', `Paid with ${due} ${coin}`, `1 ${coin} = 0.8 EUR`, network])
    expect(words).toContain(each);
  await reader.context().close();
}

/** An address with nothing of the asset on it, and what came to it since, in the asset's smallest unit. */
async function freshAddress({ mode, asset }: Way): Promise<{ to: string; came: () => Promise<bigint> }> {
  if (asset === 'pi') {
    const to = Keypair.random().publicKey();
    await pi().open(to, '2');
    return { to, came: async () => (await pi().balanceOf(to)) - 20_000_000n };
  }
  const to = privateKeyToAddress(generatePrivateKey());
  return { to, came: () => chainOf(mode).balanceOf(asset, to) };
}

/** Pays 10 EUR of a payment back from the dashboard, until the network has them. */
async function payBack(way: Way, reference: string, customer: Page): Promise<void> {
  const { mode, asset, coin, network } = way;
  const { to, came } = await freshAddress(way);
  await open(owner, mode, `/payments/${reference}`);
  await press(owner, 'Refund');
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('The amount is given in').selectOption('EUR');
  await dialog.getByLabel('Amount in EUR').fill('10');
  await dialog.getByText(`10.00 EUR = 12.50 ${coin} at the rate of the payment, 12.50 today.`).waitFor();
  if (way.named === 'shop') {
    await dialog.getByRole('radio', { name: 'To this address' }).check();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(to);
  }
  await press(owner, /^Refund 12\.50 /);
  if (way.named === 'customer') await claim(customer, { to, coin, network });
  const units = asset === 'pi' ? 125_000_000n : 125n * 10n ** 17n;
  await expect.poll(came, patience).toBe(units);
  const { body } = await webhookOf(mode, { event_type: 'payment_refunded', payment_reference: reference });
  expect(body).toMatchObject({ refund_asset: asset, refund_amount: '12.5', amount: 49.9, currency: 'EUR' });
  await customer.reload();
  await customer.getByText('(about 10.00 EUR)').first().waitFor();
}

/** The customer says where the money goes, on the page of the payment. */
async function claim(customer: Page, { to, coin, network }: { to: string; coin: string; network: string }) {
  await owner.getByText('Refund made. The customer is asked for an address.').waitFor();
  await customer.reload();
  await customer.getByText(`12.50 ${coin}`).first().waitFor();
  await customer.getByText('(about 10.00 EUR)').waitFor();
  await customer.getByLabel(`Your address on ${network}`).fill(to);
  await press(customer, 'Continue');
  await heading(customer, 'Check it before it is sent');
  await customer.getByText(/12\.50.USDC \(about 10\.00.EUR\).* goes to the address below/).waitFor();
  await takePicture(customer, 'euros/claim');
  await press(customer, 'Yes, send it there');
}

/** Downloads the books of a mode, and has them read by hledger. */
async function journalBalances(mode: Mode, references: string[]): Promise<void> {
  await open(owner, mode, '/balances?tab=statements');
  const [file] = await Promise.all([
    owner.waitForEvent('download'),
    owner.getByRole('link', { name: 'All months, for hledger' }).click(),
  ]);
  const path = await file.path();
  const hledger = (...args: string[]) => spawnSync('hledger', [...args, '-f', path], { encoding: 'utf8' });
  if (hledger('--version').error) return;
  const check = hledger('check');
  expect(check.stdout + check.stderr).toBe('');
  const printed = hledger('print').stdout;
  for (const reference of references) {
    expect(printed).toContain(`Payment settled ${reference}`);
    expect(printed).toContain(`Refund taken ${reference}`);
  }
  expect(printed).toContain('EUR');
  // At what each line was worth, the whole is nothing.
  expect(hledger('balance', '--cost', '--depth', '0').stdout.trim().split('\n').at(-1)?.trim()).toBe('0');
}

const onChain = { coin: 'USDC', asset: 'usdc-bep20', network: 'Florin demo chain', due: '62.38' };
const ways: [string, Way][] = [
  ['on the demo chain', { ...onChain, mode: 'live', by: 'api', named: 'customer' }],
  [
    'on the demo Pi network',
    {
      ...{ coin: 'PI', asset: 'pi', network: 'Florin demo Pi', due: '62.375' },
      ...{ mode: 'live', by: 'api', named: 'shop' },
    },
  ],
  [
    'by a payment link',
    { ...onChain, coin: 'USDT', asset: 'usdt-bep20', mode: 'live', by: 'link', named: 'shop' },
  ],
  [
    'with a test key on a test network',
    {
      ...{ ...onChain, asset: 'usdc-bsc-testnet', network: 'Florin demo test chain' },
      ...{ mode: 'test', by: 'api', named: 'shop' },
    },
  ],
];

test('the shop keeps its books in EUR', story, async () => {
  // Both modes have one; the demo's business has statements in test mode from the start.
  await open(owner, 'test', '/balances?tab=statements');
  const form = owner.getByRole('form', { name: 'Accounting currency' });
  await form.getByRole('combobox').selectOption('EUR');
  await form.getByRole('button', { name: 'Save' }).click();
  await owner.getByText('Accounting currency saved').waitFor();
});

describe.each(ways)('%s', (name, way) => {
  test('49.90 EUR are chosen, paid, told and receipted, and 10 EUR of them go back', story, async () => {
    const customer = await openCustomer();
    const look = (step: string) => takePicture(customer, `euros/${name.replaceAll(' ', '-')}-${step}`);
    const asked = way.by === 'link' ? await askByLink(way.mode) : await askByKey(way.mode);
    await customer.goto(asked);
    if (way.by === 'link') {
      await look('0-link');
      await press(customer, /^Pay 49\.90/);
    }
    await heading(customer, 'Choose how to pay');
    await look('1-choose');
    await choose(customer, way);
    await look('2-quote');
    const url = customer.url();
    const reference = new URL(url).searchParams.get('reference')!;
    await send(way, url);
    await heading(customer, 'Paid. Thank you.');
    await look('3-paid');
    const { body } = await webhookOf(way.mode, {
      event_type: 'payment_completed',
      payment_reference: reference,
    });
    expect(body).toMatchObject({
      ...{ amount: 49.9, currency: 'EUR', service_fee: 0.5, payment_status: 'completed' },
      ...{ paid_asset: way.asset, paid_amount: way.due, rate: '0.8' },
    });
    await receiptIsShown(way, url);
    await payBack(way, reference, customer);
    await look('4-refunded');
    paid.get(way.mode)?.push(reference);
    await customer.context().close();
  });
});

const paid = new Map<Mode, string[]>([
  ['live', []],
  ['test', []],
]);

test('hledger balances the journals of both modes, and nothing of all this was a fault', story, async () => {
  expect([paid.get('live')?.length, paid.get('test')?.length]).toEqual([3, 1]);
  for (const [mode, references] of paid) await journalBalances(mode, references);
  expect(await auditFindingsOf(gateway)).toEqual([]);
  expect(gateway.log()).toBe('');
});
