import { hash } from 'node:crypto';
import { type Chaos, type FaultKind, faultKinds } from '../answers/chaos-answers.ts';

type Drawn = { id: string; sequence: number };

/**
 * The fault of a delivery's `attempt`-th attempt, counted from 1; null: none. It is drawn from the delivery and the
 * number of the attempt alone, so that it can be computed again. Every second attempt has none, so that each event
 * arrives whatever is set.
 */
export function faultOf(chaos: Chaos, delivery: Drawn, attempt: number): FaultKind | null {
  if (attempt % 2 === 0) return null;
  const draws = hash('sha256', `${delivery.id} ${attempt}`, 'buffer');
  const drawn = faultKinds
    .map((kind, index) => ({ kind, draw: (draws.readUInt32BE(index * 4) / 2 ** 32) * 100 }))
    .filter(({ kind, draw }) => draw < chaos[kind] && (kind !== 'reorder' || canReorder(delivery, attempt)))
    .sort((one, other) => one.draw - other.draw);
  return drawn[0]?.kind ?? null;
}

/** How many of a delivery's first `attempts` attempts had a fault. */
export function faultsAmong(chaos: Chaos, delivery: Drawn, attempts: number): number {
  let faults = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 2) {
    if (faultOf(chaos, delivery, attempt) !== null) faults += 1;
  }
  return faults;
}

/** Only the first, third, fifth event of a payment is held back, so that the event after it can overtake it. */
function canReorder({ sequence }: Drawn, attempt: number): boolean {
  return attempt === 1 && sequence % 2 === 1;
}

/** A key that no receiver has, to sign wrongly with. */
export function unknownKey(id: string, attempt: number): Buffer {
  return hash('sha256', `A strange key for ${id} ${attempt}`, 'buffer');
}
