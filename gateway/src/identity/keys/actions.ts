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

/** Money leaves by these: a key may do them only where it names them. */
export const namedOnly: readonly string[] = ['make payouts', 'make refunds'];
