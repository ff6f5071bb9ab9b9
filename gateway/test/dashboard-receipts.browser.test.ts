import { expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openBusyPlace } from './browser/dashboard-fixture.ts';
import { load, openTab } from './browser/dashboard-look.ts';

test('contact and head of receipts are set in the dashboard, and stand on the receipt of a customer', async () => {
  const [browser, place] = await Promise.all([openBrowser(), openBusyPlace()]);
  const { page } = await openTab(browser, place, 'owner');
  await load(page, `/app/i/${place.params.integration}/test/settings`);
  await page.getByLabel(/^E-mail address for customers/).fill('help@nib-and-folio.example');
  await page.getByRole('button', { name: 'Save the contact' }).click();
  await page.getByText('Contact saved').waitFor();
  await page.getByLabel(/^Postal address/).fill('12 Ink Street\n\n Oxford ');
  await page.getByLabel(/^Tax number/).fill('GB 123 456');
  await page.getByRole('button', { name: 'Save the head of receipts' }).click();
  await page.getByText('Head of receipts saved').waitFor();
  await expect.poll(() => page.getByLabel(/^Postal address/).inputValue()).toBe('12 Ink Street\nOxford');
  const { rows } = await place.app.db.query<{ token: string }>(
    "SELECT token FROM payments WHERE reference = 'order-success'",
  );
  const key = { reference: 'order-success', app: `${place.params.integration}`, token: `${rows[0]?.token}` };
  await page.goto(`/pay?${new URLSearchParams(key)}`);
  const contact = page.locator('.receipt').getByRole('link', { name: 'help@nib-and-folio.example' });
  expect(await contact.getAttribute('href')).toBe('mailto:help@nib-and-folio.example?subject=order-success');
  await page.getByRole('link', { name: 'Show the receipt' }).click();
  await page.getByRole('heading', { name: 'Receipt' }).waitFor();
  const head = page.locator('address');
  for (const line of ['12 Ink Street', 'Oxford', 'Tax number: GB 123 456', 'help@nib-and-folio.example'])
    await head.getByText(line, { exact: true }).waitFor();
  await page.context().close();
});
