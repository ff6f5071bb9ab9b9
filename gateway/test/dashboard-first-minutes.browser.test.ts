import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pressEscape } from './browser/acts.ts';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { type CreatedPayment, createApi } from './support/api.ts';
import { linkIn, type Mailbox, openMailbox } from './support/mailbox.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver, type Receiver } from './webhooks/receiver.ts';

// The first minutes of somebody who has nothing yet, by the pages alone; only their server's part is done by HTTP,
// with what the pages gave them.

/** Pictures of every step, for people to look at; git does not keep them. */
const email = 'ada@lumen.example';
const password = 'four words in a row';
const promisedMs = 5 * 60_000;

let gateway: RunningGateway;
let browser: Browser;
let mailbox: Mailbox;
let server: Receiver;
let page: Page;

beforeAll(async () => {
  [mailbox, server, browser] = await Promise.all([openMailbox(), openReceiver(), openBrowser()]);
  gateway = await startGateway({ env: { SMTP_URL: mailbox.url, WEBHOOK_ALLOW_PRIVATE: '1' } });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Sooner than the test ends, so that a failure names what did not appear.
  page = await context.newPage();
});
afterAll(async () => {
  await Promise.all([mailbox?.close(), server?.close()]);
});

let step = 0;
async function picture(name: string): Promise<void> {
  step += 1;
  await takePicture(page, `first-minutes/${String(step).padStart(2, '0')}-${name}`, { fullPage: false });
}

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
const write = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

/** Presses the button that copies, and reads what it copied. */
async function copied(button: string): Promise<string> {
  await press(button);
  await page.getByText('Copied', { exact: true }).waitFor();
  // As text, because the tests' types know no browser.
  return await page.evaluate<string>('navigator.clipboard.readText()');
}

async function signUp(): Promise<void> {
  await page.goto(`${gateway.baseUrl}/app/`);
  await heading('Sign in').waitFor();
  await picture('sign-in');
  await follow('Create an account');
  await heading('Create an account').waitFor();
  await write('Your name', 'Ada Lovelace');
  await write('E-mail address', email);
  await write('Password', password);
  await picture('sign-up');
  await press('Create the account');
  await heading('Name your business').waitFor();
  await page.getByText(`We sent a link to ${email}`).waitFor();
  await picture('signed-up');
}

/** Opens the link of the mail in the same tab, as a mail program in the browser does. */
async function confirmAddress(): Promise<void> {
  await expect.poll(() => mailbox.mails.length).toBeGreaterThan(0);
  const mail = mailbox.mails.find(({ to }) => to.includes(email))!;
  await page.goto(linkIn(mail, 'verify-email').href);
  await page.getByText(`${email} is confirmed.`).waitFor();
  await picture('address-confirmed');
  await press('Continue');
}

async function nameBusiness(): Promise<void> {
  await heading('Name your business').waitFor();
  await write('Name', 'Lumen Books');
  await press('Continue');
  await heading('New integration').waitFor();
  await picture('business-made');
}

/** Makes the integration, and keeps its key. */
async function makeIntegration(): Promise<string> {
  await write('Name', 'Web shop');
  await press('Make the integration');
  await heading('Its test secret key').waitFor();
  const key = await copied('Copy the secret');
  await picture('key-made');
  await press('Done');
  await heading('Overview').waitFor();
  await heading('Its test secret key').waitFor({ state: 'detached' });
  await picture('first-steps');
  return key;
}

/** Adds the person's own server as an endpoint, and returns the endpoint's secret. */
async function addEndpoint(): Promise<string> {
  await follow('Webhooks');
  await heading('No endpoint yet').waitFor();
  await press('Add an endpoint');
  await write('Address', server.url);
  await picture('endpoint');
  await press('Add the endpoint');
  const secret = await copied('Copy the secret');
  await picture('endpoint-secret');
  await press('Done');
  await page.getByText(server.url).first().waitFor();
  return secret;
}

/** What the person's server does: the call of the page's snippet, with the key that was copied. */
async function createPayment(key: string): Promise<CreatedPayment> {
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const answer = await createApi(gateway.baseUrl, key)<CreatedPayment>('PUT', '/payment/create', { body });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

async function payAsCustomer({ PaymentURL }: CreatedPayment): Promise<void> {
  const dashboard = page.url();
  await page.goto(PaymentURL);
  await heading('Choose how to pay').waitFor();
  await picture('hosted-page');
  await press('Success');
  await heading('Paid. Thank you.').waitFor();
  await picture('hosted-page-paid');
  await page.goto(dashboard);
}

async function findPayment(reference: string): Promise<void> {
  await follow('Payments');
  const row = page.getByRole('row').filter({ hasText: reference });
  await row.getByText('Completed').waitFor();
  await picture('payments');
  await row.getByRole('link').click();
  await heading('Timeline').waitFor();
  await page.getByText(/^“completed” sent to 127\.0\.0\.1:\d+: answered 200/).waitFor();
  await page.getByText('PUT /payment/create').waitFor();
  await picture('timeline');
}

/** The first steps tick themselves: all but going live are done. */
async function seeStepsTicked(): Promise<void> {
  await pressEscape(page);
  await follow('Overview');
  await page.getByText(/^Next: /).click();
  await picture('steps-ticked');
  const ticked = page.locator('li').filter({ has: page.getByText(': done') });
  expect(await ticked.count()).toBeGreaterThanOrEqual(5);
}

/** Both signatures of what arrived: the endpoint's own, and the one by the secret key. */
async function checkSignatures(reference: string, key: string, secret: string): Promise<void> {
  const { raw, headers, body } = await server.next(
    (each) => each.body.payment_reference === reference && each.body.event_type === 'payment_completed',
    'The webhook about the payment',
  );
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const standard = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  expect(new Webhook(secret).verify(raw, standard)).toEqual(body);
  expect(isSignedWith(key, raw, headers['x-signature'])).toBe(true);
}

test('somebody new takes their first test payment, and their server gets the webhook', async () => {
  const begun = performance.now();
  await signUp();
  await confirmAddress();
  await nameBusiness();
  const key = await makeIntegration();
  const secret = await addEndpoint();
  const payment = await createPayment(key);
  const reference = payment.PaymentData.payment_reference;
  await payAsCustomer(payment);
  await findPayment(reference);
  await seeStepsTicked();
  await checkSignatures(reference, key, secret);
  const tookMs = Math.round(performance.now() - begun);
  console.log(
    `From the first page to a webhook that verifies: ${(tookMs / 1000).toFixed(1)} s by a machine.`,
  );
  expect(tookMs).toBeLessThan(promisedMs);
  expect(gateway.log()).toBe('');
});
