import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { recordChange } from '../../identity/audit/audit-log.ts';
import type { Answered, Written } from '../../identity/console/console.ts';
import type { Integration } from '../../identity/integration.ts';
import { type Action, apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { keyActor } from '../../identity/keys/key-actor.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import { type Owner, ownerOf } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { answers, type Sent } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import type { Answer } from '../../kit/http/idempotency.ts';
import type { Seal } from '../../kit/seal.ts';
import { type EndpointItem, EndpointWithSecret } from '../answers/answers.ts';
import { endpointSecret } from '../endpoints/endpoints.ts';
import type { ReachTerms } from '../endpoints/reach.ts';

export type WebhookRouteDeps = ReachTerms & {
  db: Database;
  hints: Hints;
  seal: Seal;
  guards: Guards;
  now: Clock;
};

/** What the dashboard's calls need; the console checks the session for all of them. */
export type WebhookConsoleDeps = Omit<WebhookRouteDeps, 'guards'>;

/** A call of an API key. `id`: the endpoint or event in its path; empty where there is none. */
export type KeyCall = {
  owner: Owner;
  integration: Integration;
  id: string;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
};

type Terms<A extends TSchema> = {
  may: Action;
  /** The schema of the answer's `data`; the compiler checks the handler against it. */
  answer: A;
  tags: readonly string[];
  operationId: string;
  sdk: string;
  summary: string;
  description: string;
  querystring?: TSchema;
  body?: TSchema;
};
/** `scope`: the name of the write among those that one Idempotency-Key may be used for. */
type WriteTerms<A extends TSchema> = Terms<A> & { scope: string };

/** The terms that the calls on webhook endpoints share. */
export const endpointTerms = { may: 'manage webhooks', tags: ['Webhook endpoints'] } as const;

export type KeyCalls = ReturnType<typeof createKeyCalls>;

/** The calls of API keys on webhooks, each made like those of the dashboard: a handler gets a call and answers it. */
export function createKeyCalls(app: FastifyInstance, deps: WebhookRouteDeps) {
  function route<A extends TSchema>(
    method: HTTPMethods,
    url: string,
    { may, answer, tags, operationId, sdk, summary, description, querystring, body }: Terms<A>,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()] as const);
    const params = names.length > 0 && { params: Type.Object(Object.fromEntries(names)) };
    const input = { ...params, ...(querystring && { querystring }), ...(body && { body }) };
    const about = { tags, operationId, sdk, summary, description };
    const schema = { ...about, ...input, response: answers(answer) };
    app.route({ method, url, onRequest: deps.guards.key(may), schema, handler });
  }

  /** Writes with its entry in the audit log, in one transaction, and once for each Idempotency-Key. */
  function written(
    request: FastifyRequest,
    { scope }: { scope: string },
    handler: (tx: Tx, call: KeyCall) => Promise<Written>,
  ): Promise<Answer> {
    const call = callOf(request);
    return keyedWrite(deps, request, call.id === '' ? scope : `${scope} ${call.id}`, async (tx) => {
      const { message, data, change } = await handler(tx, call);
      if (change) {
        const actor = await keyActor(tx, request);
        await recordChange(tx, actor, { integrationId: call.integration.id, ...change }, deps.now());
      }
      return envelope(message, data);
    });
  }

  return {
    get<A extends TSchema>(
      url: string,
      terms: Terms<A>,
      handler: (call: KeyCall) => Promise<Answered<Sent<Static<A>>>>,
    ): void {
      route('GET', url, terms, async (request, reply) => {
        const { message, data } = await handler(callOf(request));
        return sendEnvelope(reply, envelope(message, data));
      });
    },

    write<A extends TSchema>(
      method: HTTPMethods,
      url: string,
      terms: WriteTerms<A>,
      handler: (tx: Tx, call: KeyCall) => Promise<Written<Sent<Static<A>>>>,
    ): void {
      route(method, url, terms, async (request, reply) =>
        sendAnswer(reply, await written(request, terms, handler)),
      );
    },

    /**
     * Writes an endpoint and sends it with its secret. The answer that is kept for a replay has none: the secret stays
     * sealed in its own row and joins the answer here.
     */
    writeSecret(
      url: string,
      terms: Omit<WriteTerms<typeof EndpointWithSecret>, 'answer'>,
      handler: (tx: Tx, call: KeyCall) => Promise<Written<Sent<Static<typeof EndpointItem>>>>,
    ): void {
      route('POST', url, { ...terms, answer: EndpointWithSecret }, async (request, reply) => {
        const { body, replayed } = await written(request, terms, handler);
        const { message, data } = JSON.parse(body) as { message: string; data: { id: string } };
        const secret = await endpointSecret(deps.db, deps.seal, data.id);
        return sendAnswer(reply, { body: envelope(message, { ...data, secret }), replayed });
      });
    },
  };
}

function callOf(request: FastifyRequest): KeyCall {
  const key = apiKeyOf(request);
  const params = request.params as Record<string, string>;
  const { query, body } = request;
  return { owner: ownerOf(key), integration: key.integration, id: params.id ?? '', params, query, body };
}
