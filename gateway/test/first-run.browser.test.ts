import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { backup } from '../src/commands/backup.ts';
import { addOperator } from '../src/commands/people/operators.ts';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { totpCode } from './browser/totp.ts';
import { atFileEnd } from './suite/endings.ts';
import { printed } from './support/commands-fixtures.ts';
import { testFolder } from './support/data-dir.ts';
import { databaseEnv, testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';
import { goodPassword } from './support/identity-fixtures.ts';
import { type Mailbox, openMailbox } from './support/mailbox.ts';

// The first run by the pages alone: from the link that the terminal shows until nothing is left to set up.

let gateway: GatewayProcess;
let mailbox: Mailbox;
let browser: Browser;
let page: Page;

async function installation() {
  const [directory, database] = await Promise.all([testFolder(), testDatabase()]);
  const key = join(directory, 'master.key');
  return { directory, DATA_DIR: directory, MASTER_KEY_FILE: key, ...databaseEnv(database) };
}

beforeAll(async () => {
  [mailbox, browser] = await Promise.all([openMailbox(), openBrowser()]);
  atFileEnd(() => mailbox.close());
});
beforeEach(async () => {
  const { directory: _, ...env } = await installation();
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'florin@example.com' };
  gateway = await spawnGateway({ ...env, ...mail, DEMO: '0' });
  await gateway.ready;
  page = await (await browser.newContext()).newPage();
});
afterEach(async () => {
  await page.context().close();
  await gateway.end('SIGTERM');
});

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (name: string) => page.getByRole('region', { name, exact: true });

async function linkOfTerminal(): Promise<string> {
  await expect.poll(gateway.output).toContain('Good until');
  return /http\S+\/app\/setup#\S+/.exec(gateway.output())?.[0] ?? '';
}

async function becomeOperator(): Promise<void> {
  await page.goto(await linkOfTerminal());
  await heading('Set up Florin').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('radio', { name: /Begin new/ }).check();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await button('Become the operator').click();
}

async function setFactorUp(): Promise<void> {
  await heading('Set up a second factor').waitFor();
  await button('Use an authenticator app').click();
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  const prepared = page.waitForResponse('**/console/account/two-factor');
  await button('Continue').click();
  const { data } = (await (await prepared).json()) as { data: { totp_uri: string } };
  await page.getByLabel('Six-digit code').fill(totpCode(data.totp_uri));
  await button('Turn on').click();
  await page.getByLabel('I have stored them').check();
  await button('Done').click();
}

async function keepMasterKey(): Promise<void> {
  const card = step('Master key');
  const shown = page.waitForResponse('**/setup/master-key/show');
  await card.getByRole('button', { name: 'Show the master key' }).click();
  const { data } = (await (await shown).json()) as { data: { key: string } };
  await page.getByRole('dialog').getByText(data.key).waitFor();
  await page.getByLabel('I have saved it').check();
  await button('Done').click();
  await card.getByText('It was shown, once.').waitFor();
  await card.getByLabel('The first 8 characters of your copy').fill(data.key.slice(0, 8));
  await card.getByRole('button', { name: 'I have a copy' }).click();
}

async function proveMail(): Promise<void> {
  const card = step('Mail');
  await card.getByRole('button', { name: 'Send a code to ada@example.com' }).click();
  const code = () =>
    mailbox.mails.flatMap(({ subject }) => /code is (\d{6})/.exec(subject)?.[1] ?? []).at(-1);
  await expect.poll(code).toMatch(/^\d{6}$/);
  await card.getByLabel('Code of the mail').fill(code() ?? '');
  await card.getByRole('button', { name: 'Check the code' }).click();
}

test('the link leads to an operator with a second factor, and then through every step', async () => {
  await becomeOperator();
  await setFactorUp();
  await heading('Overview').waitFor();
  await page.getByRole('link', { name: '7 steps of setting up are open' }).click();
  await heading('Finish setting up').waitFor();
  await page.getByText('1 of 8').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await button('Check the address').click();
  await page.getByText('2 of 8').waitFor();
  await proveMail();
  await page.getByText('3 of 8').waitFor();
  await keepMasterKey();
  await page.getByText('4 of 8').waitFor();
  for (const [at, name] of ['Endpoints of chains', 'Treasury and vault', 'Rates', 'Backups'].entries()) {
    await step(name).getByRole('button', { name: 'Mark as done' }).click();
    await page.getByText(`${5 + at} of 8`).waitFor();
  }
  await page.goto(`${gateway.url}/app/operator/overview`);
  await heading('Overview').waitFor();
  await heading('Health').waitFor();
  expect(await page.getByText('setting up').count()).toBe(0);
  // The link has ended.
  const other = await (await browser.newContext()).newPage();
  await other.goto(await linkOfTerminal());
  await other.getByText('This link is not good, or no longer').waitFor();
});

test('a backup that the browser sends takes the place of the new installation', async () => {
  const { directory, ...env } = await installation();
  const file = join(directory, 'florin.backup');
  await printed(() => addOperator(env, 'olga@example.com'));
  await printed(() => backup(env, { file }));
  await page.goto(await linkOfTerminal());
  await page.getByLabel('Backup', { exact: true }).setInputFiles(file);
  await button('Restore').click();
  await page.getByText('The backup is restored').waitFor();
  expect(await findViolations(page)).toEqual([]);
  // The gateway begins again on it.
  await expect.poll(() => gateway.output().match(/^Florin is ready/gm)?.length).toBe(2);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await heading('Sign in').waitFor();
});
