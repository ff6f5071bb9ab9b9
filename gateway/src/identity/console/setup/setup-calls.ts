import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { refuse } from '../../../kit/errors.ts';
import { answers, type Sent } from '../../../kit/http/answers.ts';
import { type FieldJudge, fieldReader } from '../../../kit/http/fields.ts';
import { envelope, refuseForeign, sendEnvelope } from '../../../kit/http/http.ts';
import { identityErrors } from '../../errors.ts';
import { requireSetupLink } from '../../setup/setup-link.ts';
import type { Answered } from '../admission/terms.ts';
import type { RequestAndReply } from '../sign-in/auth-call.ts';
import type { AuthRoutesDeps } from '../sign-in/auth-open.ts';

/** Declares calls of whoever has the link of the first run. */
export type SetupCalls = <Body extends TObject, A extends TSchema>(
  path: string,
  terms: {
    body: Body;
    judges?: { [Field in keyof Body['properties']]?: FieldJudge };
    /** The schema of the answer's `data`. */
    answer: A;
    /** A higher limit for the body. */
    bodyLimitBytes?: number;
    /** Knows tokens while the database cannot be asked; others are looked up there. */
    knows?: (token: string) => Promise<boolean>;
  },
  work: (input: Static<Body>, exchange: SetupExchange) => Promise<Answered<Sent<Static<A>>>>,
) => void;

/** A call with the token of the link, which was good when the call began. */
type SetupExchange = RequestAndReply & { token: string };

type SetupCallDeps = Pick<AuthRoutesDeps, 'db' | 'guards' | 'auth' | 'now'>;

/**
 * Registers calls below `/console/auth/setup`. The token is a header that proxies leave out of their logs, and it is checked
 * before the body is read, so that a stranger can send nothing. Every wrong token is answered in the same way, and counted
 * against its address.
 */
export function setupCalls(app: FastifyInstance, { db, guards, auth, now }: SetupCallDeps): SetupCalls {
  return (path, { body, judges = {}, answer, bodyLimitBytes, knows }, work) => {
    const read = fieldReader(body, judges);
    const tokens = new WeakMap<FastifyRequest, string>();
    app.route({
      method: 'POST',
      url: `/console/auth/setup${path}`,
      schema: { hide: true, response: answers(answer) },
      ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
      onRequest: [
        guards.anyone,
        async (request) => {
          refuseForeign(request, auth.isOwnOrigin);
          auth.cookiesOf(request);
          const attempt = await guards.unnamed(request, 'setup');
          const token = tokenIn(request);
          if (!(await knows?.(token))) await requireSetupLink(db, token, now());
          await attempt.succeeded();
          tokens.set(request, token);
        },
      ],
      handler: async (request, reply) => {
        const exchange = { request, reply, token: tokens.get(request) ?? '' };
        const { message, data } = await work(read(request.body), exchange);
        return sendEnvelope(reply, envelope(message, data));
      },
    });
  };
}

function tokenIn({ headers }: FastifyRequest): string {
  const [, token] = /^Setup ([A-Za-z0-9]{1,100})$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw refuse(identityErrors.setup_link_ended);
  return token;
}
