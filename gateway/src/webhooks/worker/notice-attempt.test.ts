import { beforeEach, describe, expect, test } from 'vitest';
import { seedPerson } from '../../../test/notices/person.ts';
import { createWorld } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { createNoticeEndpoint } from '../endpoints/notice-endpoints.ts';
import { recordEvents } from '../events/outbox.ts';
import type { NoticeOutcome } from './notice-attempt.ts';
import type { DeliveryWorker } from './worker.ts';

const world = await createWorld();
let who: Awaited<ReturnType<typeof seedPerson>>;
const waits = { timeout: 30_000 };

beforeEach(async () => {
  who = await seedPerson(world.db, world.seal);
  const plan = {
    ...{ ...who.owner, channel: 'telegram' as const, accountId: who.accountId, deviceId: null },
    ...{ events: ['payment_completed'], dayDueAt: null, dayTypes: [] },
  };
  await transaction(world.db, (tx) => createNoticeEndpoint(tx, world.seal, plan, new Date()));
});

async function pay(count: number): Promise<void> {
  const payment = {
    ...{ id: crypto.randomUUID(), reference: 'order-7', currency: 'USDC', amount: 10, status: 'completed' },
    ...{ serviceFee: 0, customerEmail: null, customerReference: null },
  };
  const event = {
    ...who.owner,
    ...{ type: 'payment_completed' as const, sequence: 1, at: new Date(), payment },
  };
  await transaction(world.db, (tx) =>
    recordEvents(
      tx,
      world.hints,
      Array.from({ length: count }, () => event),
    ),
  );
}

async function deliveries(): Promise<
  { status: string; attempts: number; wait: number; error: string | null }[]
> {
  const { rows } = await world.db.query(
    `SELECT d.status, d.attempts, round(extract(epoch FROM d.next_attempt_at - now()))::int AS wait, a.error
     FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
     LEFT JOIN delivery_attempts a ON a.delivery_id = d.id AND a.n = d.attempts
     WHERE w.account_id = $1`,
    [who.accountId],
  );
  return rows;
}

/** Workers that tell a person by `send`, until the test has ended. */
async function working<T>(
  count: number,
  send: () => Promise<NoticeOutcome>,
  check: (workers: DeliveryWorker[]) => Promise<T>,
): Promise<T> {
  const workers = Array.from({ length: count }, () =>
    world.worker({ sendNotice: send, hints: world.otherHints() }),
  );
  for (const worker of workers) worker.start();
  try {
    return await check(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

test('two workers send each notice once', async () => {
  let sent = 0;
  const send = async (): Promise<NoticeOutcome> => {
    sent += 1;
    return { outcome: 'sent', durationMs: 1 };
  };
  await working(2, send, async () => {
    await pay(40);
    await expect
      .poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length, waits)
      .toBe(40);
  });
  expect(sent).toBe(40);
});

test('what a process was sending when it was killed is sent by another', async () => {
  const hanging = Promise.withResolvers<NoticeOutcome>();
  let begun = 0;
  const killed = world.worker({
    hints: world.otherHints(),
    sendNotice: () => {
      begun += 1;
      return hanging.promise;
    },
  });
  killed.start();
  await pay(1);
  await expect.poll(() => begun, waits).toBe(1);
  // Its lease is what a killed process leaves behind, until it is over.
  await world.db.query("UPDATE webhook_workers SET until = now() - interval '1 second'");
  await working(
    1,
    async () => ({ outcome: 'sent', durationMs: 1 }),
    async () => {
      await expect.poll(async () => (await deliveries())[0]?.status, waits).toBe('delivered');
    },
  );
  hanging.resolve({ outcome: 'sent', durationMs: 1 });
  await killed.stop();
  expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
});

describe('a notice', () => {
  test.each<[string, () => Promise<NoticeOutcome>, object]>([
    [
      'that is needed no more is done',
      async () => ({ outcome: 'unneeded' }),
      { status: 'delivered', error: null },
    ],
    [
      'that can never be sent has failed',
      async () => ({ outcome: 'ended', error: 'Gone' }),
      { status: 'failed', error: 'Gone' },
    ],
    [
      'that was refused is sent again after a minute',
      async () => ({ outcome: 'refused', error: 'Not now', durationMs: 1 }),
      { status: 'pending', error: 'Not now' },
    ],
    [
      'whose sending has a fault is sent again too',
      () => Promise.reject(new Error('no disk')),
      { status: 'pending', error: 'It could not be sent: no disk' },
    ],
  ])('%s', async (_what, send, outcome) => {
    await working(1, send, async () => {
      await pay(1);
      await expect
        .poll(async () => (await deliveries())[0], waits)
        .toMatchObject({ ...outcome, attempts: 1 });
    });
  });
});
