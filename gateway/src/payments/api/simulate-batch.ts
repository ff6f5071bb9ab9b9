import { nameOfOwned, type Owner } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, Refusal, refuse } from '../../kit/errors.ts';
import { envelope } from '../../kit/http/http.ts';
import type { Answer } from '../../kit/http/idempotency.ts';
import { type KeyedItem, keyedBatch } from '../../kit/http/keyed-batch.ts';
import { isReference } from '../create/schema.ts';
import type { PagesAt } from '../payment/page-link.ts';
import type { StateDeps } from '../payment/state.ts';
import { type DescribeDeps, describePayments } from '../read/read.ts';
import { lockOwnForChanges } from '../settlement/changes.ts';
import { readWish } from '../simulate/schema.ts';
import type { Wish } from '../simulate/script.ts';
import { simulateAll } from '../simulate/simulate.ts';

/** A call that plays an outcome to a test payment; its body is read once its key is known to be new. */
type Call = KeyedItem & { owner: Owner; reference: string; body: unknown; pagesAt: PagesAt };

export type SimulatePayment = (call: Omit<Call, 'response'>) => Promise<Answer>;

/** Returns what plays outcomes: calls that come together share one commit. Refusals: `not_found`, those of the body and of `scriptOf`. */
export function createSimulator(
  deps: StateDeps & DescribeDeps & { db: Database; now: Clock },
): SimulatePayment {
  const submit = keyedBatch<Call>({
    db: deps.db,
    now: deps.now,
    subjectOf: nameOf,
    write: (tx, calls) => playAll(tx, deps, calls),
  });
  return async (call) => await submit({ ...call, response: null });
}

const nameOf = ({ owner, reference }: Pick<Call, 'owner' | 'reference'>): string =>
  nameOfOwned(owner, reference);

async function playAll(
  tx: Tx,
  deps: StateDeps & DescribeDeps,
  calls: readonly Call[],
): Promise<(Refusal | string)[]> {
  const outcomes = new Map<Call, Refusal | string>();
  const wishes = new Map<Call, Wish>();
  for (const call of calls) {
    try {
      wishes.set(call, readWish(call.body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.set(call, error);
    }
  }
  const asked = [...wishes.keys()].filter(({ reference }) => isReference(reference));
  const own = asked.map(({ owner, reference }) => ({ ...owner, reference }));
  const { payments, changes } = await lockOwnForChanges(tx, deps, own);
  const idOf = new Map(
    payments.map((payment) => [nameOf({ owner: payment, reference: payment.reference }), payment.id]),
  );
  const wished = [...wishes].flatMap(([call, wish]) => {
    const paymentId = idOf.get(nameOf(call));
    return paymentId === undefined ? [] : [{ call, paymentId, wish }];
  });
  const refusals = await simulateAll(changes, wished);
  const played = wished.map(({ paymentId, call: { pagesAt } }) => ({
    payment: changes.payment(paymentId),
    pagesAt,
  }));
  const described = await changes.flush(() =>
    describePayments(tx, deps, played, (id) => changes.transfersOf(id)),
  );
  for (const [at, { call }] of wished.entries()) {
    outcomes.set(call, refusals[at] ?? envelope('Payment simulated', described[at]));
  }
  return calls.map((call) => outcomes.get(call) ?? refuse(kitErrors.not_found));
}
