import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { useRead } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';
import { type Chaos, type FaultKind, faultKinds } from '../types/chaos.ts';

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

export const maxDelaySeconds = 3_600;

export type ChaosWords = { title: string; does: string; good: string };

export const chaosWords: Record<FaultKind, ChaosWords> = {
  duplicate: {
    title: t('Sent twice'),
    does: t('The same bytes come a second time, right after the first were taken.'),
    good: t('Handles each event_id once, and answers 200 both times.'),
  },
  reorder: {
    title: t('Out of order'),
    does: t('An event is held back, so that the next one of its payment overtakes it.'),
    good: t('Compares X-Sequence, and lets an older event change nothing.'),
  },
  delay: {
    title: t('Late'),
    does: t('The attempt is held back for a while.'),
    good: t('Waits for the webhook, and never takes the customer’s return for a payment.'),
  },
  drop: {
    title: t('Lost'),
    does: t('The attempt is never sent; the next one comes as after any failure.'),
    good: t('Asks for payment details where a webhook is overdue.'),
  },
  bad_signature: {
    title: t('Wrong signature'),
    does: t('Both signatures fit nothing; the right ones follow.'),
    good: t('Answers 400 and does nothing.'),
  },
  stale_timestamp: {
    title: t('Old timestamp'),
    does: t('webhook-timestamp is of an hour ago, as in a replay; a fresh one follows.'),
    good: t('Refuses what is older than five minutes.'),
  },
  old_secret: {
    title: t('Old secret'),
    does: t('Signed with the secret before this one alone; the right one follows.'),
    good: t('Forgets a secret when its overlap ends.'),
  },
};

export const chaosPresets: readonly { name: string; chaos: Chaos }[] = [
  {
    name: t('Realistic bad day'),
    chaos: { ...noChaos, duplicate: 10, reorder: 10, delay: 15, drop: 5, bad_signature: 2 },
  },
  {
    name: t('Everything'),
    chaos: {
      duplicate: 30,
      reorder: 30,
      delay: 30,
      drop: 20,
      bad_signature: 20,
      stale_timestamp: 20,
      old_secret: 20,
      delay_seconds: 30,
    },
  },
  { name: t('Off'), chaos: noChaos },
];

/** The kinds that hold back, for `delay_seconds`. */
export const holding: readonly FaultKind[] = ['reorder', 'delay'];

/** The kinds that happen at all. */
export function activeKinds(chaos: Partial<Chaos> | null): FaultKind[] {
  return faultKinds.filter((kind) => (chaos?.[kind] ?? 0) > 0);
}

export function useChaos(endpoint: string): UseQueryResult<Chaos> {
  return useRead<Chaos>(useScope().path(`/webhooks/${endpoint}/chaos`));
}

/** Changes what happens to an endpoint's attempts from the next one on. */
export function useSetChaos(endpoint: string): UseMutationResult<Chaos, unknown, Chaos> {
  const { path } = useScope();
  return useAct<Chaos, Chaos>(
    async (chaos) => {
      await api(path(`/webhooks/${endpoint}/chaos`), { method: 'PUT', body: chaos });
      return chaos;
    },
    {
      changes: [path('/webhooks')],
      done: (chaos) =>
        activeKinds(chaos).length === 0 ? t('Chaos is off') : t('Chaos begins with the next attempt'),
    },
  );
}
