import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { careful, ok, parse, refused, signing, startReceiver } from '../../receiver-check/test/fixtures.ts';
import { type CheckWebhookOptions, checkWebhook } from '../src/receiver/check-webhook.ts';

async function run(options: Partial<CheckWebhookOptions> & { url: string }, terminal = {}) {
  let text = '';
  const paper = {
    write(more: string) {
      text += more;
      return true;
    },
    ...terminal,
  };
  const all = { secrets: signing.endpointSecrets, key: signing.secretKey, json: false, ...options };
  const exitCode = await checkWebhook(all, paper);
  return { exitCode, text };
}

describe('florin check-webhook', () => {
  test('ends with 0 when no rule is broken, and shows each exchange and rule', async () => {
    const { exitCode, text } = await run({ url: await startReceiver(careful(() => ok)) });
    expect(exitCode).toBe(0);
    expect(text).toMatch(/✓ A valid payment_completed +200 +\d+ ms\n/);
    expect(text).toMatch(/\nkept {5}Answers 200 quickly\n/);
    expect(text).toContain('10 kept, 0 broken, 2 unclear.');
    expect(text).not.toContain('\u001b');
  });

  test('ends with 2 when one is broken, and first names the fault that explains the others', async () => {
    const url = await startReceiver(({ raw }) => (parse(raw) ? ok : refused));
    const { exitCode, text } = await run({ url }, { isTTY: true, columns: 60 });
    expect(exitCode).toBe(2);
    expect(text).toContain('First of all: it verifies nothing.');
    expect(text).toContain('\u001b[31m');
    const report = text.slice(text.indexOf('First of all'));
    const widest = report.split('\n').map((line) => stripVTControlCharacters(line).length);
    expect(Math.max(...widest)).toBeLessThanOrEqual(60);
  });

  test('ends with 1 when there is no answer', async () => {
    const { exitCode, text } = await run({ url: '127.0.0.1:9/hook' });
    expect(exitCode).toBe(1);
    expect(text).toContain('Checking http://127.0.0.1:9/hook');
    expect(text).toContain('First of all: it cannot be reached.');
  });

  test('writes the report of the API with --json, and nothing else', async () => {
    const url = await startReceiver(careful(() => ok));
    const { exitCode, text } = await run({ url, json: true });
    expect(exitCode).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      status: 'done',
      url,
      score: { kept: 10, broken: 0, unclear: 2 },
      diagnosis: null,
      rules: expect.arrayContaining([expect.objectContaining({ rule: 'raw_bytes', verdict: 'kept' })]),
      exchanges: expect.arrayContaining([expect.objectContaining({ name: 'valid', status_code: 200 })]),
    });
  });

  test('sends the headers that it is given', async () => {
    const tokens = new Set<unknown>();
    const url = await startReceiver((request) => {
      tokens.add(request.headers['x-token']);
      return careful(() => ok)(request);
    });
    await run({ url, headers: ['X-Token: open: sesame'] });
    expect([...tokens]).toEqual(['open: sesame']);
  });

  test.each([
    [{ url: 'ftp://127.0.0.1/' }, 'is not an http or https address'],
    [{ secrets: [], key: undefined }, 'give the endpoint'],
    [{ secrets: ['whsec_'] }, '--secret must be whsec_ and base64'],
    [{ secrets: ['sk_test_1'] }, '--secret must be whsec_ and base64'],
    [{ key: 'sk_live_abc' }, '--key is a live key'],
    [{ key: 'whsec_abc' }, '--key must begin with sk_test_'],
    [{ headers: ['X-Token'] }, 'X-Token is not a header'],
  ])('refuses %j before it sends anything', async (fault, message) => {
    await expect(run({ url: 'http://127.0.0.1:9/', ...fault })).rejects.toThrow(message);
  });
});
