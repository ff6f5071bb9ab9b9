/** What a restricted key may be allowed to do, in the words of its refusal. */
export const actions = [
  'create payments',
  'read payments',
  'cancel payments',
  'fund users',
  'read balances',
  'read events',
  'resend events',
  'manage webhooks',
  'use test mode calls',
  'make payouts',
  'make refunds',
] as const;

export type Action = (typeof actions)[number];

/** What each of them allows, as it reads after "may". */
export const actionWords: Readonly<Record<Action, string>> = {
  'create payments': 'create payments and payment links, and change or end links',
  'read payments': 'read payments and payment links',
  'cancel payments': 'cancel payments that no money has reached',
  'fund users': 'add money of the business to users’ wallets',
  'read balances': 'read balances and their history',
  'read events': 'read events',
  'resend events': 'send events to webhook endpoints again',
  'manage webhooks': 'create, change and remove webhook endpoints',
  'use test mode calls': 'simulate payments, rates and time in test mode',
  'make payouts': 'send the balance to any address that the payout settings allow',
  'make refunds': 'send money of payments back to customers',
};

/** Money leaves by these: a key may do them only where it names them. */
export const namedOnly: readonly string[] = ['make payouts', 'make refunds'];
