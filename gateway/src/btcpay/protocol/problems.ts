import type { FastifyReply, FastifyRequest } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import { kitErrors, type Refusal, type RefusalHeaders } from '../../kit/errors.ts';
import { toRefusal } from '../../kit/http/http.ts';
import type { DoorPermission } from './permissions.ts';

/** A wrong field of a request: `path` names it within the body, such as `checkout.expirationMinutes`. */
type Fault = { path: string; message: string };

type Body = readonly Fault[] | { code: string; message: string; missingPermission?: string };

/** A refusal in the form of the API that the door speaks. Thrown, so that its transaction rolls back. */
export class Problem extends Error {
  readonly status: number;
  readonly body: Body;
  readonly headers: RefusalHeaders;

  constructor(status: number, body: Body, headers: RefusalHeaders = {}) {
    super('message' in body ? body.message : body.map(({ message }) => message).join('; '));
    this.name = 'Problem';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const problem = (status: number, code: string, message: string): Problem =>
  new Problem(status, { code, message });

/** 422 with the fields that are wrong; the first argument is the path of a single one. */
export const unprocessable = (path: string, message: string): Problem =>
  new Problem(422, [{ path, message }]);

/** An error of a request in that API's form. What Florin refuses by a field is a wrong field there, too. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  const refusal = toRefusal(error, request);
  const { row, message, headers } = refusal;
  if (row === kitErrors.body_not_json) return unprocessable('', message);
  if (row.status === 400) return new Problem(422, faultsOf(refusal), headers);
  if (row.status === 401)
    return problem(401, 'unauthenticated', 'An API key is required: Authorization: token {key}');
  if (row === identityErrors.action_not_allowed)
    return missing(request.routeOptions.config.permission ?? '', message);
  return new Problem(row.status, { code: row.slug.replaceAll('_', '-'), message }, headers);
}

/** 403: the key lacks a permission. */
export function missing(permission: DoorPermission | string, message: string): Problem {
  return new Problem(403, { code: 'missing-permission', message, missingPermission: permission });
}

function faultsOf({ faults, message }: Refusal): Fault[] {
  // A single fault stands in the message alone.
  if (faults.length === 0) return [{ path: /^(\S+) is invalid: /.exec(message)?.[1] ?? '', message }];
  return faults.map((fault) => ({ path: fault.field, message: fault.message }));
}

export function sendProblem(reply: FastifyReply, { status, body, headers }: Problem): FastifyReply {
  return reply.headers(headers).code(status).send(body);
}
