import type { FastifyRequest } from 'fastify';
import type { Reader } from '../../kit/db/db.ts';
import type { Actor } from '../audit/audit-log.ts';
import { apiKeyOf } from './guards.ts';

/** The API key of a request as the audit log names it: `key …abcd`, the end of its secret. */
export async function keyActor(reader: Reader, request: FastifyRequest): Promise<Actor> {
  const { id } = apiKeyOf(request);
  const { rows } = await reader.query<{ hint: string }>('SELECT hint FROM api_keys WHERE id = $1', [id]);
  const name = `key …${rows[0]?.hint ?? ''}`;
  return { kind: 'key', id, name, asOperator: false, address: request.ip };
}
