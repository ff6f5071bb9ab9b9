import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { secrets } from '../test/gateway.ts';

const env = {
  SHOP_PORT: '0',
  SHOP_DATA: ':memory:',
  FLORIN_URL: 'http://127.0.0.1:4000',
  FLORIN_SECRET_KEY: secrets.secretKey,
  FLORIN_WEBHOOK_SECRET: secrets.webhookSecret,
};

function startProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: environment });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('the process says where it is open, serves, and ends with 0 on SIGTERM', async () => {
  const child = startProcess(env);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(chunk.toString())![0];
  expect((await fetch(url)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a wrong configuration is told and ends with 1, without a secret in the words', async () => {
  const child = startProcess({ ...env, FLORIN_URL: '' });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(errors).toContain('FLORIN_URL');
  expect(errors).not.toContain(secrets.secretKey);
});
