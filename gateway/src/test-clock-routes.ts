import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { identityErrors } from './identity/errors.ts';
import { apiKeyOf, type Guards } from './identity/guards.ts';
import { keyedWrite } from './identity/keyed-write.ts';
import { type IntegrationId, moveTestClock } from './identity/service.ts';
import { answers, Time } from './kit/answers.ts';
import { refuse } from './kit/errors.ts';
import { envelope, sendAnswer, sendEnvelope } from './kit/http.ts';
import {
  AdvanceBody,
  advanceTestClock,
  doWhatIsDue,
  isAdvance,
  readAdvance,
  readTestClock,
  type TestClockDeps,
} from './test-clock.ts';
import { inClockTurn } from './test-clock-turn.ts';
import { settleTestDeliveries } from './webhooks/service.ts';

/** The calls on the test clock of the key's integration. */
export function testClockRoutes(app: FastifyInstance, deps: TestClockDeps & { guards: Guards }): void {
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
  function testIntegration(request: Parameters<typeof apiKeyOf>[0]): IntegrationId {
    const { integration, mode } = apiKeyOf(request);
    if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
    return integration.id;
  }

  app.get('/test/clock', options('What the test clock shows'), async (request, reply) =>
    sendEnvelope(reply, envelope('Test clock', await readTestClock(deps, db, testIntegration(request)))),
  );

  app.post(
    '/test/clock/advance',
    options('Advance the test clock, and do what became due', AdvanceBody),
    async (request, reply) => {
      const id = testIntegration(request);
      const advance = () =>
        keyedWrite(deps, request, 'advance clock', async (tx) => {
          const { seconds } = readAdvance(request.body);
          await advanceTestClock(deps, tx, id, seconds);
          return envelope('Test clock advanced', await readTestClock(deps, tx, id));
        });
      // Refused at once, whoever's turn it is.
      if (!isAdvance(request.body)) return sendAnswer(reply, await advance());
      const answer = await inClockTurn(db, id, async () => {
        await settleTestDeliveries(db, id);
        const advanced = await advance();
        await doWhatIsDue(deps, id);
        return advanced;
      });
      return sendAnswer(reply, answer);
    },
  );

  app.post('/test/clock/reset', options('Set the test clock to the real time'), async (request, reply) => {
    const id = testIntegration(request);
    const answer = await keyedWrite(deps, request, 'reset clock', async (tx) => {
      await moveTestClock(tx, id, null);
      return envelope('Test clock reset', await readTestClock(deps, tx, id));
    });
    return sendAnswer(reply, answer);
  });
}
