// How money leaves: what a merchant, a customer and the operator do for it, and what they, the chain, the merchant's
// server and the reserves see of it.
import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import type { Reserve } from '../src/treasury/reserves/reserves.ts';
import { openBrowser } from './browser/browser.ts';
import { settle } from './browser/dashboard-look.ts';
import { joinDemo, openSignedIn } from './browser/demo-people.ts';
import { takePicture } from './browser/pictures.ts';
import { auditFindingsOf, createLive, demoChain, reservesOf } from './chain/demo-chain.ts';
import { atFileEnd } from './suite/endings.ts';
import { createApi } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { subscribe, verifiedEvent } from './webhooks/verified-webhook.ts';

const asset = 'usdc-bep20';
/** Until blocks are final, on a loaded machine too. */
const patience = { timeout: 120_000 };
/** A part of the story waits for several of them. */
const story = { timeout: 900_000 };
const finance = {
  ...{ email: 'finance@example.com', password: 'correct horse battery staple' },
  ...{ name: 'Finn of finance', role: 'finance' as const },
};

let gateway: RunningGateway;
let chain: ReturnType<typeof demoChain>;
let receiver: Receiver;
let webhookSecret: string;
let browser: Browser;
/** The tabs of two people of the shop, and of its customer. */
let owner: Page;
let second: Page;
let customer: Page;
/** A payment of 120 USDC, for which 124.5 come. */
let payment: { reference: string; url: string };

beforeAll(async () => {
  [gateway, browser, receiver] = await Promise.all([
    startGateway({ chain: true }),
    openBrowser(),
    openReceiver(() => 200, { waitMs: patience.timeout }),
  ]);
  atFileEnd(() => receiver.close());
  chain = demoChain(gateway.demo.chain!);
  const events = ['payment_completed', 'payout_completed', 'refund_created', 'payment_refunded'];
  webhookSecret = await subscribe(gateway.liveApi, receiver, events);
  await joinDemo(gateway, finance);
  owner = await openSignedIn(browser, gateway, gateway.demo.merchant, patience);
  second = await openSignedIn(browser, gateway, finance, patience);
  const context = await browser.newContext({ viewport: { width: 480, height: 960 } });
  context.setDefaultTimeout(patience.timeout);
  customer = await context.newPage();
}, 900_000);

const freshAddress = () => privateKeyToAddress(generatePrivateKey());
const at = (path: string) => `/app/i/${gateway.demo.integration_id}/live${path}`;
const look = (page: Page, name: string) => takePicture(page, `money-out/${name}`);
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const webhookOf = (fields: Record<string, string>) =>
  verifiedEvent(receiver, { secretKey: gateway.demo.live_secret_key, webhookSecret }, fields);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settle(page);
}

/** The chain shows exactly this at the address, in hundredths of a USDC. */
const arrives = (to: string, cents: bigint) =>
  expect.poll(() => chain.balanceOf(asset, to), patience).toBe(cents * 10n ** 16n);

/** How many seconds lie between the last approval of a payout and the block that the chain took it in. */
async function secondsToArrive(payoutId: string): Promise<number> {
  const money = createApi(gateway.baseUrl, gateway.demo.payout_keys?.live ?? '');
  const { body } = await money<{ approvals: { at: string }[]; transaction: Hex }>(
    'GET',
    `/payouts/${payoutId}`,
  );
  const { approvals, transaction } = body.data;
  const { blockNumber } = await chain.client.getTransactionReceipt({ hash: transaction });
  const { timestamp } = await chain.client.getBlock({ blockNumber });
  return Number(timestamp) - Date.parse(approvals.at(-1)?.at ?? '') / 1000;
}

const isBeingBooked = ({ explained }: Reserve) => explained.some(({ why }) => why.endsWith('not booked yet'));

