import type { Browser, Page } from 'playwright-core';
import { createAccount } from '../../src/identity/accounts/accounts.ts';
import { addMember, type MerchantId } from '../../src/identity/merchants/merchants.ts';
import type { MemberRole } from '../../src/identity/roles.ts';
import { openDatabase, transaction } from '../../src/kit/db/db.ts';
import { oneRow } from '../../src/kit/db/one-row.ts';
import type { RunningGateway } from '../support/running.ts';

export type SignIn = { email: string; password: string };

/** Adds somebody to the demo's merchant, who can sign in at once. */
export async function joinDemo(
  { connection, demo }: RunningGateway,
  person: SignIn & { name: string; role: MemberRole },
): Promise<void> {
  const db = openDatabase(await connection());
  try {
    await transaction(db, async (tx) => {
      const now = new Date();
      const { email, password, name, role } = person;
      const accountId = await createAccount(
        tx,
        { email, password, name, emailVerified: true, isDemo: true },
        now,
      );
      const found = await tx.query<{ merchant_id: MerchantId }>(
        'SELECT merchant_id FROM integrations WHERE id = $1',
        [demo.integration_id],
      );
      const { merchant_id: merchantId } = oneRow(found, 'integration');
      await addMember(tx, { merchantId, accountId, role }, now);
    });
  } finally {
    await db.end();
  }
}

/** A tab of somebody who has signed in by the dashboard's own page. */
export async function openSignedIn(
  browser: Browser,
  { baseUrl }: RunningGateway,
  { email, password }: SignIn,
  { timeout }: { timeout: number },
): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: baseUrl, reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } },
  });
  context.setDefaultTimeout(timeout);
  const page = await context.newPage();
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
  return page;
}
