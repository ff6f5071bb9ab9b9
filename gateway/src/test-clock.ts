import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { identityErrors } from './identity/errors.ts';
import { apiKeyOf, type Guards } from './identity/guards.ts';
import { keyedWrite } from './identity/keyed-write.ts';
import { getIntegration, type IntegrationId, moveTestClock, testTime } from './identity/service.ts';
import { answers, Time } from './kit/answers.ts';
import type { Database, Reader } from './kit/db.ts';
import { refuse } from './kit/errors.ts';
import { fieldReader } from './kit/fields.ts';
import { envelope, sendAnswer, sendEnvelope } from './kit/http.ts';
import { expireDue, shiftTestPayments } from './payments/expire.ts';
import { showDue } from './payments/simulate.ts';
import type { StateDeps } from './payments/state.ts';
import { shiftSteps } from './rails/simulated/service.ts';
import { settleTestDeliveries, shiftTestDeliveries } from './webhooks/service.ts';
import type { DeliveryWorker } from './webhooks/worker.ts';

export type TestClockDeps = StateDeps & { db: Database; guards: Guards; deliveries: DeliveryWorker };

const maxSeconds = 366 * 24 * 3600;

const AdvanceBody = Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: maxSeconds }) });
const readAdvance = fieldReader(AdvanceBody);

/**
 * The integration's test clock (contract.md 7). Advancing it brings whatever its test mode waits for closer:
 * deadlines, what the simulated chain still has to show, webhook retries. Nothing live ever moves.
 */
export function testClockRoutes(app: FastifyInstance, deps: TestClockDeps): void {
  const { db, guards } = deps;
  const options = (summary: string, body?: typeof AdvanceBody) => ({
    onRequest: guards.key('use test mode calls'),
    schema: {
      tags: ['Test mode'],
      summary,
      response: answers(Type.Object({ now: Time })),
      ...(body ? { body } : {}),
    },
  });
  async function nowOf(reader: Reader, id: IntegrationId) {
    return { now: testTime(await getIntegration(reader, id), deps.now()).toISOString() };
  }
  function testIntegration(request: Parameters<typeof apiKeyOf>[0]): IntegrationId {
    const { integration, mode } = apiKeyOf(request);
    if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
    return integration.id;
  }

  app.get('/test/clock', options('What the test clock shows'), async (request, reply) =>
    sendEnvelope(reply, envelope('Test clock', await nowOf(db, testIntegration(request)))),
  );

  app.post(
    '/test/clock/advance',
    options('Advance the test clock, and do what became due', AdvanceBody),
    async (request, reply) => {
      const id = testIntegration(request);
      await settleTestDeliveries(db, id);
      const answer = await keyedWrite(deps, request, 'advance clock', async (tx) => {
        const { seconds } = readAdvance(request.body);
        await moveTestClock(tx, id, seconds);
        await shiftTestPayments(tx, id, seconds, deps.now());
        await shiftSteps(tx, id, seconds);
        await shiftTestDeliveries(tx, id, seconds);
        return envelope('Test clock advanced', await nowOf(tx, id));
      });
      await doWhatIsDue(deps, id);
      return sendAnswer(reply, answer);
    },
  );

  app.post('/test/clock/reset', options('Set the test clock to the real time'), async (request, reply) => {
    const id = testIntegration(request);
    const answer = await keyedWrite(deps, request, 'reset clock', async (tx) => {
      await moveTestClock(tx, id, null);
      return envelope('Test clock reset', await nowOf(tx, id));
    });
    return sendAnswer(reply, answer);
  });
}

/** Payments until nothing more is due, for one thing may make another due; then each due delivery once. */
async function doWhatIsDue(deps: TestClockDeps, integrationId: IntegrationId): Promise<void> {
  for (;;) {
    const shown = await showDue(deps.db, deps, { integrationId });
    const expired = await expireDue(deps.db, deps, integrationId);
    if (shown + expired === 0) break;
  }
  await deps.deliveries.runDue({ integrationId, mode: 'test' });
}
