import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { apiKeyOf, idempotencyScope } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { assertTest } from '../../identity/test-mode.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { pagesForKey } from '../payment/page-link.ts';
import type { StateDeps } from '../payment/state.ts';
import { findOwnPayment } from '../read/read.ts';
import { ScenarioPage, ScriptData } from '../simulate/answers.ts';
import { readWishFields, SimulateBody } from '../simulate/schema.ts';
import { plannedScript, scenarioList } from '../simulate/script-view.ts';
import { PaymentDetail } from './answers.ts';
import type { PaymentRouteDeps } from './routes.ts';
import { createSimulator } from './simulate-batch.ts';

const ReferenceParams = Type.Object({ payment_reference: Type.String() });
type ReferenceParams = Type.Static<typeof ReferenceParams>;

const tags = ['Test mode'];

/** What can be played to test payments, what it would come to, and playing it (contract.md#calls). */
export function simulateRoutes(app: FastifyInstance, deps: PaymentRouteDeps): void {
  const { db, guards } = deps;
  const simulatePayment = createSimulator(deps);
  const onRequest = guards.key('use test mode calls');

  app.get(
    '/test/scenarios',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listScenarios',
        sdk: 'test.scenarios()',
        summary: 'The outcomes that can be played',
        description:
          'The outcomes that `POST /test/payments/{payment_reference}/simulate` takes, with what happens and what each combines with.',
        response: answers(ScenarioPage),
      },
    },
    async (request, reply) => {
      assertTest(apiKeyOf(request).mode);
      return sendEnvelope(reply, envelope('Scenarios', scenarioList()));
    },
  );

  app.post<{ Params: ReferenceParams }>(
    '/test/payments/:payment_reference/simulate',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'simulatePayment',
        sdk: 'test.simulate({payment_reference}, {body.outcome}, {key})',
        summary: 'Play an outcome on a test payment',
        description:
          'Several outcomes together are played as one. Steps that lie in the future of the test clock happen when it gets there.',
        params: ReferenceParams,
        body: SimulateBody,
        response: answers(PaymentDetail),
      },
    },
    async (request, reply) => {
      const reference = request.params.payment_reference;
      const caller = apiKeyOf(request);
      assertTest(caller.mode);
      const key = idempotencyKeyOf(request, idempotencyScope(caller, `simulate ${reference}`));
      const pagesAt = pagesForKey(deps.payUrl, caller);
      const call = { key, owner: ownerOf(caller), reference, body: request.body, pagesAt };
      return sendAnswer(reply, await simulatePayment(call));
    },
  );

  app.get<{ Params: ReferenceParams }>(
    '/test/payments/:payment_reference/script',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'getScript',
        sdk: 'test.script({payment_reference}, {query.outcome})',
        summary: 'What playing an outcome would come to',
        description: 'The steps in their order; nothing is played.',
        params: ReferenceParams,
        querystring: SimulateBody,
        response: answers(ScriptData),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      assertTest(caller.mode);
      const wish = readWishFields(request.query);
      const payment = await findOwnPayment(db, ownerOf(caller), request.params.payment_reference);
      return sendEnvelope(reply, envelope('Script', await plannedScript(db, deps, payment, wish)));
    },
  );
}

/** The same in the dashboard, apart from playing it. */
export function simulateConsoleRoutes(
  dashboard: Console,
  deps: StateDeps & Pick<PaymentRouteDeps, 'db'>,
): void {
  const { db } = deps;
  const may = { may: 'use test mode' } as const;

  dashboard.get('mode', '/scenarios', { ...may, answer: ScenarioPage }, async ({ owner }) => {
    assertTest(owner.mode);
    return { message: 'Scenarios', data: scenarioList() };
  });

  dashboard.get(
    'mode',
    '/payments/:reference/script',
    { ...may, answer: ScriptData },
    async ({ owner, params, query }) => {
      assertTest(owner.mode);
      const wish = readWishFields(query);
      const payment = await findOwnPayment(db, owner, params.reference ?? '');
      return { message: 'Script', data: await plannedScript(db, deps, payment, wish) };
    },
  );
}
