import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

test('the reader of the API works under its policy, which no script of anybody else gets past', async () => {
  const browser = await openBrowser();
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // Browsers ask for an icon that no page names.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  const answer = await page.goto(`${app.baseUrl}/reference`);
  await page.getByRole('heading', { name: 'Florin' }).first().waitFor();
  await page
    .getByRole('link', { name: /Create a payment/ })
    .first()
    .click();
  await page.getByText('customer_email').first().waitFor();
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[^' ]+';/);
  expect(problems).toEqual([]);
  await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'window.stranger = true';
    document.head.append(script);
  `);
  expect(await page.evaluate('window.stranger')).toBe(undefined);
  expect(problems).toEqual([expect.stringContaining('script-src')]);
});

test('each answer of the reader has a nonce of its own, in its policy and its page', async () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const { headers, text } = await app.api('GET', '/reference/', { key: null });
    const nonce = /script-src 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
    expect(text.split(`nonce="${nonce}"`).length).toBeGreaterThan(2);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});
