import { hash } from 'node:crypto';

/** What may go wrong on purpose with an attempt at a test endpoint. */
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

/** How many attempts of a hundred meet each, and for how long `reorder` and `delay` hold back. */
export type Chaos = Record<ChaosKind, number> & { delay_seconds: number };

export const noChaos: Chaos = {
  duplicate: 0,
  reorder: 0,
  delay: 0,
  drop: 0,
  bad_signature: 0,
  stale_timestamp: 0,
  old_secret: 0,
  delay_seconds: 10,
};

export type Struck = { id: string; sequence: number };

/**
 * What goes wrong with a delivery's `attempt`-th try, counted from 1: one thing, or nothing. It is drawn from
 * the delivery and the number of the try alone, so that the same again is the same. Every second try is left
 * alone, so that whatever is set each event arrives.
 */
export function strikeOf(chaos: Chaos, delivery: Struck, attempt: number): ChaosKind | null {
  if (attempt % 2 === 0) return null;
  const draws = hash('sha256', `${delivery.id} ${attempt}`, 'buffer');
  const drawn = chaosKinds
    .map((kind, index) => ({ kind, draw: (draws.readUInt32BE(index * 4) / 2 ** 32) * 100 }))
    .filter(({ kind, draw }) => draw < chaos[kind] && (kind !== 'reorder' || canReorder(delivery, attempt)))
    .sort((one, other) => one.draw - other.draw);
  return drawn[0]?.kind ?? null;
}

/** How many of a delivery's first `attempts` tries met chaos. */
export function strikesAmong(chaos: Chaos, delivery: Struck, attempts: number): number {
  let strikes = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 2) {
    if (strikeOf(chaos, delivery, attempt) !== null) strikes += 1;
  }
  return strikes;
}

/** Of a payment's events the first, third and so on are held back: were the second too, none would overtake. */
function canReorder({ sequence }: Struck, attempt: number): boolean {
  return attempt === 1 && sequence % 2 === 1;
}

/** A key that no receiver ever had: whatever it signs is signed wrongly. */
export function strangeKey(id: string, attempt: number): Buffer {
  return hash('sha256', `A strange key for ${id} ${attempt}`, 'buffer');
}
