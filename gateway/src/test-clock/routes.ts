import type { FastifyInstance, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { identityErrors } from '../identity/errors.ts';
import { type IntegrationId, moveTestClock } from '../identity/integration.ts';
import { apiKeyOf, type Guards } from '../identity/keys/guards.ts';
import { keyedWrite } from '../identity/keys/keyed-write.ts';
import { refuse } from '../kit/errors.ts';
import { answers, named, Time } from '../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../kit/http/http.ts';
import {
  AdvanceBody,
  advanceTestClock,
  isAdvance,
  moveClock,
  readAdvance,
  readTestClock,
  type TestClockDeps,
} from './test-clock.ts';

const TestClock = Type.Object(
  { now: Time },
  named('TestClock', 'What the test clock of the integration shows.'),
);

/** The calls on the test clock of the key's integration. */
export function testClockRoutes(app: FastifyInstance, deps: TestClockDeps & { guards: Guards }): void {
  const { db, guards } = deps;
  const options = (about: FastifySchema) => ({
    onRequest: guards.key('use test mode calls'),
    schema: {
      tags: ['Test mode'],
      ...about,
      response: answers(TestClock),
    },
  });
  function testIntegration(request: Parameters<typeof apiKeyOf>[0]): IntegrationId {
    const { integration, mode } = apiKeyOf(request);
    if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
    return integration.id;
  }

  app.get(
    '/test/clock',
    options({
      operationId: 'getTestClock',
      sdk: 'test.clock.get()',
      summary: 'What the test clock shows',
      description: 'Every deadline of test mode follows this clock.',
    }),
    async (request, reply) =>
      sendEnvelope(reply, envelope('Test clock', await readTestClock(deps, db, testIntegration(request)))),
  );

  app.post(
    '/test/clock/advance',
    options({
      operationId: 'advanceTestClock',
      sdk: 'test.clock.advance({body.seconds}, {key})',
      summary: 'Advance the test clock, and do what became due',
      description:
        'Payments expire, simulated steps happen and webhooks are repeated as if the time had passed.',
      body: AdvanceBody,
    }),
    async (request, reply) => {
      const id = testIntegration(request);
      const advance = () =>
        keyedWrite(deps, request, 'advance clock', async (tx) => {
          const { seconds } = readAdvance(request.body);
          await advanceTestClock(deps, tx, id, seconds);
          return envelope('Test clock advanced', await readTestClock(deps, tx, id));
        });
      // A wrong body is refused at once, without waiting for a turn.
      if (!isAdvance(request.body)) return sendAnswer(reply, await advance());
      const { answer } = await moveClock(deps, id, advance);
      return sendAnswer(reply, answer);
    },
  );

  app.post(
    '/test/clock/reset',
    options({
      operationId: 'resetTestClock',
      sdk: 'test.clock.reset({key})',
      summary: 'Set the test clock to the real time',
      description: 'What already happened stays as it is.',
    }),
    async (request, reply) => {
      const id = testIntegration(request);
      const answer = await keyedWrite(deps, request, 'reset clock', async (tx) => {
        await moveTestClock(tx, id, null);
        return envelope('Test clock reset', await readTestClock(deps, tx, id));
      });
      return sendAnswer(reply, answer);
    },
  );
}
