import { type AttemptDelivery, unsent } from './attempt.ts';
import { type Answer, judgeAttempt, noAnswer } from './retry.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

/**
 * What became of a notice: it was handed over; nothing is to be said any more; it can never be; or it was refused, and is
 * tried again as a webhook would be.
 */
export type NoticeOutcome =
  | { outcome: 'sent'; durationMs: number }
  | { outcome: 'unneeded' }
  | { outcome: 'ended'; error: string }
  | { outcome: 'refused'; error: string; answer?: Answer; durationMs: number };

/** Tells the person of an endpoint what a delivery is about. Rejects where the database cannot be asked. */
export type SendNotice = (
  delivery: DueDelivery,
  channel: Exclude<Target['channel'], 'webhook'>,
) => Promise<NoticeOutcome>;

/** Attempts of webhooks by `webhook`, and of notices by `sendNotice` (contract.md#notices). */
export function byChannel(webhook: AttemptDelivery, sendNotice: SendNotice | undefined): AttemptDelivery {
  return async (deps, delivery, target) => {
    const { channel } = target;
    if (channel === 'webhook') return await webhook(deps, delivery, target);
    const at = deps.now();
    if (target.deleted) return unsent(delivery, at, { status: 'failed' }, 'The person is not told any more');
    const found = await (sendNotice?.(delivery, channel) ?? notHere).catch(refusedBy);
    if (found.outcome === 'unneeded') return unsent(delivery, at, { status: 'delivered' }, null);
    if (found.outcome === 'ended') return unsent(delivery, at, { status: 'failed' }, found.error);
    const isSent = found.outcome === 'sent';
    const answer = isSent ? { statusCode: 200, retryAfter: undefined } : (found.answer ?? noAnswer);
    const verdict = judgeAttempt(delivery.attempts + 1, answer, deps.random, at.getTime());
    return {
      ...unsent(delivery, at, verdict, isSent ? null : found.error),
      durationMs: found.durationMs,
      statusCode: isSent ? null : answer.statusCode,
      healthy: isSent && !target.failing ? null : isSent,
    };
  };
}

const notHere = Promise.resolve<NoticeOutcome>({
  outcome: 'refused',
  error: 'This process tells nobody',
  durationMs: 0,
});

function refusedBy(error: unknown): NoticeOutcome {
  const why = error instanceof Error ? error.message : String(error);
  return { outcome: 'refused', error: `It could not be sent: ${why}`, durationMs: 0 };
}
