import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { answers, type Sent } from '../../../kit/http/answers.ts';
import { type FieldJudge, fieldReader } from '../../../kit/http/fields.ts';
import { envelope, refuseForeign, sendEnvelope } from '../../../kit/http/http.ts';
import type { Auth } from '../../accounts/auth.ts';
import type { Session } from '../../accounts/sessions.ts';
import type { SecurityLog } from '../../audit/security-log.ts';
import type { Guards } from '../../keys/guards.ts';
import type { Answered } from '../admission/terms.ts';
import type { RequestAndReply } from './auth-call.ts';

export type AuthRoutesDeps = {
  app: FastifyInstance;
  db: Database;
  guards: Guards;
  auth: Auth;
  sessionOf: (request: FastifyRequest) => Promise<Session | null>;
  securityLog: SecurityLog;
  now: Clock;
};

export type OpenCall = <Body extends TObject, A extends TSchema>(
  path: string,
  terms: {
    body: Body;
    judges?: { [Field in keyof Body['properties']]?: FieldJudge };
    /** The schema of the answer's `data`. */
    answer: A;
  },
  work: (input: Static<Body>, exchange: RequestAndReply) => Promise<Answered<Sent<Static<A>>>>,
) => void;

/**
 * Registers calls below `/console/auth` that need no session. Other sites cannot make them, and our cookies are refused
 * when they are doubled or damaged.
 */
export function openCalls({ app, guards, auth }: AuthRoutesDeps): OpenCall {
  return (path, { body, judges = {}, answer }, work) => {
    const read = fieldReader(body, judges);
    app.route({
      method: 'POST',
      url: `/console/auth${path}`,
      schema: { hide: true, response: answers(answer) },
      onRequest: [
        guards.anyone,
        async (request) => {
          refuseForeign(request, auth.isOwnOrigin);
          auth.cookiesOf(request);
        },
      ],
      handler: async (request, reply) => {
        const { message, data } = await work(read(request.body), { request, reply });
        return sendEnvelope(reply, envelope(message, data));
      },
    });
  };
}
