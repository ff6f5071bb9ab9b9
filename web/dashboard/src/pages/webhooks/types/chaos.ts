/** What test mode can do to deliveries on purpose. */
export const faultKinds = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'bad_signature',
  'stale_timestamp',
  'old_secret',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Of how many attempts in a hundred each kind happens to, and how long `delay` and `reorder` hold one back. */
export type Chaos = Record<FaultKind, number> & { delay_seconds: number };
