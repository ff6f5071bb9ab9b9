import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify, { type InjectOptions } from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { createSendFile, keptForEver } from './static-files.ts';

const directory = await testFolder();
const files = {
  'a.js': 'plain',
  'a.js.br': 'brotli',
  'a.js.gz': 'gzip',
  'b.css': 'b',
  '.hidden': 'secret',
};
for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
const app = Fastify();
app.setNotFoundHandler((_request, reply) => reply.code(404).send('unknown address'));
await app.register(async (scope) => {
  const sendFile = await createSendFile(scope, directory);
  scope.get<{ Params: { '*': string } }>('/files/*', async ({ params }, reply) =>
    sendFile(reply, params['*'], keptForEver),
  );
});
afterAll(async () => {
  await app.close();
});

const ask = (url: string, headers: Record<string, string> = {}, method: InjectOptions['method'] = 'GET') =>
  app.inject({ method, url, headers });

describe('a file', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br', 'brotli'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['zstd', undefined, 'plain'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
  ])('is sent to a client that accepts %s as %s', async (accepted, encoding, text) => {
    const { statusCode, headers, body } = await ask('/files/a.js', { 'accept-encoding': accepted });
    expect([statusCode, headers['content-encoding'], body]).toEqual([200, encoding, text]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });

  test('without a compressed one beside it is sent as it is', async () => {
    const { headers, body } = await ask('/files/b.css', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], headers['content-type'], body]).toEqual([
      undefined,
      'text/css; charset=utf-8',
      'b',
    ]);
  });

  test('that the client has already is not sent again', async () => {
    const { etag } = (await ask('/files/a.js')).headers;
    const { statusCode, body } = await ask('/files/a.js', { 'if-none-match': String(etag) });
    expect([statusCode, body]).toEqual([304, '']);
  });

  test('has the same headers for a HEAD request, and no body', async () => {
    const whole = await ask('/files/a.js', { 'accept-encoding': 'br' });
    const { statusCode, headers, body } = await ask('/files/a.js', { 'accept-encoding': 'br' }, 'HEAD');
    expect([statusCode, body]).toEqual([200, '']);
    expect(headers).toEqual({ ...whole.headers, date: headers.date });
  });
});

test.each(['none.js', '.hidden', '', 'a.js/', 'A.JS'])('%j is no file', async (path) => {
  const { statusCode, body } = await ask(`/files/${path}`);
  expect([statusCode, body]).toEqual([404, 'unknown address']);
});

test.each(['../package.json', '%2e%2e/package.json', '..%2fpackage.json', 'x/..%2f..%2fpackage.json', '%00'])(
  'no address leads out of the directory: %j',
  async (path) => {
    const { statusCode, body } = await ask(`/files/${path}`);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(body).not.toContain('"name"');
  },
);
