import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { startBot } from './notices/bot-server.ts';
import { startPushDevice } from './notices/push-service.ts';
import type { CreatedPayment } from './support/api.ts';

const bot = await startBot();
const env = { TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_URL: bot.url, WEBHOOK_ALLOW_PRIVATE: '1' };
const [browser, place] = await Promise.all([openBrowser(), openFirstDay({ env })]);

const settings = `/app/i/${place.app.integrationId}/test/settings?tab=notices`;

/** A payment that is completed at once; returns its reference. */
async function pay(): Promise<string> {
  const body = { amount: 25.5, currency: 'USDC', payment_type: 'deposit' };
  const made = await place.app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const reference = made.body.data.PaymentData.payment_reference;
  await place.app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
  return reference;
}

async function choose(page: Page, ...boxes: string[]): Promise<void> {
  for (const box of boxes) await page.getByRole('checkbox', { name: box, exact: true }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Notices saved').waitFor();
}

test('a person chooses what they are told, by the keyboard alone if they like, and sends a test', async () => {
  const { page } = await openTab(browser, place, 'read-only');
  page.context().setDefaultTimeout(120_000);
  await load(page, settings);
  await page.getByText('You are told nothing yet.').waitFor();
  const first: string[] = [];
  for (const look of twoLooks)
    first.push(...(await judge(page, look, `dashboard/notices-empty-${look.name}`)));
  expect(first).toEqual([]);

  await page.getByRole('checkbox', { name: 'A payment is paid: Mail at once' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'A summary of each day: Web push' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Notices saved').waitFor();
  await page.getByText('Allow notices on a device below.').waitFor();
  await page.getByRole('button', { name: 'Send a test message: Mail at once' }).click();
  await page.getByText(/^Sent /).waitFor();
  const found: string[] = [];
  for (const look of twoLooks) found.push(...(await judge(page, look, `dashboard/notices-${look.name}`)));
  expect(found).toEqual([]);

  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByLabel('Language of notices').selectOption('Deutsch');
  await page.getByRole('button', { name: 'Save hour and language' }).click();
  await page.getByText('Hour and language saved').waitFor();
});

test('a chat is linked by its code, and told in the language of the page', async () => {
  const { page } = await openTab(browser, place, 'developer');
  await page.addInitScript("localStorage.setItem('florin.language', 'fr')");
  await load(page, settings);
  await page.getByRole('checkbox', { name: 'Un paiement est payé : Telegram', exact: true }).check();
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await page.getByText('Avis enregistrés').waitFor();
  await page.getByRole('button', { name: 'Associer une discussion' }).click();
  const code = page.getByText(/^\/start /);
  bot.write(77, (await code.textContent()) ?? '');
  await page.getByText(/^Associé à ada/).waitFor();
  await page.getByRole('button', { name: 'Envoyer un message d’essai : Telegram' }).waitFor();
  const reference = await pay();
  await expect
    .poll(() => bot.said.map(({ text }) => text))
    .toEqual([
      expect.stringContaining('Cette discussion est associée.'),
      expect.stringMatching(new RegExp(`^Mode test. Payé : 25.5 USDC\n${reference}\n`)),
    ]);
});

// The headless shell has no notifications, and says that they are refused: what the worker shows is noted in it.
const allowed = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })";
const noting = `self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, tag, path: data.path });
  };`;

test('a device that was allowed gets what is pushed to it, and shows it', async () => {
  const device = await startPushDevice();
  const { page } = await openTab(browser, place, 'owner');
  const { endpoint, p256dh, auth } = device.subscription;
  const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth } });
  // The push service that a browser chooses cannot be reached from here: this one is the test's own.
  await page.addInitScript(`PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 87) throw new Error('No key of the gateway');
    return { toJSON: () => (${subscription}) };
  }`);
  await page.context().grantPermissions(['notifications'], { origin: place.app.baseUrl });
  await page.addInitScript(allowed);
  await load(page, settings);
  await page.getByRole('button', { name: 'Allow notices on this device' }).click();
  await page.getByText('This device shows notices.').waitFor();
  await choose(page, 'A payment is paid: Web push');
  const reference = await pay();
  await expect.poll(() => device.pushed).toHaveLength(1);
  const { message } = device.pushed[0]!;
  expect(message).toMatchObject({ title: 'Test mode. Paid: 25.5 USDC' });

  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(noting);
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) resolve(registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: place.app.baseUrl,
    registrationId: await registered,
    data: JSON.stringify(message),
  });
  await expect.poll(() => worker!.evaluate('self.shown')).toEqual([message]);
  expect(message.body).toMatch(new RegExp(`^${reference}\n`));
});

test('the worker that shows notices is of the dashboard alone, and the page allows it under its policy', async () => {
  const { page } = await openTab(browser, place, 'owner');
  await load(page, settings);
  const scope = await page.evaluate<string>(`navigator.serviceWorker
    .register('/app/worker.js', { scope: '/app/' })
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.scope)`);
  expect(new URL(scope).pathname).toBe('/app/');
  const manifest = await page.evaluate(async () => (await fetch('/app/manifest.webmanifest')).json());
  expect(manifest).toMatchObject({ scope: '/app/', display: 'standalone' });
});
