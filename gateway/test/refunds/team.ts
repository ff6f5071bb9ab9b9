import { addMember, createMerchant } from '../../src/identity/merchants/merchants.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Requester } from '../../src/payouts/order.ts';
import { changePayoutSettings, type PayoutSettings, payoutSettingsOf } from '../../src/payouts/settings.ts';
import { addQuickAccount } from '../support/fixtures.ts';
import { type Shop, write } from '../support/payment-fixtures.ts';

/** Gives the business of a shop an owner and so many people of finance less one; returns their ids. */
export async function seedTeam(shop: Shop, count: number): Promise<string[]> {
  const now = shop.clock.now();
  return await write(shop, async (tx) => {
    const people: string[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const email = `${newId()}@team.example`;
      const person = { email, name: 'Somebody', password: 'a long enough password', emailVerified: true };
      people.push(await addQuickAccount(tx, person, now));
    }
    const [ownerId = '', ...others] = people;
    const merchantId = await createMerchant(tx, { name: 'Corner shop', ownerId }, now);
    for (const accountId of others) await addMember(tx, { merchantId, accountId, role: 'finance' }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [
      shop.owner.integrationId,
      merchantId,
    ]);
    return people;
  });
}

/** A person of the business, who asks for a refund in the dashboard. */
export const person = (accountId: string): Requester => ({ accountId, name: 'a person', limits: null });

/** A key that may refund so many dollars of each UTC day, in usdc-erc20, and who made it. */
export const limitedKey = (
  allowanceId: string,
  limit: string,
  accountId: string | null = null,
): Requester => ({
  ...{ accountId, name: 'a key' },
  limits: { allowanceId, byAsset: { 'usdc-erc20': limit } },
});

/** The owner changes some of the settings of payouts. */
export async function setPayouts(shop: Shop, changed: Partial<PayoutSettings>): Promise<void> {
  const settings = { ...(await payoutSettingsOf(shop.db, shop.owner)), ...changed };
  await write(shop, (tx) => changePayoutSettings(tx, shop.owner, settings, shop.clock.now()));
}
