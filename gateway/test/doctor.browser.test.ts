import { expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openBusyPlace } from './browser/dashboard-fixture.ts';
import { load, openTab } from './browser/dashboard-look.ts';
import { takePicture } from './browser/pictures.ts';

test('an operator looks at the installation, and reads what is wrong and what to do', async () => {
  const [browser, place] = await Promise.all([openBrowser(), openBusyPlace()]);
  await place.app.db.query('DELETE FROM doctor_reports');
  const { page, faults } = await openTab(browser, place, 'operator');
  await page.setViewportSize({ width: 1280, height: 900 });
  await load(page, '/app/operator/health?tab=doctor');
  await page.getByText('Nothing was looked at yet').waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Mail: No mail server is set: mails stay in the outbox.').waitFor();
  await page.getByText('Set SMTP_URL.').waitFor();
  await page.getByText('The address leads to this installation.').waitFor();
  await takePicture(page, 'doctor-1280');
  await page.setViewportSize({ width: 390, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await takePicture(page, 'doctor-390-dark');
  expect(faults).toEqual([]);
  await page.context().close();
});
