import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import type { Place } from './browser/dashboard-fixture.ts';
import { judge, openTab, settle, twoLooks } from './browser/dashboard-look.ts';
import type { CreatedPayment } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { startApp } from './support/running.ts';
import { isSignedWith } from './webhooks/receiver.ts';

// What a developer tries a receiver with, by the dashboard: the receiver check, chaos and the simulator.

/** Pictures of every step, for people to look at; git does not keep them. */

let browser: Browser;
let place: Place;
let page: Page;
let faults: string[];
let server: Server;
let endpoint: { id: string; secret: string };

/** Whether the receiver looks at signatures at all. */
let isMended = false;
/** Until this the receiver answers nothing, so that a check is seen while it runs. */
const watched = Promise.withResolvers<void>();

const answer: RequestListener = async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  await watched.promise;
  response.writeHead(!isMended || isGenuine(raw, request.headers) ? 200 : 400).end();
};

function isGenuine(raw: Buffer, headers: Parameters<RequestListener>[0]['headers']): boolean {
  try {
    new Webhook(endpoint.secret).verify(raw, headers as Record<string, string>);
    return isSignedWith(place.app.secretKey, raw, headers['x-signature']);
  } catch {
    return false;
  }
}

beforeAll(async () => {
  browser = await openBrowser();
  const app = await startApp({ seed: { name: 'Web shop' } });
  const people = await openConsole(app);
  place = { app, people, params: {} };
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
  const made = await app.api<{ id: string; secret: string }>('POST', '/webhook-endpoints', { body: { url } });
  endpoint = made.body.data;
  ({ page, faults } = await openTab(browser, place, 'owner'));
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
});

const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const open = (address: string) => page.goto(`/app/i/${place.app.integrationId}/test/${address}`);

/** Takes the page's picture in every look, and expects nothing to be wrong with it. */
async function look(name: string): Promise<void> {
  await settle(page);
  for (const each of twoLooks) {
    const wrong = await judge(page, each, `webhook-tools/${name}-${each.name}`);
    expect([...wrong, ...faults.splice(0)], `${name}, ${each.name}`).toEqual([]);
  }
}

async function createPayment(reference: string): Promise<void> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  const answer = await place.app.api<CreatedPayment>('PUT', '/payment/create', { body });
  expect(answer.status).toBe(200);
}

test('a receiver that verifies nothing breaks rules, and keeps them after it was corrected', async () => {
  await open('webhooks');
  await press(/^Check the receiver at/);
  await page.getByText('Does your receiver keep the rules?').waitFor();
  await press('Run the check');
  await page.getByText('Deliveries, as they come back').waitFor();
  await page.getByRole('progressbar', { name: 'Sending deliveries' }).waitFor();
  watched.resolve();
  await page.getByText(/rules? (is|are) broken/).waitFor({ timeout: 120_000 });
  await page.getByRole('combobox', { name: 'Language of the examples' }).selectOption('python');
  await page.getByText('def is_genuine').first().waitFor();
  await look('check-broken');

  isMended = true;
  await press('Run it again');
  await page.getByText(/^(Nothing is broken|Every rule is kept)$/).waitFor({ timeout: 120_000 });
  await look('check-kept');
  // The result is there when the drawer is opened again.
  await page.reload();
  await page.getByText(/^(Nothing is broken|Every rule is kept)$/).waitFor();
});

test('chaos is set by a preset and a slider, shows on the endpoint, and is told of in the delivery log', async () => {
  await open(`webhooks?chaos=${endpoint.id}`);
  await press('Realistic bad day');
  await page.getByLabel('Sent twice, of 100 attempts').waitFor();
  await look('chaos-bad-day');
  await press('Off');
  await page.getByRole('switch', { name: 'Wrong signature' }).click();
  await page.getByLabel('Wrong signature, of 100 attempts').fill('100');
  await press('Let it happen');
  await page.getByRole('article').getByText('Chaos', { exact: true }).waitFor();
  await look('chaos-badge');

  await createPayment('ORDER-1');
  await open('payments/ORDER-1');
  await press('Simulate');
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await open('webhooks?tab=deliveries&reference=ORDER-1');
  await page.getByText('Events of this payment').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'payment_completed' });
  await row.getByRole('img', { name: 'met chaos' }).waitFor();
  await row.getByRole('link').click();
  await page.getByRole('dialog').getByText('Chaos', { exact: true }).first().waitFor();
  await look('chaos-delivery');
});

test('a script of several outcomes is seen before it is played, and the clock brings its end', async () => {
  await createPayment('ORDER-2');
  await open('payments/ORDER-2');
  await press('Slow');
  await press('Split');
  const script = page.getByRole('table', { name: 'What will happen, by the test clock' });
  await script.getByText('+ 90 s').waitFor();
  await look('simulator-script');
  await press('Simulate');
  await page.getByText(/steps wait for the/).waitFor();
  await look('simulator-waiting');
  await press(/^Advance /);
  await page.getByText('The clock was advanced').waitFor();
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await look('simulator-done');
});

test('an endpoint that was paused is activated and sent what it missed', async () => {
  await open('webhooks');
  await press(/^More about/);
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByText('No event for it has happened meanwhile.').waitFor();
  await createPayment('ORDER-3');
  await place.app.api('POST', '/test/payments/ORDER-3/simulate', { body: { outcome: 'success' } });
  await page.reload();
  await look('missed');
  await press('Activate and send what was missed (1)');
  await page.getByRole('article').getByText('Active', { exact: true }).waitFor();
});
