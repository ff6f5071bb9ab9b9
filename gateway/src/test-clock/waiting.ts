import type { IntegrationId } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { PaymentStatus } from '../payments/payment/payment.ts';
import { paymentsById, waitingTestPayments } from '../payments/read/by-id.ts';
import { type OpenStep, openSteps } from '../rails/simulated/open-steps.ts';
import { waitingTestDeliveries } from '../webhooks/events/waiting.ts';

/** Something that an integration's test mode waits for, and in how many real seconds it is due. */
export type Waiting = { payment_reference: string; in_seconds: number } & WaitsFor;

/** The payment's status, what the chain will show of its transfer, or the type of the event. */
type WaitsFor =
  | { kind: 'payment'; what: PaymentStatus }
  | { kind: 'chain'; what: OpenStep['state'] }
  | { kind: 'webhook'; what: string };

const listed = 20;

/** What an integration's test mode waits for, the next first; 20 at most, and whether there is more. */
export async function listWaiting(
  reader: Reader,
  id: IntegrationId,
  now: Date,
): Promise<{ items: Waiting[]; more: boolean }> {
  const [payments, steps, deliveries] = await Promise.all([
    waitingTestPayments(reader, id, listed + 1),
    openSteps(reader, id, listed + 1),
    waitingTestDeliveries(reader, id, listed + 1),
  ]);
  const named = await paymentsById(reader, [...new Set(steps.map(({ paymentId }) => paymentId))]);
  const seconds = (at: Date) => Math.max(0, Math.ceil((at.getTime() - now.getTime()) / 1000));
  const items = [
    ...payments.map(({ reference, status, dueAt }) =>
      waiting({ kind: 'payment', what: status }, reference, seconds(dueAt)),
    ),
    ...steps.map(({ paymentId, state, dueAt }) =>
      waiting({ kind: 'chain', what: state }, named.get(paymentId)?.reference ?? '', seconds(dueAt)),
    ),
    ...deliveries.map(({ reference, type, dueAt }) =>
      waiting({ kind: 'webhook', what: type }, reference, seconds(dueAt)),
    ),
  ].sort((one, other) => one.in_seconds - other.in_seconds);
  return { items: items.slice(0, listed), more: items.length > listed };
}

function waiting(what: WaitsFor, reference: string, inSeconds: number): Waiting {
  return { ...what, payment_reference: reference, in_seconds: inSeconds };
}

const compared = 100;

/** The states of the payments that may change; `changesSince` returns which of them did. */
export async function statesBefore(reader: Reader, id: IntegrationId): Promise<Map<string, PaymentStatus>> {
  const payments = await waitingTestPayments(reader, id, compared);
  const steps = await openSteps(reader, id, compared);
  const ids = [...payments.map((payment) => payment.id), ...steps.map(({ paymentId }) => paymentId)];
  const found = await paymentsById(reader, [...new Set(ids)]);
  return new Map([...found].map(([paymentId, { status }]) => [paymentId, status]));
}

export type PaymentChange = { payment_reference: string; from: PaymentStatus; to: PaymentStatus };

export async function changesSince(
  reader: Reader,
  before: Map<string, PaymentStatus>,
): Promise<PaymentChange[]> {
  const now = await paymentsById(reader, [...before.keys()]);
  return [...now.values()].flatMap(({ id, reference, status }) => {
    const from = before.get(id);
    return from === undefined || from === status ? [] : [{ payment_reference: reference, from, to: status }];
  });
}
