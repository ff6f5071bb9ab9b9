import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Console, Written } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { type Owner, ownerOf } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { answers } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { type Chaos, faultKinds, noChaos } from '../endpoints/chaos.ts';
import { findEndpoint, setChaos } from '../endpoints/endpoints.ts';
import { chaosSet } from './changes.ts';
import { ChaosData } from './chaos-answers.ts';
import { ownWrite, type WebhookConsoleDeps, type WebhookRouteDeps } from './own-write.ts';
import { IdParams } from './schema.ts';

const ChaosBody = Type.Partial(ChaosData);
const readChaos = fieldReader(ChaosBody);

/** What goes wrong on purpose on the way to a test endpoint: looked at and set, by a key or a person. */
export function chaosRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const onRequest = deps.guards.key('manage webhooks');
  const schema = { tags: ['Test mode'], params: IdParams, response: answers(ChaosData) };
  const path = '/test/webhook-endpoints/:id/chaos';

  app.get<{ Params: IdParams }>(
    path,
    { onRequest, schema: { ...schema, summary: 'What goes wrong on the way to a test endpoint' } },
    async (request, reply) => {
      const owner = ownerOf(apiKeyOf(request));
      assertTest(owner.mode);
      const { chaos } = await findEndpoint(deps.db, owner, request.params.id);
      return sendEnvelope(reply, envelope('Chaos', chaos ?? noChaos));
    },
  );

  app.put<{ Params: IdParams }>(
    path,
    {
      onRequest,
      schema: {
        ...schema,
        summary: 'Let things go wrong on the way to a test endpoint',
        description: 'Each in so many of a hundred attempts. What is left out is off; {} ends it all.',
        body: ChaosBody,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `chaos ${id}`, (tx, owner) =>
        change(tx, deps, owner, id, request.body),
      );
      return sendAnswer(reply, answer);
    },
  );
}

export function chaosConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const path = '/webhooks/:endpoint/chaos';

  dashboard.get('mode', path, { may: 'read', answer: ChaosData }, async ({ owner, params }) => {
    assertTest(owner.mode);
    const { chaos } = await findEndpoint(deps.db, owner, params.endpoint);
    return { message: 'Chaos', data: chaos ?? noChaos };
  });

  dashboard.write(
    'PUT',
    'mode',
    path,
    { may: 'manage webhooks', answer: ChaosData },
    (tx, { owner, params, body }) => change(tx, deps, owner, params.endpoint, body),
  );
}

async function change(
  tx: Tx,
  { hints, now }: Pick<WebhookRouteDeps, 'hints' | 'now'>,
  owner: Owner,
  id: string | undefined,
  body: unknown,
): Promise<Written<Chaos>> {
  assertTest(owner.mode);
  const endpoint = await findEndpoint(tx, owner, id);
  const chaos: Chaos = { ...noChaos, ...readChaos(body) };
  const isOn = faultKinds.some((kind) => chaos[kind] > 0);
  await setChaos(tx, hints, endpoint.id, isOn ? chaos : null, now());
  return {
    message: isOn ? 'Chaos set' : 'Chaos ended',
    data: isOn ? chaos : noChaos,
    change: chaosSet(endpoint, isOn ? chaos : null),
  };
}

function assertTest(mode: Mode): void {
  if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
}
