import type { KeyObject } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import { type ChaosKind, strangeKey, strikeOf, strikesAmong } from '../endpoints/chaos.ts';
import type { ClaimedDelivery } from './due.ts';
import type { Attempt } from './record.ts';
import type { Target } from './target.ts';

/** What goes wrong on purpose with the try that is next; null: nothing. */
export function strikeOfNext(delivery: ClaimedDelivery, { chaos }: Target): ChaosKind | null {
  return chaos && strikeOf(chaos, delivery, delivery.attempts + 1);
}

/** Which of its tries the next one is, counted from 1, without those that met chaos: what its retries go by. */
export function numberOfNext(delivery: ClaimedDelivery, { chaos }: Target): number {
  return delivery.attempts + 1 - (chaos ? strikesAmong(chaos, delivery, delivery.attempts) : 0);
}

/** Why the delivery is not sent now, and for how long; `dropped` waits as after any failure. */
export function withheld(
  strike: ChaosKind | null,
  { chaos }: Target,
): { error: string; waitSeconds: number | 'dropped' } | null {
  if (strike === 'drop')
    return { error: 'Chaos: dropped, as if it were lost on the way', waitSeconds: 'dropped' };
  if (strike !== 'delay' && strike !== 'reorder') return null;
  const waitSeconds = chaos!.delay_seconds;
  const purpose = strike === 'reorder' ? ', so that a later event may overtake it' : '';
  return { error: `Chaos: held back for ${waitSeconds} s${purpose}`, waitSeconds };
}

/** What a request is signed with, and as of when. */
export type Signing = { signingKey: KeyObject | Buffer; endpointKeys: (KeyObject | Buffer)[]; at: Date };

const staleSeconds = 3600;

/** `right` is how it should be signed. The key before the signing key is kept by nobody, so a strange one stands for it. */
export function signingOf(
  strike: ChaosKind | null,
  right: Signing,
  { id, attempts }: ClaimedDelivery,
  { formerKey }: Target,
): Signing {
  if (strike === 'stale_timestamp') return { ...right, at: after(right.at, -staleSeconds) };
  if (strike !== 'bad_signature' && strike !== 'old_secret') return right;
  const strange = strangeKey(id, attempts + 1);
  const endpointKey = strike === 'old_secret' ? (formerKey ?? strange) : strange;
  return { ...right, signingKey: strange, endpointKeys: [endpointKey] };
}

const forged = {
  bad_signature: { sent: 'signed wrongly', accepted: 'a wrong signature' },
  stale_timestamp: { sent: 'signed with the time of an hour ago', accepted: 'a time of an hour ago' },
  old_secret: { sent: 'signed with the old secret alone', accepted: 'the old secret alone' },
} as const;

/** What there is to record of a try that met chaos: it ends nothing, and the right one follows at once. */
export function struck(strike: ChaosKind, attempt: Attempt): Attempt {
  const wasAccepted = attempt.status === 'delivered';
  const again = { status: 'pending', waitSeconds: 0, chaos: strike } as const;
  if (strike === 'duplicate') {
    // One that failed is sent again anyway.
    if (!wasAccepted) return attempt;
    return { ...attempt, ...again, error: 'Chaos: it was taken, and is sent once more' };
  }
  if (!(strike in forged)) return { ...attempt, chaos: strike };
  const { sent, accepted } = forged[strike as keyof typeof forged];
  const error = wasAccepted ? `Chaos: the receiver accepted ${accepted}` : `Chaos: ${sent}; ${attempt.error}`;
  return { ...attempt, ...again, error, healthy: null, verifies: false };
}