/** Just as much is held as is owed, beside the 10,000 that the demo's vault began with. */
async function holdsWhatIsOwed(): Promise<void> {
  let reserves: Reserve[] = [];
  // A sweep may be between the chain and the ledger.
  const isBooked = async (): Promise<boolean> => {
    reserves = await reservesOf(gateway);
    return !reserves.some(isBeingBooked);
  };
  await expect.poll(isBooked, { ...patience, interval: 500 }).toBe(true);
  const explained = [{ why: 'put in by the operator', amount: '10000' }];
  expect(reserves.map((each) => [each.asset, each.difference, each.explained])).toEqual([
    ['csk-bep20', '0', explained],
    ['usdc-bep20', '0', explained],
    ['usdt-bep20', '0', explained],
  ]);
}

test('a customer pays by a plain transfer, and more than is due', story, async () => {
  payment = await createLive(gateway, { amount: 120 });
  await customer.goto(payment.url);
  await customer.getByText('Florin demo chain').first().click();
  await press(customer, 'Continue');
  await heading(customer, 'Send USDC on Florin demo chain');
  await customer.getByText('120.00 USDC').first().waitFor();
  const [address = ''] = /0x[0-9a-fA-F]{40}/.exec((await customer.locator('main').textContent()) ?? '') ?? [];
  await chain.send(asset, address, '124.5');
  await heading(customer, 'Paid. Thank you.');
  await heading(customer, 'Owed to you');
  await look(customer, 'customer-1-paid');
  await webhookOf({ event_type: 'payment_completed', payment_reference: payment.reference });
  await holdsWhatIsOwed();
});

test('a merchant withdraws 50 USDC, once a second person has approved it', story, async () => {
  const to = freshAddress();
  await open(owner, at('/settings?tab=payouts'));
  await owner.getByLabel('Approvals by other people').selectOption('One');
  await owner.getByRole('form', { name: 'Payout settings' }).getByRole('button', { name: 'Save' }).click();
  await owner.getByText('Payout settings saved').waitFor();
  await look(owner, 'merchant-1-settings');

  await open(owner, at('/balances'));
  await look(owner, 'merchant-2-balances');
  await press(owner, 'Withdraw');
  await owner.getByLabel('Amount in USDC').fill('50');
  await owner.getByLabel('Address').fill(to);
  await look(owner, 'merchant-3-withdraw');
  await press(owner, 'Continue');
  await owner.getByText('It is sent after one approval by somebody else.').waitFor();
  await look(owner, 'merchant-4-confirm');
  await press(owner, /^Send 50\.00 USDC/);
  await owner.getByText('You asked for it, so somebody else approves it.').waitFor();
  await look(owner, 'merchant-5-ordered');

  await open(second, at('/balances'));
  await second.getByRole('link', { name: 'See what waits' }).click();
  const card = second.getByRole('region', { name: /^50\.00 USDC/ });
  await card.getByText(to).waitFor();
  await look(second, 'finance-1-approve');
  await card.getByRole('button', { name: 'Approve' }).click();
  await second.getByText('Payout approved').waitFor();

  await arrives(to, 50_00n);
  const { body } = await webhookOf({ event_type: 'payout_completed', to });
  expect(body).toMatchObject({ asset, amount: '50', payout_status: 'completed', purpose: 'merchant_payout' });
  expect(await secondsToArrive(String(body.payout_id))).toBeLessThan(60);
  // Both see it without loading the page anew, and the balance no longer holds anything.
  for (const page of [owner, second]) {
    await page.getByRole('cell', { name: 'Completed' }).waitFor();
    await page.getByText('50.00 USDC held').waitFor({ state: 'detached' });
  }
  await owner.getByRole('link', { name: '50.00 USDC' }).click();
  await owner.getByText('Arrived: its transaction is final.').waitFor();
  await owner.getByText('By finance@example.com').waitFor();
  await look(owner, 'merchant-6-arrived');
  await holdsWhatIsOwed();
});

