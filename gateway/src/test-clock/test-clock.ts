import { Type } from 'typebox';
import { getIntegration, type IntegrationId, moveTestClock, testTime } from '../identity/integration.ts';
import type { Database, Reader, Tx } from '../kit/db/db.ts';
import { fieldReader } from '../kit/http/fields.ts';
import { shiftTestLinks } from '../payments/links/links.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import { expireDue, shiftTestPayments } from '../payments/settlement/expire.ts';
import { showDue } from '../payments/simulate/simulate.ts';
import { shiftTestPayouts, showDueSends } from '../payouts/lifecycle/simulate.ts';
import type { PayoutDeps } from '../payouts/lifecycle/state.ts';
import { shiftTestSchedules } from '../payouts/schedules/schedule.ts';
import { shiftSteps } from '../rails/simulated/rail.ts';
import { shiftTestDeliveries } from '../webhooks/endpoints/endpoints.ts';
import type { DeliveryWorker } from '../webhooks/worker/worker.ts';
import { inClockTurn } from './turn.ts';

// An integration's test clock (contract.md#calls). Advancing it brings everything that test mode waits for closer:
// deadlines, steps of the simulated chain, webhook retries. Live mode is never affected.

export type TestClockDeps = StateDeps & { db: Database; payouts: PayoutDeps; deliveries: DeliveryWorker };

const maxSeconds = 366 * 24 * 3600;

export const AdvanceBody = Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: maxSeconds }) });
export const readAdvance = fieldReader(AdvanceBody);

/** True when `readAdvance` takes the body. */
export function isAdvance(body: unknown): boolean {
  try {
    readAdvance(body);
    return true;
  } catch {
    return false;
  }
}

/** The time that the clock shows. */
export async function readTestClock(
  { now }: Pick<TestClockDeps, 'now'>,
  reader: Reader,
  id: IntegrationId,
): Promise<{ now: string }> {
  return { now: testTime(await getIntegration(reader, id), now()).toISOString() };
}

/**
 * Calls `advance`, which commits `advanceTestClock`, and then does everything that became due. Only one call at a time
 * does so for an integration, and no worker sends its test webhooks meanwhile.
 */
export async function moveClock<T>(
  deps: TestClockDeps,
  id: IntegrationId,
  advance: () => Promise<T>,
): Promise<{ answer: T; done: Done }> {
  return await inClockTurn(deps.db, id, () =>
    deps.deliveries.takeOver(id, async (sendDue) => {
      const answer = await advance();
      const payments = await doWhatIsDue(deps, id);
      return { answer, done: { ...payments, tried: await sendDue() } };
    }),
  );
}

/** Moves the clock on by `seconds`, and the due times of everything that waits closer by as much. */
export async function advanceTestClock(
  { now }: Pick<TestClockDeps, 'now'>,
  tx: Tx,
  id: IntegrationId,
  seconds: number,
): Promise<void> {
  await moveTestClock(tx, id, seconds);
  const played = await shiftSteps(tx, id, seconds);
  await shiftTestPayments(tx, id, { seconds, now: now(), played });
  await shiftTestLinks(tx, id, seconds);
  await shiftTestPayouts(tx, id, seconds);
  await shiftTestSchedules(tx, id, seconds);
  await shiftTestDeliveries(tx, id, seconds);
}

/** How much was done: steps of the chain, payments that expired, deliveries that were tried. */
type Done = { shown: number; expired: number; tried: number };

/** Repeats until nothing is due: one step may make another due. */
async function doWhatIsDue(deps: TestClockDeps, integrationId: IntegrationId): Promise<Omit<Done, 'tried'>> {
  const done = { shown: 0, expired: 0 };
  for (;;) {
    const shown = await showDue(deps.db, deps, { integrationId });
    const sent = await showDueSends(deps.db, deps.payouts);
    const expired = await expireDue(deps.db, deps, integrationId);
    if (shown + sent + expired === 0) return done;
    done.shown += shown + sent;
    done.expired += expired;
  }
}
