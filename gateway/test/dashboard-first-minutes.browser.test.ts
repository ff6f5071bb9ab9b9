import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { type FirstHour, handsOn, person, playFirstHour } from './first-hour/story.ts';
import { type CreatedPayment, createApi } from './support/api.ts';
import { linkIn, type Mailbox, openMailbox } from './support/mailbox.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver, type Receiver } from './webhooks/receiver.ts';

// The first minutes of somebody who has nothing yet, by the pages alone: what they copy is all that their server gets.

const promisedMs = 5 * 60_000;
const promisedClicks = 25;

let gateway: RunningGateway;
let browser: Browser;
let mailbox: Mailbox;
let receiver: Receiver;
let folder: string;
let hour: FirstHour;

beforeAll(async () => {
  [mailbox, receiver, browser] = await Promise.all([openMailbox(), openReceiver(), openBrowser()]);
  gateway = await startGateway({ env: { SMTP_URL: mailbox.url } });
  folder = await mkdtemp(join(tmpdir(), 'florin-first-hour-'));
});
afterAll(async () => {
  await hour?.server.stop();
  await Promise.all([mailbox?.close(), receiver?.close(), rm(folder, { recursive: true, force: true })]);
});

/** Pictures of every step, for people to look at; git does not keep them. */
let step = 0;
async function picture(page: Page, name: string): Promise<void> {
  step += 1;
  await takePicture(page, `first-minutes/${String(step).padStart(2, '0')}-${name}`, { fullPage: false });
}

/** Opens the link of the mail in the same tab, as a mail program in the browser does. */
async function confirmAddress(page: Page): Promise<void> {
  const { email } = person;
  await page.getByText(`We sent a link to ${email}. Open it to confirm the address.`).waitFor();
  await expect.poll(() => mailbox.mails.length).toBeGreaterThan(0);
  const mail = mailbox.mails.find(({ to }) => to.includes(email))!;
  await page.goto(linkIn(mail, 'verify-email').href);
  await page.getByText(`${email} is confirmed.`).waitFor();
  await picture(page, 'address-confirmed');
  await handsOn(page).press('Continue');
}

test('somebody new takes their first test payment, and their own server marks the order as paid', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  hour = await playFirstHour({
    ...{ context, baseUrl: gateway.baseUrl, folder },
    onSignedUp: confirmAddress,
    onStep: picture,
  });
  const { clicks, tookMs } = hour;
  console.log(
    `From the first page to an order that is paid: ${(tookMs / 1000).toFixed(1)} s by a machine, ${clicks} clicks.`,
  );
  expect(tookMs).toBeLessThan(promisedMs);
  expect(clicks).toBeLessThanOrEqual(promisedClicks);
});

test('their server takes a webhook once, and none that is not genuine', async () => {
  const { server, reference } = hour;
  expect(server.printed().match(new RegExp(reference, 'g'))).toHaveLength(1);
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
    'webhook-signature': 'v1,AAAA',
  };
  const forged = { method: 'POST', body: '{"event_type":"payment_completed"}' };
  expect((await fetch(server.url, { ...forged, headers })).status).toBe(400);
  expect((await fetch(server.url, forged)).status).toBe(400);
  expect(server.printed().match(/Order paid/g)).toHaveLength(1);
});

test('the payment is found with what happened to it, and the steps that are done are ticked', async () => {
  const { page, reference, server } = hour;
  const { follow, heading } = handsOn(page);
  const ticked = page.locator('li').filter({ has: page.getByText(': done') });
  expect(await ticked.count()).toBeGreaterThanOrEqual(5);
  await follow('Payments');
  const row = page.getByRole('row').filter({ hasText: reference });
  await row.getByText('Completed').waitFor();
  await picture(page, 'payments');
  await row.getByRole('link').click();
  await heading('Timeline').waitFor();
  await page.getByText(`“completed” sent to ${new URL(server.url).host}: answered 200`).waitFor();
  await picture(page, 'timeline');
});

test('a payment by the copied key is told with both signatures', async () => {
  const { testKey } = hour;
  const api = createApi(gateway.baseUrl, testKey);
  const made = await api<{ secret: string }>('POST', '/webhook-endpoints', { body: { url: receiver.url } });
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const created = await api<CreatedPayment>('PUT', '/payment/create', { body });
  expect([made.status, created.status]).toEqual([200, 200]);
  const reference = created.body.data.PaymentData.payment_reference;
  await api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
  const delivery = await receiver.next(
    (each) => each.body.payment_reference === reference && each.body.event_type === 'payment_completed',
    'The webhook about the payment',
  );
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const standard = Object.fromEntries(names.map((name) => [name, String(delivery.headers[name])]));
  expect(new Webhook(made.body.data.secret).verify(delivery.raw, standard)).toEqual(delivery.body);
  expect(isSignedWith(testKey, delivery.raw, delivery.headers['x-signature'])).toBe(true);
  expect(gateway.log()).toBe('');
});
