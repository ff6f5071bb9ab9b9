import type { Console } from '../identity/console/console.ts';
import { getIntegration, type IntegrationId, moveTestClock } from '../identity/integration.ts';
import { assertTest } from '../identity/test-mode.ts';
import { transaction } from '../kit/db/db.ts';
import { envelope, idempotencyKeyOf } from '../kit/http/http.ts';
import { once } from '../kit/http/idempotency.ts';
import { AdvancedClock, TestClock } from './console-answers.ts';
import { advanceTestClock, moveClock, readAdvance, readTestClock, type TestClockDeps } from './test-clock.ts';
import { changesSince, listWaiting, statesBefore } from './waiting.ts';

/** The test clock in the dashboard: what it shows, what waits for it, and what moving it did. */
export function testClockConsoleRoutes(dashboard: Console, deps: TestClockDeps): void {
  const { db, now } = deps;
  const may = { may: 'use test mode' } as const;

  async function view(id: IntegrationId) {
    const integration = await getIntegration(db, id);
    return {
      ...(await readTestClock(deps, db, id)),
      ahead_seconds: integration.testClockSeconds,
      waiting: await listWaiting(db, id, now()),
    };
  }

  dashboard.get('mode', '/clock', { ...may, answer: TestClock }, async ({ owner }) => {
    assertTest(owner.mode);
    return { message: 'Test clock', data: await view(owner.integrationId) };
  });

  dashboard.act('POST', 'mode', '/clock/advance', { ...may, answer: AdvancedClock }, async (call, record) => {
    const { owner, request, session } = call;
    const { integrationId: id } = owner;
    assertTest(owner.mode);
    const { seconds } = readAdvance(call.body);
    const key = idempotencyKeyOf(request, `console ${session.account.id} POST ${request.url}`);
    const { answer: before, done } = await moveClock(deps, id, async () => {
      const states = await statesBefore(db, id);
      await transaction(db, (tx) =>
        once(tx, key, now(), async () => {
          await advanceTestClock(deps, tx, id, seconds);
          await record(tx, {
            action: 'advanced the test clock',
            subject: { kind: 'integration', id },
            after: { seconds, ...(await readTestClock(deps, tx, id)) },
          });
          return envelope('Test clock advanced', null);
        }),
      );
      return states;
    });
    const payments = await changesSince(db, before);
    const happened = { payments, chain_steps: done.shown, webhooks_tried: done.tried };
    return { message: 'Test clock advanced', data: { ...(await view(id)), happened } };
  });

  dashboard.act('POST', 'mode', '/clock/reset', { ...may, answer: TestClock }, async ({ owner }, record) => {
    const { integrationId: id } = owner;
    assertTest(owner.mode);
    await transaction(db, async (tx) => {
      const before = await readTestClock(deps, tx, id);
      await moveTestClock(tx, id, null);
      const change = { action: 'reset the test clock', subject: { kind: 'integration', id }, before };
      await record(tx, { ...change, after: await readTestClock(deps, tx, id) });
    });
    return { message: 'Test clock reset', data: await view(id) };
  });
}
