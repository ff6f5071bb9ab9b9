import { lastTokenOf } from '../core/ledger.ts';
import type { PageQuery } from '../views/page.ts';
import { type Answer, badRequest } from './problems.ts';

export type ListQuery = PageQuery & { join: boolean; includeFailed: boolean };

const maxLimit = 200;

/** Reads what a list is asked for; the answer where that is wrong. `lastEventId` comes before a cursor. */
export function readListQuery(parameters: URLSearchParams, lastEventId?: string): ListQuery | Answer {
  const cursor = lastEventId || (parameters.get('cursor') ?? '');
  const order = parameters.get('order') || 'asc';
  const limit = parameters.get('limit') || '10';
  const join = parameters.get('join') || '';
  const includeFailed = parameters.get('include_failed') || 'false';
  if (cursor !== '' && cursor !== 'now' && !/^\d{1,19}(-\d{1,10})?$/.test(cursor)) {
    return badRequest('cursor', 'cursor: invalid value');
  }
  if (order !== 'asc' && order !== 'desc') return badRequest('order', 'order: invalid value');
  if (!/^-?\d{1,15}$/.test(limit)) return badRequest('limit', 'unparseable value');
  if (Number(limit) < 1) return badRequest('limit', 'invalid limit: non-positive value provided');
  if (Number(limit) > maxLimit) {
    return badRequest('limit', `invalid limit: value provided that is over limit max of ${maxLimit}`);
  }
  if (join !== '' && join !== 'transactions') {
    return badRequest('join', 'Accepted values: transactions');
  }
  if (includeFailed !== 'true' && includeFailed !== 'false') {
    return badRequest('include_failed', 'include_failed: invalid value');
  }
  const extra = ['include_failed', 'join']
    .filter((name) => parameters.has(name))
    .map((name): [string, string] => [name, parameters.get(name)!]);
  return {
    cursor,
    order,
    limit: Number(limit),
    extra,
    join: join !== '',
    includeFailed: includeFailed === 'true',
  };
}

/** The key that a cursor stands at; `shift` where keys have a number of their own behind the token. */
export function keyOfCursor(cursor: string, order: 'asc' | 'desc', head: number, shift: bigint): bigint {
  if (cursor === '') return order === 'asc' ? 0n : 1n << 80n;
  if (cursor === 'now') return ((lastTokenOf(head) + 1n) << shift) - 1n;
  const [token, number] = cursor.split('-');
  return (BigInt(token!) << shift) + BigInt(number ?? '0');
}
