import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';
import type { LoggedExchange } from './queries.ts';

const request: LoggedExchange = {
  id: '1',
  at: '2026-03-01T12:00:00.000Z',
  method: 'PUT',
  route: '/payment/create',
  path: '/payment/create',
  status: 200,
  duration_ms: 3,
  key: { id: '2', hint: 'abcd' },
  address: '127.0.0.1',
  request_id: '3',
  error: null,
  payment_reference: null,
  request_body: `{"payment_note":"it's"}`,
  request_cut: false,
  response_body: null,
  response_cut: false,
};

test('a request becomes a command whose key the shell fills in', () => {
  expect(curlOf(request, 'https://pay.example.com')).toBe(
    `curl -X PUT 'https://pay.example.com/payment/create' \\
  -H "Authorization: Bearer $FLORIN_SECRET_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"payment_note":"it'\\''s"}'`,
  );
});

test('a body that was cut is left out', () => {
  expect(curlOf({ ...request, request_cut: true }, 'https://pay.example.com')).not.toContain('-d');
});