test('the customer claims what was too much, on the page of the payment', story, async () => {
  const to = freshAddress();
  const { reference: payment_reference } = payment;
  await customer.getByLabel('Your address on Florin demo chain').fill(to);
  await press(customer, 'Continue');
  await heading(customer, 'Check it before it is sent');
  await customer.getByText(/4\.50.USDC.* goes to the address below/).waitFor();
  await look(customer, 'customer-2-check');
  await press(customer, 'Yes, send it there');
  await customer.getByText('Thank you. Below you see how far it is.').waitFor();
  await look(customer, 'customer-3-ordered');
  await arrives(to, 4_50n);
  await customer.getByText('Sent', { exact: true }).waitFor();
  await look(customer, 'customer-4-sent');
  const { body } = await webhookOf({ event_type: 'refund_created', payment_reference });
  const refund = { refund_id: String(body.refund_id), refund_asset: asset, refund_amount: '4.5' };
  await webhookOf({ event_type: 'payment_refunded', payment_reference, ...refund });
  await holdsWhatIsOwed();
});

test('half of the payment is refunded in the dashboard, once the owner has approved it', story, async () => {
  const to = freshAddress();
  await open(second, at(`/payments/${payment.reference}`));
  await press(second, 'Refund');
  const dialog = second.getByRole('dialog');
  await look(second, 'refund-1-dialog');
  await dialog.getByLabel('Amount in USDC').fill('60');
  await dialog.getByRole('radio', { name: 'To this address' }).check();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(to);
  await dialog.getByLabel('Reason').fill('One of two notebooks came back');
  await look(second, 'refund-2-filled');
  await press(second, /^Refund 60\.00 USDC/);
  await second.getByText('Refund made. Somebody else has to approve it.').waitFor();
  await second.getByText('Awaiting approval').waitFor();
  await look(second, 'refund-3-made');

  await open(owner, at('/balances?tab=payouts'));
  const card = owner.getByRole('region', { name: /^60\.00 USDC/ });
  await card.getByText(to).waitFor();
  await card.getByText('finance@example.com').waitFor();
  await card.getByRole('link', { name: payment.reference }).waitFor();
  await look(owner, 'refund-4-approve');
  await card.getByRole('button', { name: 'Approve' }).click();
  await owner.getByText('Payout approved').waitFor();

  await arrives(to, 60_00n);
  const refunded = { payment_reference: payment.reference, refund_asset: asset, refund_amount: '60' };
  await webhookOf({ event_type: 'payment_refunded', ...refunded });
  await second.getByRole('listitem').filter({ hasText: to }).getByText('Completed').waitFor();
  await second.getByText('Taken from your balance for a refund').waitFor();
  await look(second, 'refund-5-arrived');
  await look(customer, 'customer-5-refunded');
  await holdsWhatIsOwed();
});

test('the operator withdraws the fees, and compares what is owed with what is held', story, async () => {
  const to = freshAddress();
  const operator = await openSignedIn(browser, gateway, gateway.demo.operator, patience);
  await open(operator, '/app/operator/money?tab=fees');
  await look(operator, 'operator-1-fees');
  await press(operator, 'Withdraw');
  const dialog = operator.getByRole('dialog');
  expect(await dialog.getByLabel('Amount in USDC').inputValue()).toBe('1.2');
  await dialog.getByLabel('Address').fill(to);
  await look(operator, 'operator-2-dialog');
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await operator.getByText(to).waitFor();
  await look(operator, 'operator-3-ordered');
  await arrives(to, 1_20n);
  await operator.getByRole('cell', { name: 'Completed' }).waitFor();
  await look(operator, 'operator-4-arrived');
  await open(operator, '/app/operator/money?tab=reserves');
  await operator.getByRole('cell', { name: 'None' }).first().waitFor();
  await look(operator, 'operator-5-reserves');
  await holdsWhatIsOwed();
});

test('the books are sound, and nothing of all this was a fault of the gateway', async () => {
  expect(await auditFindingsOf(gateway)).toEqual([]);
  expect(gateway.log()).toBe('');
});
