import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { totpCode } from './browser/totp.ts';
import { atFileEnd } from './suite/endings.ts';
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

beforeAll(async () => {
  const [directory, database] = await Promise.all([testFolder(), testDatabase()]);
  [mailbox, browser] = await Promise.all([openMailbox(), openBrowser()]);
  const env = {
    ...{ DATA_DIR: directory, MASTER_KEY_FILE: join(directory, 'master.key'), DEMO: '0' },
    ...{ SMTP_URL: mailbox.url, MAIL_FROM: 'florin@example.com', ...databaseEnv(database) },
  };
  gateway = await spawnGateway(env);
  atFileEnd(async () => {
    await gateway.end('SIGTERM');
    await mailbox.close();
  });
  await gateway.ready;
  page = await (await browser.newContext()).newPage();
});

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (name: string) => page.getByRole('region', { name, exact: true });

async function becomeOperator(): Promise<void> {
  await expect.poll(gateway.output).toContain('Good until');
  const [link = ''] = /http\S+\/app\/setup#\S+/.exec(gateway.output()) ?? [];
  await page.goto(link);
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
  const [link = ''] = /http\S+\/app\/setup#\S+/.exec(gateway.output()) ?? [];
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByText('This link is not good, or no longer').waitFor();
});
