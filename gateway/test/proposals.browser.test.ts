import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../src/kit/ids.ts';
import { openBrowser } from './browser/browser.ts';
import { goodPassword, seedAccount } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// Two operators in two browsers: one asks, the other one confirms.

let app: RunningApp;
let browser: Browser;
let pages: Page[];

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
  pages = [await operator(), await operator()];
});

/** A page of an operator who is signed in and has shown a second factor. */
async function operator(): Promise<Page> {
  const { id, email } = await seedAccount(app.db, { isOperator: true });
  const page = await (await browser.newContext()).newPage();
  const body = { email, password: goodPassword };
  const headers = { origin: app.baseUrl };
  const answer = await page.request.post(`${app.baseUrl}/console/auth/sign-in`, { data: body, headers });
  expect(answer.status()).toBe(200);
  await app.db.query(
    `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, device_type, backed_up)
     VALUES ($1::uuid, $2, $1::uuid::text, '', 0, 'singleDevice', false)`,
    [newId(), id],
  );
  await app.db.query(
    'UPDATE sessions SET has_second_factor = true, factor_at = now() WHERE account_id = $1',
    [id],
  );
  return page;
}

const open = (page: Page, path: string) => page.goto(`${app.baseUrl}/app/operator${path}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function approve(page: Page): Promise<void> {
  await open(page, `/approvals?tab=none&open=${app.integrationId}`);
  await button(page, 'Approve').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).last().click();
  await page.getByText('Another operator has to confirm it, under Proposals.').waitFor();
}

async function choose(page: Page, how: string): Promise<void> {
  await open(page, '/proposals');
  await page.getByRole('link', { name: 'Approve an integration for live payments' }).click();
  await button(page, how).click();
  await button(page, how).last().click();
}

const approval = async () =>
  (await app.db.query<{ approval: string }>('SELECT approval FROM integrations')).rows[0]!.approval;

test('what one asks for waits, and is done when the other one confirms it', async () => {
  const [asker, other] = pages as [Page, Page];
  await approve(asker);
  expect(await approval()).toBe('none');
  await choose(asker, 'Cancel it');
  await asker.getByText('Nothing here').waitFor();
  await approve(asker);
  await choose(other, 'Confirm');
  await other.getByText('Confirmed, and done').waitFor();
  expect(await approval()).toBe('approved');
  await open(asker, '/proposals?tab=ended');
  await asker.getByText('Done', { exact: true }).waitFor();
});
