import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type { PaymentDetail } from '../../../../../../gateway/src/payments/api/console-answers/payments.ts';
import type { Scenario, ScriptData, Step } from '../../../../../../gateway/src/payments/simulate/answers.ts';
import type { AdvancedClock } from '../../../../../../gateway/src/test-clock/console-answers.ts';
import { api } from '../../../api/client.ts';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { type Page, useRead } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { useAct } from '../../../ui/toast/act.ts';
import type { Happened } from '../../developers/queries.ts';

export type { Scenario, Step };

/** What the simulator needs of its payment. */
export type SimulatedPayment = Pick<PaymentDetail, 'payment_reference' | 'payment_status' | 'currency'>;

export type Outcome = Scenario['outcome'];

/** What a person wants to simulate; `amount` is a decimal in the payment's currency, empty for what the outcomes say. */
export type Wish = { outcomes: readonly Outcome[]; amount: string; delaySeconds: number };

export function useScenarios(): UseQueryResult<Page<Scenario>> {
  return useRead<Page<Scenario>>(useScope().path('/scenarios'));
}

/** The steps that a simulation would have now, or the refusal where it cannot be simulated. */
export function useScript(reference: string, wish: Wish): UseQueryResult<ScriptData> {
  const path = useScope().path(`/payments/${encodeURIComponent(reference)}/script`);
  return useQuery({
    // Not a key of the path itself: a simulation makes that stale, and would read this script again.
    queryKey: [`script ${path}`, wish],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(wish.outcomes.map((outcome) => ['outcome', outcome]));
      if (wish.amount !== '') query.set('amount', wish.amount);
      if (wish.delaySeconds > 0) query.set('delay_seconds', `${wish.delaySeconds}`);
      return api<ScriptData>(`${path}?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
    enabled: wish.outcomes.length > 0,
    retry: false,
  });
}

/** Simulates, and reads again what that changed. */
export function usePlay(reference: string): UseMutationResult<unknown, unknown, Wish> {
  const { path } = useScope();
  return useAct(
    ({ outcomes, amount, delaySeconds }: Wish) =>
      api(`${path('/payments')}/${encodeURIComponent(reference)}/simulate`, {
        body: {
          outcome: outcomes,
          ...(amount === '' ? {} : { amount }),
          ...(delaySeconds === 0 ? {} : { delay_seconds: delaySeconds }),
        },
      }),
    { changes: [path('/payments'), path('/clock'), path('/deliveries')] },
  );
}

/** Moves the test clock on by so many seconds. */
export function useAdvance(): UseMutationResult<Happened, unknown, number> {
  const { path } = useScope();
  return useAct<number, Happened>(
    async (seconds) => {
      const idempotencyKey = newIdempotencyKey();
      const moved = await api<AdvancedClock>(path('/clock/advance'), {
        body: { seconds },
        idempotencyKey,
      });
      return moved.happened;
    },
    {
      changes: ['/clock', '/payments', '/webhooks', '/deliveries', '/balances', '/balance-entries'].map(path),
    },
  );
}
