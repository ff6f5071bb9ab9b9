import type { Requester } from '../../src/payouts/lifecycle/order.ts';
import {
  changePayoutSettings,
  type PayoutSettings,
  payoutSettingsOf,
} from '../../src/payouts/rules/settings.ts';
import { seedMembers } from '../payouts/team.ts';
import { type Shop, write } from '../support/payment-fixtures.ts';

/** Gives the business of a shop an owner and so many people of finance less one; returns their ids. */
export async function seedTeam(shop: Shop, count: number): Promise<string[]> {
  return await seedMembers(shop.db, shop.owner.integrationId, count, shop.clock.now());
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
