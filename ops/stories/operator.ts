import { type Browser, chromium, type Page } from 'playwright-core';
import { addAuthenticator } from '../../gateway/test/browser/authenticator.ts';
import { findBrowser } from '../../scripts/install-browser.mjs';

/** Whoever runs an installation, with a browser and a passkey of theirs. */
export type Operator = {
  /** Begins a new installation by the link of its first run. */
  begin(link: string): Promise<void>;
  /** Restores a backup that lies on the machine by the link of the first run, and signs in. */
  restore(link: string, backup: { path: string; masterKey: string }): Promise<void>;
  /** Opens another page of the installation, as a customer would. */
  open(url: string): Promise<Page>;
  close(): Promise<void>;
};

const person = {
  name: 'Olivia Operator',
  email: 'olivia@florin.test',
  password: 'four words that nobody knows',
};
const patienceMs = 120_000;

/** Opens a browser for which `domain` leads to this machine. */
export async function openOperator(domain: string): Promise<Operator> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('The story needs a Chromium.');
  const resolve = `--host-resolver-rules=MAP ${domain} 127.0.0.1`;
  const browser: Browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', resolve],
  });
  // Nobody trusts the authority that Caddy makes for itself.
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  await addAuthenticator(page);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const field = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
  return {
    async begin(link) {
      await page.goto(link);
      await page.getByRole('radio', { name: 'Begin new' }).check();
      await field('Your name', person.name);
      await field('E-mail address', person.email);
      await field('Password', person.password);
      await press('Become the operator');
      await press('Create a passkey');
      await press('Create the passkey');
      await page.waitForURL('**/operator/overview');
    },
    async restore(link, { path, masterKey }) {
      await page.context().clearCookies();
      await page.goto(link);
      await field('Or its path on the server', path);
      await field('Master key', masterKey);
      await press('Restore');
      await page.getByText('The backup is restored').waitFor();
      await page.getByRole('link', { name: 'Sign in' }).click();
      await field('E-mail address', person.email);
      await field('Password', person.password);
      await press('Sign in');
      // Until the gateway serves the restored database nobody can sign in.
      for (const endMs = performance.now() + patienceMs; performance.now() < endMs; ) {
        await page.getByRole('button', { name: /passkey/i }).click();
        const isIn = page.waitForURL('**/operator/overview', { timeout: 5_000 }).then(() => true);
        if (await isIn.catch(() => false)) return;
      }
      throw new Error('The operator cannot sign in after the restore.');
    },
    async open(url) {
      const opened = await context.newPage();
      await opened.goto(url);
      return opened;
    },
    close: () => browser.close(),
  };
}
