import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { kitErrors, Refusal } from '../../src/kit/errors.ts';

type Check = ReturnType<typeof Compile>;

const checks = new WeakMap<object, Check>();

/**
 * Holds every answer of a server to the schema that its route declares, and lets an object have no field that the
 * schema does not name. An answer that does not fit becomes a fault, status 500, whose message says where it does not.
 */
export function checkAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const isJson = `${reply.getHeader('content-type')}`.startsWith('application/json');
    // A file is a stream.
    const { statusCode: status } = reply;
    if ((status !== 200 && status !== 202) || !isJson || typeof payload !== 'string') return;
    const name = `${request.method} ${request.routeOptions.url}`;
    const { response } = (request.routeOptions.schema ?? {}) as { response?: Record<string, TSchema> };
    const schema = response?.[status];
    if (!schema) {
      if (name.includes(' /console/')) throw fault(`${name} declares no answer`);
      return;
    }
    const answer: unknown = JSON.parse(payload);
    const check = checkOf(schema);
    if (check.Check(answer)) return;
    const faults = check
      .Errors(answer)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    throw fault(`${name} answers otherwise than it declares: ${faults.join('; ')}`);
  });
}

function fault(message: string): Refusal {
  // A test that looks at the data alone would not show it.
  console.error(message);
  return new Refusal(kitErrors.internal, message);
}

function checkOf(schema: TSchema): Check {
  const known = checks.get(schema);
  if (known) return known;
  const check = Compile(closed(schema) as TSchema);
  checks.set(schema, check);
  return check;
}

/** The schema in which every object with named fields has no others. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part)]);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}
