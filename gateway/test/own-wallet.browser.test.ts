import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { accounts, startChain } from './chain/chain.ts';
import type { CreatedPayment } from './support/api.ts';
import { testFolder } from './support/data-dir.ts';

// What a merchant sees of payments that go to a wallet of their own.

const chain = await startChain();
const file = join(await testFolder(), 'florin.json');
await writeFile(file, JSON.stringify({ chains: [chain.entry({ fee_address: accounts.admin.address })] }));
const place = await openFirstDay({ env: { CONFIG_FILE: file, DIRECT_SETTLEMENT: 'asked' } });
const { app, people } = place;
const { page, faults } = await openTab(await openBrowser(), place, 'owner');
const live = `/app/i/${app.integrationId}/live`;
const coin = 10n ** 18n;
const merchant = accounts.stranger.address;

const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first();
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
async function fits(name: string): Promise<void> {
  for (const look of twoLooks) expect(await judge(page, look, `dashboard/${name}-${look.name}`)).toEqual([]);
  expect(faults.splice(0)).toEqual([]);
}

test('the tasks before live mode ask for an own address, and the list of what settled there is empty', async () => {
  await load(page, `${live}/settings?tab=live`);
  await page.getByText('Payments go to an address of your own').waitFor();
  await page.getByText('(not required)').waitFor();
  await fits('own-wallet-task');
  await load(page, `${live}/balances?tab=direct`);
  await heading('Nothing has settled to your own wallet yet').waitFor();
  await fits('own-wallet-empty');
});

test('a payment is listed with both parts and where it is, on its own page and in its statement too', async () => {
  const own = { address: merchant, mode: 'live', currency: 'USDC', by: 'owner', before: null };
  await app.db.query(`UPDATE integrations SET approval = 'approved', own_addresses = $2 WHERE id = $1`, [
    app.integrationId,
    { 'usdc-bep20': { ...own, from: '2020-01-01T00:00:00.000Z' } },
  ]);
  const key = { key: app.liveSecretKey };
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: 'OWN-1' };
  expect((await app.api<CreatedPayment>('PUT', '/payment/create', { ...key, body })).status).toBe(200);
  const made = await app.api<{ items: { address: Hex }[] }>('GET', '/payments/OWN-1/destinations', key);
  await chain.tokens['usdc-bep20']!.send(made.body.data.items[0]!.address, 10n * coin);
  await chain.mine(5);
  const owner = await people.as('owner');
  const listed = async () =>
    (await owner<{ items: object[] }>('GET', `${people.live}/direct-payments`)).body.data.items;
  await expect.poll(listed, { timeout: 60_000 }).toMatchObject([
    {
      ...{ payment_reference: 'OWN-1', asset: 'usdc-bep20', gross: '10', fee: '0.1', net: '9.9' },
      ...{ state: 'at_address', address: merchant, arrived_transaction: null, arrived_block: null },
    },
  ]);

  await load(page, `${live}/balances?tab=direct`);
  expect(await row('OWN-1').textContent()).toMatch(/10.*0\.1.*9\.9.*At the address/);
  await fits('own-wallet-payments');
  await page.getByLabel('Show').selectOption('moves');
  await heading('Nothing has settled to your own wallet yet').waitFor();
  await load(page, `${live}/payments/OWN-1`);
  await heading('To your own wallet').waitFor();
  expect(await row('At the address').textContent()).toContain('9.9');
  await page.getByText(/passes money on to .+, and 1 % of it to .+ Recomputed in this browser\./).waitFor();
  await fits('own-wallet-payment');
  // The browser judges by what is set, whatever the answer says of the address.
  await app.db.query(
    `UPDATE integrations SET own_addresses = jsonb_set(own_addresses, '{usdc-bep20,address}', to_jsonb($2::text)) WHERE id = $1`,
    [app.integrationId, accounts.payer.address],
  );
  await load(page, `${live}/payments/OWN-1`);
  await page.getByText('does not follow from your settings').waitFor();
  await page.getByText('Its money goes to another address than the one that is set.').waitFor();
  await fits('own-wallet-payment-other');
  await load(page, `${live}/balances?tab=statements`);
  await heading('To your own wallet').waitFor();
  await page.locator('summary').click();
  await expect.poll(async () => await page.getByRole('table').count()).toBe(2);
  await fits('own-wallet-statement');
});
