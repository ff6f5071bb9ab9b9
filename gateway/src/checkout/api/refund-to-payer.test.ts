import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createKey } from '../../../test/refunds/keys.ts';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { noRail, payoutParts } from '../../../test/support/payment-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { createAssets } from '../../money/assets.ts';
import type { RefundView } from '../../payments/refunds/view.ts';
import { recordTransfers } from '../../payments/settlement/observe.ts';
import { changePayoutSettings, payoutSettingsOf } from '../../payouts/rules/settings.ts';

test('the business’s own money goes to no other address where only known ones are allowed and nobody could approve one', async () => {
  const app = await startApp();
  const assets = createAssets();
  const deps = {
    ...{ hints: noHints, assets, rail: noRail, now: systemClock },
    ...payoutParts(assets, systemClock),
  };
  const owner = { integrationId: app.integrationId, mode: 'test' } as const;
  const settings = { ...(await payoutSettingsOf(app.db, owner)), knownAddressesOnly: true };
  await transaction(app.db, (tx) => changePayoutSettings(tx, owner, settings, systemClock()));
  const wallet = privateKeyToAccount(generatePrivateKey());
  const order = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const made = (await app.api<CreatedPayment>('PUT', '/payment/create', { body: order })).body.data;
  const { PaymentData, PaymentURL: page } = made;
  await submitForm(page, 'method', { asset: 'usdc-base' });
  const transfer = {
    rail: 'simulated',
    key: 'x',
    transaction: 'x',
    paymentId: PaymentData.id,
    asset: 'usdc-base',
  };
  const seen = {
    units: 10_000_000n,
    state: 'final',
    confirmations: 3,
    needed: 3,
    sender: wallet.address,
  } as const;
  const report = { seen: { ...transfer, ...seen }, at: deps.now() };
  await transaction(app.db, (tx) => recordTransfers(tx, deps, [report]));
  const key = await createKey(app, ['make refunds']);
  const path = `/payments/${PaymentData.payment_reference}/refunds`;
  const refund = (await app.api<RefundView>('POST', path, { body: { amount: '4' }, key })).body.data;

  const notice =
    'Only the address that the money came from can be used, or one that the wallet it came from signs.';
  expect(await (await fetch(page)).text()).toContain(notice);
  const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
  const fields = { refund: refund.id, asset: 'usdc-base', to, confirm: 'yes' };
  const refused = await submitForm(page, 'refund', fields);
  expect(refused.status).toBe(400);
  const text = await refused.text();
  expect(text).toContain(notice);
  const message = /id="proof-statement"[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
  const signature = await wallet.signMessage({ message });
  const claimed = await submitForm(page, 'refund', { ...fields, signature });
  expect(claimed.headers.get('location')).toContain('notice=claim_ordered');
});
