import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { after } from '../../kit/clock.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import type { Aged } from '../../kit/db/standby/aged.ts';
import { answers, orNull, Time } from '../../kit/http/answers.ts';
import { compressed } from '../../kit/http/compressed.ts';
import { invalid } from '../../kit/http/fields.ts';
import { envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { type Answer, once } from '../../kit/http/idempotency.ts';
import { type Change, isChangedSince, recordChange } from '../audit/audit-log.ts';
import type { Guards } from '../keys/guards.ts';
import type { Act } from '../proposals/acts.ts';
import { doOrPropose, type Proposals } from '../proposals/proposals.ts';
import { proposalView } from '../proposals/view.ts';
import type { Permission } from '../roles.ts';
import { type AdmissionDeps, admit } from './admission/admit.ts';
import {
  type AgedCall,
  type Call,
  type ConsoleRoute,
  type Reached,
  type Scope,
  scopes,
  type Unproven,
} from './admission/call.ts';
import type { Answered, Console } from './admission/terms.ts';
import { KeptAct } from './answers/proposals.ts';

export { assertFresh } from './admission/admit.ts';
export { type Call, type ConsoleRoute, type Scope, scopes } from './admission/call.ts';
export type { Answered, Console, Written } from './admission/terms.ts';

export type ConsoleDeps = AdmissionDeps & {
  app: FastifyInstance;
  guards: Guards;
  proposals: Proposals;
  aged: Aged;
};

/** The only place that checks calls of the dashboard: origin, session, tenant, role and freshness. */
export function createConsole(deps: ConsoleDeps): Console {
  const { db, now } = deps;
  const { routes, route } = createRoutes(deps);
  return {
    routes,
    get: (scope, path, terms, handler) =>
      route({ method: 'GET', scope, path, terms }, async (call) => send(call, await handler(call))),
    getAged: (scope, path, terms, handler) =>
      route({ method: 'GET', scope, path, terms: agedTerms(terms) }, (call) =>
        readAged(deps, call, handler, ({ message, data }, asOf) =>
          send(call, { message, data: { ...data, as_of: asOf } }),
        ),
      ),
    download: (scope, path, terms, handler) => route({ method: 'GET', scope, path, terms }, handler),
    downloadAged: (scope, path, terms, handler) =>
      route({ method: 'GET', scope, path, terms: agedTerms(terms) }, (call) =>
        readAged(deps, call, handler, (reply) => reply),
      ),
    // biome-ignore lint/complexity/useMaxParams: a route is declared as method, scope, path, terms and handler
    write: (method, scope, path, terms, handler) =>
      route({ method, scope, path, terms }, async (call) => {
        const key = terms.secrets ? null : keyOf(method, call);
        const answer = await transaction(db, (tx) =>
          once(tx, key, now(), async () => {
            const { message, data, change } = await handler(tx, call);
            if (change) await recordChange(tx, call.actor, { ...placeOf(call), ...change }, now());
            return envelope(message, data);
          }),
        );
        return sendAnswer(call.reply, answer);
      }),
    propose(
      method,
      path,
      { kind, title, isAtOnce, concerns = 'its business', answer, isKeyed = false },
      perform,
    ) {
      const act: Act = { kind, title, concerns, perform, ...(isAtOnce && { isAtOnce }) };
      deps.proposals.register(act);
      const terms = { answer, fresh: true, isAct: true };
      route({ method, scope: 'operator', path, terms }, async (call) => {
        // Without a key the same call would be done twice when it is sent twice.
        if (isKeyed && call.request.headers['idempotency-key'] === undefined) {
          throw invalid('Idempotency-Key', 'is required');
        }
        return await doOrKeep(deps, act, call, keyOf(method, call));
      });
    },
    // biome-ignore lint/complexity/useMaxParams: a route is declared as method, scope, path, terms and handler
    act: (method, scope, path, terms, handler) =>
      route({ method, scope, path, terms }, async (call) => {
        const record = (tx: Tx, change: Change) =>
          recordChange(tx, call.actor, { ...placeOf(call), ...change }, now());
        return send(call, await handler(call, record));
      }),
  };
}

type RouteTerms = {
  may?: Permission;
  answer?: TSchema | null;
  fresh?: boolean;
  unproven?: Unproven;
  bodyLimitBytes?: number;
  isAct?: boolean;
  isAged?: boolean;
};

type Route<S extends Scope> = { method: HTTPMethods; scope: S; path: string; terms: RouteTerms };

/** Declares routes on the server, with their checks before each call, and keeps a list of them. */
function createRoutes(deps: ConsoleDeps) {
  const routes: ConsoleRoute[] = [];

  function route<S extends Scope>(
    { method, scope, path, terms }: Route<S>,
    handler: (call: Call<S>) => Promise<FastifyReply>,
  ): void {
    const { may = null, answer = null, fresh = false, unproven = null } = terms;
    const { bodyLimitBytes, isAct = false, isAged = false } = terms;
    const kept = isAct ? { 202: answers(KeptAct)[200] } : {};
    const known = {
      method,
      url: `${scopes[scope]}${path}`,
      scope,
      may,
      fresh,
      isAct,
      isAged,
      unproven,
      answer,
    };
    routes.push(known);
    const calls = new WeakMap<FastifyRequest, Call<S>>();
    deps.app.route({
      method,
      url: known.url,
      schema: { hide: true, ...(answer && { response: { ...answers(answer), ...kept } }) },
      ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
      onRequest: [
        deps.guards.anyone,
        // Before the body is read, so that nobody without a session can send a long one.
        async (request, reply) => {
          calls.set(request, await admit(deps, known, request, reply));
        },
      ],
      // Only answers to reads are compressed: those to writes hold secrets that are shown once.
      ...(method === 'GET' && { onSend: compressed({ type: 'application/json', foreign: false }) }),
      handler: (request) => {
        const call = calls.get(request);
        if (!call) throw new Error(`${method} ${known.url} was not admitted`);
        call.body = request.body;
        return handler(call);
      },
    });
  }

  return { routes, route };
}

/** Data as old as this are shown as of now. */
const agedFromMs = 2_000;

/** The terms of a call whose answer may be old; a file has no schema. `as_of` is null where the answer is as of now. */
function agedTerms({ answer, ...terms }: RouteTerms & { answer?: TObject }): RouteTerms {
  const dated = answer && Type.Object({ ...answer.properties, as_of: orNull(Time) });
  return { ...terms, ...(dated && { answer: dated }), isAged: true };
}

/** Reads where an answer may be old, says in a header how old it is, and gives the moment to `answer` if it is long ago. */
async function readAged<S extends Scope, T>(
  { aged, db, now }: ConsoleDeps,
  call: Call<S>,
  handler: (call: AgedCall<S>) => Promise<T>,
  answer: (found: T, asOf: Date | null) => FastifyReply,
): Promise<FastifyReply> {
  const { merchantId = null } = placeOf(call);
  const read = await aged.read(
    (seconds) => isChangedSince(db, merchantId, after(now(), -seconds)),
    async (from, asOf) => {
      // Before the handler: a file is sent by it.
      void call.reply.header('as-of', asOf.toISOString());
      return await handler({ ...call, aged: from } as AgedCall<S>);
    },
  );
  const isOld = read.isFromStandby && now().getTime() - read.asOf.getTime() >= agedFromMs;
  return answer(read.found, isOld ? read.asOf : null);
}

/** Does an act at once, or keeps it as a proposal, which answers 202. */
async function doOrKeep(
  { db, now, proposals }: ConsoleDeps,
  act: Act,
  { params, body, actor, session, reply }: Call<'operator'>,
  key: ReturnType<typeof keyOf>,
): Promise<FastifyReply> {
  const answer = await transaction(db, (tx) =>
    once(tx, key, now(), async () => {
      const outcome = await doOrPropose(tx, proposals, act, { params, body, actor });
      if ('done' in outcome) return envelope(outcome.done.message, outcome.done.data);
      const { kept } = outcome;
      const data = { proposal: proposalView(proposals, kept, session.account.id) };
      return envelope(kept.due_at === null ? waitsForOther : waitsForDay, data);
    }),
  );
  return sendAnswer(reply, answer, isKept(answer) ? 202 : 200);
}

function send({ reply }: Pick<Call<Scope>, 'reply'>, answered: Answered | null): FastifyReply {
  return answered ? sendEnvelope(reply, envelope(answered.message, answered.data)) : reply;
}

const waitsForOther = 'Another operator has to confirm this';
const waitsForDay = 'This is done in 24 hours, unless it is cancelled';

/** Whether an answer, which may be an earlier call's, says that an act was kept. */
function isKept({ body }: Answer): boolean {
  const { data } = JSON.parse(body) as { data: object | null };
  return data !== null && 'proposal' in data;
}

function keyOf(method: string, { request, session }: Pick<Call<'account'>, 'request' | 'session'>) {
  return idempotencyKeyOf(request, `console ${session.account.id} ${method} ${request.url}`);
}

/** The merchant and integration of a change in the audit log, unless the route sets them. */
function placeOf(call: object): Pick<Change, 'merchantId' | 'integrationId'> {
  const { merchant, integration }: Partial<Reached['integration']> = call;
  return { merchantId: merchant?.id ?? null, integrationId: integration?.id ?? null };
}
