import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/webhooks/${path}`;

export const webhooks: readonly Mutation[] = [
  {
    name: 'webhooks/mode',
    file: at('events/outbox.ts'),
    find: 'w.integration_id = input.integration_id AND w.mode = input.mode AND',
    replace: 'w.integration_id = input.integration_id AND',
    harm: 'A shop sends goods for test money, since its live endpoint is told of it.',
  },
  {
    name: 'webhooks/order',
    file: at('events/outbox.ts'),
    find: "moment.at - input.followers * interval '1 microsecond'",
    replace: "moment.at + input.followers * interval '1 microsecond'",
    harm: 'A shop hears that a payment was reversed before it hears that it was paid.',
    tests: [at('worker/order.test.ts')],
  },
  {
    name: 'webhooks/held-order',
    file: at('events/outbox.ts'),
    find: 'moment.at + (SELECT sequence',
    replace: 'moment.at - (SELECT sequence',
    harm: 'An endpoint that is just activated hears of a reversal before the payment.',
    tests: [at('replay/held.test.ts')],
  },
  {
    name: 'webhooks/held-for-the-paused',
    file: at('events/outbox.ts'),
    find: "CASE WHEN w.status = 'active' AND NOT w.catching_up THEN 'pending' ELSE 'held' END,",
    replace: "CASE WHEN w.status = 'active' THEN 'pending' ELSE 'held' END,",
    harm: 'An endpoint that catches up hears of a reversal before the payment.',
  },
  {
    name: 'webhooks/attempt-once',
    file: at('worker/record.ts'),
    find: 'AND d.id = a.delivery_id AND d.attempts = a.attempts\n',
    replace: 'AND d.id = a.delivery_id\n',
    harm: 'A worker that comes late ends a delivery that another one is still trying.',
  },
  {
    name: 'webhooks/delivered-stays',
    file: at('worker/record.ts'),
    find: "AND d.status || '' = 'pending'\n    RETURNING d.attempts",
    replace: 'RETURNING d.attempts',
    harm: 'A delivery that was ended meanwhile is tried again.',
  },
  {
    name: 'webhooks/not-before-due',
    file: at('worker/sql.ts'),
    find: "d.status = 'pending' AND d.next_attempt_at <= w.until",
    replace: "d.status = 'pending' AND d.next_attempt_at <= now() + interval '2 days'",
    harm: 'All retries are made at once, so that a shop that is down for an hour never hears of its payments.',
  },
  {
    name: 'webhooks/success-is-2xx',
    file: at('worker/retry.ts'),
    find: 'statusCode >= 200 && statusCode < 300',
    replace: 'statusCode >= 200 && statusCode < 400',
    harm: 'A redirect of a login page counts as a shop that has heard of its payment.',
  },
];
