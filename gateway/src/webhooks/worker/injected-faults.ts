import { after } from '../../kit/clock.ts';
import type { Chaos, FaultKind } from '../answers/chaos-answers.ts';
import { faultOf, faultsAmong, unknownKey } from '../endpoints/chaos.ts';
import { signerOf } from '../endpoints/sign.ts';
import { type AttemptDelivery, type AttemptDeps, unsent } from './attempt.ts';
import type { Attempt } from './record.ts';
import { judgeAttempt, noAnswer } from './retry.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

const staleSeconds = 3600;

/**
 * Injects the faults of an endpoint's chaos, and leaves every other attempt as it is. After an attempt with an
 * injected fault the delivery stays pending, with as many retries left as before.
 */
export function withInjectedFaults(attempt: AttemptDelivery): AttemptDelivery {
  return async (deps, delivery, target) => {
    const { chaos } = target;
    if (!chaos || target.deleted) return await attempt(deps, delivery, target);
    const { attempts } = delivery;
    const counted = { ...delivery, attempts: attempts - faultsAmong(chaos, delivery, attempts) };
    const fault = faultOf(chaos, delivery, attempts + 1);
    const made =
      unsentAttempt(deps, counted, chaos, fault) ??
      (fault !== null && target.sign !== null
        ? faultyAttempt(fault, await attempt(deps, counted, targetOf(fault, delivery, target)))
        : await attempt(deps, counted, target));
    return { ...made, attempts };
  };
}

/** What to record in place of an attempt that is not sent now; null when it is to be sent. */
function unsentAttempt(
  { now, random }: AttemptDeps,
  delivery: DueDelivery,
  { delay_seconds: waitSeconds }: Chaos,
  fault: FaultKind | null,
): Attempt | null {
  const at = now();
  if (fault === 'drop') {
    const lost = judgeAttempt(delivery.attempts + 1, noAnswer, random, at.getTime());
    const error = 'Chaos: dropped, as if it were lost on the way';
    return { ...unsent(delivery, at, lost, error), injectedFault: fault };
  }
  if (fault !== 'delay' && fault !== 'reorder') return null;
  const purpose = fault === 'reorder' ? ', so that a later event may overtake it' : '';
  const error = `Chaos: held back for ${waitSeconds} s${purpose}`;
  return { ...unsent(delivery, at, { status: 'pending', waitSeconds }, error), injectedFault: fault };
}

/** The target to send to with this fault. The former signing key is not kept, so an unknown one takes its place. */
function targetOf(fault: FaultKind, { id, attempts }: DueDelivery, target: Target): Target {
  const { sign, formerKey } = target;
  if (fault === 'stale_timestamp') {
    return {
      ...target,
      sign: sign && ((message) => sign({ ...message, at: after(message.at, -staleSeconds) })),
    };
  }
  if (fault !== 'bad_signature' && fault !== 'old_secret') return target;
  const unknown = unknownKey(id, attempts + 1);
  const endpointKey = fault === 'old_secret' ? (formerKey ?? unknown) : unknown;
  return { ...target, sign: signerOf(unknown, [endpointKey]) };
}

const forged: Partial<Record<FaultKind, { sent: string; accepted: string }>> = {
  bad_signature: { sent: 'signed wrongly', accepted: 'a wrong signature' },
  stale_timestamp: { sent: 'signed with the time of an hour ago', accepted: 'a time of an hour ago' },
  old_secret: { sent: 'signed with the old secret alone', accepted: 'the old secret alone' },
};

/** What to record of an attempt that was sent with a fault: an attempt without one follows at once. */
function faultyAttempt(fault: FaultKind, attempt: Attempt): Attempt {
  const wasAccepted = attempt.status === 'delivered';
  const sendAgain = { status: 'pending', waitSeconds: 0, injectedFault: fault } as const;
  if (fault === 'duplicate') {
    // A failed attempt is followed by a retry anyway.
    if (!wasAccepted) return attempt;
    return { ...attempt, ...sendAgain, error: 'Chaos: it was taken, and is sent once more' };
  }
  const words = forged[fault];
  if (!words) return attempt;
  const { sent, accepted } = words;
  const error = wasAccepted ? `Chaos: the receiver accepted ${accepted}` : `Chaos: ${sent}; ${attempt.error}`;
  return { ...attempt, ...sendAgain, error, healthy: null, verifies: false };
}
