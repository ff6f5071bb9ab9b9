import { type Static, Type } from 'typebox';
import { Time } from '../kit/http/answers.ts';
import { PaymentStatus } from '../payments/api/console-answers/payments.ts';

// What the dashboard's calls on the test clock answer.

const text = Type.String();
const count = Type.Integer();

/** What test mode waits for; seconds are real ones. */
const waiting = { payment_reference: text, in_seconds: count };
const WaitingItem = Type.Union([
  Type.Object({ kind: Type.Literal('payment'), ...waiting, what: PaymentStatus }),
  Type.Object({
    kind: Type.Literal('chain'),
    ...waiting,
    what: Type.Enum(['seen', 'final', 'gone', 'fail', 'expire', 'dispute']),
  }),
  /** The type of the event. */
  Type.Object({ kind: Type.Literal('webhook'), ...waiting, what: text }),
]);
export type WaitingItem = Static<typeof WaitingItem>;

const clock = {
  now: Time,
  ahead_seconds: Type.Number(),
  waiting: Type.Object({ items: Type.Array(WaitingItem), more: Type.Boolean() }),
};

export const TestClock = Type.Object(clock);
export type TestClock = Static<typeof TestClock>;

/** What advancing the clock did. */
const Happened = Type.Object({
  payments: Type.Array(Type.Object({ payment_reference: text, from: PaymentStatus, to: PaymentStatus })),
  chain_steps: count,
  webhooks_tried: count,
});
export type Happened = Static<typeof Happened>;

export const AdvancedClock = Type.Object({ ...clock, happened: Happened });
export type AdvancedClock = Static<typeof AdvancedClock>;
