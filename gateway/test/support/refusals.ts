import { expect, test } from 'vitest';
import { errorTable } from '../../../scripts/error-table.ts';
import type { Database } from '../../src/kit/db/db.ts';
import type { Answer, Api, ApiRequest } from './api.ts';
import type { RunningApp } from './running.ts';

export type Call = (api: Api) => Promise<Answer<unknown>>;

type Fields = Record<string, unknown>;

export const call =
  (method: string, path: string, request: ApiRequest = {}): Call =>
  (api) =>
    api(method, path, request);

/** A good create, except for these fields and for what the request says otherwise. */
export const create = (fields: Fields = {}, request: ApiRequest = {}): Call =>
  call('PUT', '/payment/create', {
    body: { amount: 20, currency: 'USDC', payment_type: 'deposit', ...fields },
    ...request,
  });

/** A good fund-user, except for these fields and for what the request says otherwise. */
export const fundUser = (fields: Fields = {}, request: ApiRequest = {}): Call =>
  call('POST', '/payment/fund-user', {
    body: { username: 'ada', amount: 1, currency: 'pi', ...fields },
    ...request,
  });

/** The message of contract.md#answers for a field without words of its own; the path within the field may follow. */
export const invalidField = (field: string): RegExp =>
  new RegExp(`^${RegExp.escape(field)}[\\w.]* is invalid: .+`);

/** A test for each call: it is refused as contract.md#answers has it, and nothing was written. */
export function refuses(
  app: () => RunningApp,
  status: number,
  message: string | RegExp,
  calls: Record<string, Call>,
): void {
  test.each(Object.entries(calls))('%s', async (_when, refused) => {
    await expectRefusal(app(), refused, status, message);
  });
}

export async function expectRefusal(
  app: RunningApp,
  refused: Call,
  status: number,
  message: string | RegExp,
): Promise<Answer<unknown>> {
  const before = await countRows(app.db);
  const answer = await refused(app.api);
  expectRefused(answer, status, message);
  expect(await countRows(app.db)).toEqual(before);
  return answer;
}

/** The whole refusal: status, envelope, the stable code and slug, and the request's id. */
export function expectRefused(answer: Answer<unknown>, status: number, message: string | RegExp): void {
  const { body } = answer;
  const words = message instanceof RegExp ? expect.stringMatching(message) : message;
  expect({ status: answer.status, message: body?.message }).toEqual({ status, message: words });
  expect(body.data).toBeNull();
  expect(errorTable).toContainEqual(expect.objectContaining({ slug: body.error, code: body.code, status }));
  expect(body.request_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
}

const tables = ['payments', 'ledger_transfers', 'idempotency_keys', 'events', 'webhook_endpoints'];

/** How many rows there are of everything that a merchant's call can write. */
async function countRows(db: Database): Promise<Record<string, bigint>> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  const { rows } = await db.query<Record<string, bigint>>(`SELECT ${counts.join(', ')}`);
  return rows[0]!;
}
