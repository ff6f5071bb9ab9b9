import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { health } from './health.ts';

/** A server that answers one path with a status and a body, and others with 404; its port. */
async function answering(path: string, status: number, body = ''): Promise<number> {
  const server: Server = createServer((request, response) => {
    response.writeHead(request.url === path ? status : 404).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const ask = (env: Record<string, string>) => printed(() => health(env));

test('a gateway that is ready is told by 0, also where it listens on all addresses', async () => {
  const PORT = `${await answering('/ready', 200, '{"status":"ready"}')}`;
  for (const HOST of ['127.0.0.1', '0.0.0.0'])
    expect(await ask({ HOST, PORT })).toEqual({ code: 0, output: 'The gateway is ready.\n', errors: '' });
});

test('one that is not says what it waits for', async () => {
  const PORT = `${await answering('/ready', 503, '{"status":"waiting","for":["database","workers"]}')}`;
  const output = 'The gateway is not ready: it waits for database, workers.\n';
  expect(await ask({ PORT })).toEqual({ code: 1, output, errors: '' });
});

test('another program on its port is no gateway', async () => {
  const PORT = `${await answering('/', 200, '<html>')}`;
  const output = 'The gateway is not ready: it answers 404.\n';
  expect(await ask({ PORT })).toMatchObject({ code: 1, output });
});

test('one that serves no API is asked for its metrics, and nobody is told by 1', async () => {
  const [port] = await freePorts(1);
  const METRICS_PORT = `${await answering('/metrics', 200)}`;
  expect(await ask({ PORT: `${port}`, METRICS_PORT })).toMatchObject({
    code: 0,
    output: expect.stringContaining('serves no API'),
  });
  const [first, second] = await freePorts(2);
  expect(await ask({ PORT: `${first}`, METRICS_PORT: `${second}` })).toEqual({
    code: 1,
    output: `No gateway answers at http://127.0.0.1:${first}.\n`,
    errors: '',
  });
});

test('settings that are wrong are named', async () => {
  await expect(ask({ PORT: 'abc' })).rejects.toThrow('PORT must be a port number');
});
