import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { useRead } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
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
    title: 'Sent twice',
    does: 'The same bytes come a second time, right after the first were taken.',
    good: 'Handles each event_id once, and answers 200 both times.',
  },
  reorder: {
    title: 'Out of order',
    does: 'An event is held back, so that the next one of its payment overtakes it.',
    good: 'Compares X-Sequence, and lets an older event change nothing.',
  },
  delay: {
    title: 'Late',
    does: 'The attempt is held back for a while.',
    good: 'Waits for the webhook, and never takes the customer’s return for a payment.',
  },
  drop: {
    title: 'Lost',
    does: 'The attempt is never sent; the next one comes as after any failure.',
    good: 'Asks for payment details where a webhook is overdue.',
  },
  bad_signature: {
    title: 'Wrong signature',
    does: 'Both signatures fit nothing; the right ones follow.',
    good: 'Answers 400 and does nothing.',
  },
  stale_timestamp: {
    title: 'Old timestamp',
    does: 'webhook-timestamp is of an hour ago, as in a replay; a fresh one follows.',
    good: 'Refuses what is older than five minutes.',
  },
  old_secret: {
    title: 'Old secret',
    does: 'Signed with the secret before this one alone; the right one follows.',
    good: 'Forgets a secret when its overlap ends.',
  },
};

export const chaosPresets: readonly { name: string; chaos: Chaos }[] = [
  {
    name: 'Realistic bad day',
    chaos: { ...noChaos, duplicate: 10, reorder: 10, delay: 15, drop: 5, bad_signature: 2 },
  },
  {
    name: 'Everything',
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
  { name: 'Off', chaos: noChaos },
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
        activeKinds(chaos).length === 0 ? 'Chaos is off' : 'Chaos begins with the next attempt',
    },
  );
}
