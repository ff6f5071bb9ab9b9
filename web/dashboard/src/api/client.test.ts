import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { serverNow } from '../format/server-clock.ts';
import { api } from './client.ts';
import { onConfirmationNeeded, onSignedOut } from './listeners.ts';

type Answer = { status: number; body: string; headers?: Record<string, string> };
type Seen = { method: string; type: string | undefined; body: string };

let answers: Answer[];
let seen: Seen[];

const ok = (data: unknown): Answer => ({ status: 200, body: JSON.stringify({ message: 'Done', data }) });
const refusal = (status: number, error: string, extra: object = {}): Answer => ({
  status,
  body: JSON.stringify({ message: `No: ${error}`, data: null, code: 1, error, request_id: 'r-1', ...extra }),
});

const server = createServer(async (request, response) => {
  const body = (await Array.fromAsync(request)).join('');
  seen.push({ method: request.method ?? '', type: request.headers['content-type'], body });
  const answer = answers.shift() ?? { status: 500, body: '' };
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(() => {
  answers = [];
  seen = [];
  onConfirmationNeeded(async () => false);
  onSignedOut(() => {});
});

afterAll(() => server.close());

test('a call answers the data of the envelope', async () => {
  answers = [ok({ a: 1 }), ok(null)];
  expect(await api(url)).toEqual({ a: 1 });
  expect(await api(url, { body: { name: 'x' } })).toBeNull();
  expect(seen).toEqual([
    { method: 'GET', type: undefined, body: '' },
    { method: 'POST', type: 'application/json', body: '{"name":"x"}' },
  ]);
});

test('a refusal is thrown with its slug, its words and the fields that are wrong', async () => {
  const details = [{ field: 'name', message: 'A name is required' }];
  answers = [refusal(400, 'name_required', { details })];
  await expect(api(url, { method: 'PATCH', body: {} })).rejects.toMatchObject({
    status: 400,
    error: 'name_required',
    message: 'No: name_required',
    details,
    requestId: 'r-1',
  });
});

test('an answer that is not JSON has words too', async () => {
  answers = [{ status: 502, body: '<html>Bad gateway</html>' }];
  await expect(api(url)).rejects.toMatchObject({
    status: 502,
    error: 'unknown',
    message: expect.stringContaining('status 502'),
  });
});

test('a gateway that does not answer is unreachable', async () => {
  await expect(api('http://127.0.0.1:1')).rejects.toMatchObject({ status: 0, error: 'unreachable' });
});

test('a call that needs a fresh sign-in is made once more when the person confirms, and not otherwise', async () => {
  answers = [refusal(403, 'fresh_sign_in'), refusal(403, 'fresh_sign_in'), ok('made')];
  await expect(api(url, { body: {} })).rejects.toMatchObject({ error: 'fresh_sign_in' });
  expect(seen).toHaveLength(1);
  onConfirmationNeeded(async () => true);
  expect(await api(url, { body: {} })).toBe('made');
  expect(seen).toHaveLength(3);
});

test('a session that has ended is reported, and the call still fails', async () => {
  const reported: string[] = [];
  onSignedOut(() => reported.push('signed out'));
  answers = [refusal(401, 'not_signed_in'), refusal(401, 'wrong_password')];
  await expect(api(url)).rejects.toMatchObject({ error: 'not_signed_in' });
  await expect(api(url)).rejects.toMatchObject({ error: 'wrong_password' });
  expect(reported).toEqual(['signed out']);
});

test('times are compared with the clock of the server, which its answers name', async () => {
  const date = new Date(Date.now() + 3600_000);
  answers = [{ ...ok(null), headers: { date: date.toUTCString() } }, ok(null)];
  await api(url);
  expect(Math.abs(serverNow().getTime() - date.getTime())).toBeLessThan(60_000);
  await api(url);
  expect(Math.abs(serverNow().getTime() - Date.now())).toBeLessThan(60_000);
});
