/** What test mode can do to deliveries on purpose. */
export const chaosKinds = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'bad_signature',
  'stale_timestamp',
  'old_secret',
] as const;

export type ChaosKind = (typeof chaosKinds)[number];

/** Of how many attempts in a hundred each kind happens to, and how long `delay` and `reorder` hold one back. */
export type Chaos = Record<ChaosKind, number> & { delay_seconds: number };
