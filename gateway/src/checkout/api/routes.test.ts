import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { startApp } from '../../../test/support/running.ts';
import { answerHeaders } from '../../kit/http/answer-headers.ts';
import { pageHeaders } from '../headers.ts';
import type { StateJson } from '../state-json.ts';

let created = 0;

const app = await startApp({ seed: { name: 'Acme & Sons', approved: true } });

/** Creates a payment of 25.5 USDC and returns the address of its page. */
async function createPayment(fields: object = {}, gateway = app): Promise<string> {
  const { body } = await gateway.api<CreatedPayment>('PUT', '/payment/create', {
    body: {
      amount: 25.5,
      currency: 'USDC',
      payment_type: 'deposit',
      payment_reference: `PAGE-${++created}`,
      success_url: 'https://shop.example/thanks',
      failure_url: 'https://shop.example/basket',
      ...fields,
    },
  });
  return body.data.PaymentURL;
}

/** The address of one of the page's calls, with some of the page's parameters changed. */
function callOf(page: string, call: string, changes: Record<string, string> = {}): URL {
  const url = new URL(page);
  url.pathname += call;
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url;
}

async function stateOf(page: string): Promise<StateJson> {
  return (await (await fetch(callOf(page, '/state'))).json()) as StateJson;
}

const headingOf = async (url: URL, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  const html = await response.text();
  const [, lang, heading] = /<html lang="(\w+)".*<h1[^>]*>([^<]*)</s.exec(html) ?? [];
  return [response.status, lang, heading];
};

describe('the page', () => {
  test('opens in the language of its address, else of the header', async () => {
    const page = await createPayment();
    const german = { 'accept-language': 'de-AT, en;q=0.5' };
    expect(await headingOf(callOf(page, ''))).toEqual([200, 'en', 'Choose how to pay']);
    expect((await headingOf(callOf(page, ''), german))[1]).toBe('de');
    expect((await headingOf(callOf(page, '', { lang: 'fr' }), german))[1]).toBe('fr');
  });

  test.each([
    ['reference', 'PAGE-0'],
    ['app', '0198c2a4-1111-7aaa-8bbb-222233334444'],
    ['app', 'no-uuid'],
    ['token', 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['token', ''],
  ])('is not there with the wrong %s, and says so in that language', async (name, value) => {
    const page = await createPayment();
    const wrong = { [name]: value };
    expect(await headingOf(callOf(page, '', wrong))).toEqual([404, 'en', 'This payment page does not exist']);
    expect(await headingOf(callOf(page, '', { ...wrong, lang: 'de' }))).toEqual([
      404,
      'de',
      expect.not.stringContaining('This'),
    ]);
    for (const call of ['/state', '/events']) {
      const response = await fetch(callOf(page, call, wrong));
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ message: 'Not found', data: null }),
      ]);
    }
    const { searchParams } = callOf(page, '', wrong);
    const form = await submitForm(page, 'cancel', Object.fromEntries(searchParams));
    expect(form.status).toBe(404);
    expect((await stateOf(page)).payment_status).toBe('unlinked');
  });
});

describe('the state', () => {
  test('has the fields of the contract, and no return address while the payment is open', async () => {
    const page = await createPayment({ fee_payer: 'customer' });
    await submitForm(page, 'method', { asset: 'usdc-base' });
    const state = await stateOf(page);
    expect(state).toEqual({
      payment_status: 'linked',
      amount: '25.5',
      currency: 'USDC',
      fee_payer: 'customer',
      amount_due: '25.755',
      amount_received: '0',
      deadline: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      destinations: [
        {
          asset: 'usdc-base',
          network: 'Base',
          address: expect.any(String),
          memo: null,
          amount: '25.755',
        },
      ],
      transfers: [],
      refunds: [],
      owed: [],
      sequence: expect.any(Number),
    });
  });

  test('lists transfers while they are being confirmed', async () => {
    const page = await createPayment();
    await submitForm(page, 'simulate', { outcome: 'slow' });
    const { transfers, ...state } = await stateOf(page);
    expect(transfers).toEqual([
      { transaction: expect.stringMatching(/^test_/), amount: '25.5', confirmations: 0, needed: 3 },
    ]);
    expect(state).toMatchObject({ payment_status: 'pending', amount_received: '25.5' });
  });

  test.each([
    ['success', 'completed', 'https://shop.example/thanks'],
    ['failure', 'failed', 'https://shop.example/basket'],
    ['expire', 'cancelled', 'https://shop.example/basket'],
    ['dispute', 'in-appeal', undefined],
  ])('after %s is %s and leads to %s', async (outcome, payment_status, return_url) => {
    const page = await createPayment();
    const before = await stateOf(page);
    await submitForm(page, 'simulate', { outcome });
    const state = await stateOf(page);
    expect([state.payment_status, state.return_url]).toEqual([payment_status, return_url]);
    expect(state.sequence).toBeGreaterThan(before.sequence);
  });
});

describe('what the page loads', () => {
  async function assetsOf(page: string): Promise<string[]> {
    const html = await (await fetch(page)).text();
    return [...html.matchAll(/(?:href|src)="(\/pay\/page-[^"]+)"/g)].map(([, path]) => path!);
  }
  const load = async (page: string, path: string, encoding?: string) => {
    const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
    const { statusCode, headers: answered, body } = await request(new URL(path, page), { headers });
    expect(statusCode).toBe(200);
    return { headers: answered, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  test('is one style sheet and one script, which may be cached for ever', async () => {
    const page = await createPayment();
    const paths = await assetsOf(page);
    expect(paths.map((path) => path.replace(/^.*\./, '')).sort()).toEqual(['css', 'js']);
    for (const path of paths) {
      const { headers } = await load(page, path);
      expect(headers).toMatchObject({
        'content-type': expect.stringMatching(/^text\/(?:css|javascript); charset=utf-8$/),
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
    }
  });

  test('is compressed in a way that the browser accepts', async () => {
    const page = await createPayment();
    for (const path of await assetsOf(page)) {
      const plain = await load(page, path);
      const brotli = await load(page, path, 'gzip, deflate, br, zstd');
      const gzip = await load(page, path, 'gzip, deflate');
      const other = await load(page, path, 'zstd');
      const encodings = [plain, brotli, gzip, other].map(({ headers }) => headers['content-encoding']);
      expect(encodings).toEqual([undefined, 'br', 'gzip', undefined]);
      expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
      expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
      expect(other.bytes).toEqual(plain.bytes);
      expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 2);
    }
  });
});

test('every answer has the security headers', async () => {
  const page = await createPayment();
  const { origin } = new URL(page);
  const style = /href="(\/pay\/page-[^"]+\.css)"/.exec(await (await fetch(page)).text())?.[1];
  const stream = new AbortController();
  const answers = await Promise.all([
    fetch(page),
    fetch(callOf(page, '', { token: 'wrong' })),
    fetch(callOf(page, '/state')),
    fetch(callOf(page, '/state', { token: 'wrong' })),
    fetch(callOf(page, '/events'), { signal: stream.signal }),
    submitForm(page, 'method', { asset: 'usdc-base' }),
    submitForm(page, 'method', {}, { origin: 'https://evil.example' }),
    fetch(callOf(page, '/cancel'), { method: 'POST', headers: { origin }, body: new Blob(['<x/>']) }),
    fetch(new URL(style!, page)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404, 200, 303, 403, 415, 200]);
  for (const { url, headers } of answers) {
    // A file loads nothing.
    const file = {
      'cache-control': expect.stringContaining('immutable'),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    };
    expect(Object.fromEntries(headers)).toMatchObject({
      ...answerHeaders(false),
      ...(url.endsWith('.css') ? file : pageHeaders),
    });
  }
  expect(pageHeaders['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
  stream.abort();
});

test('a page on another address than the API is served at its path, and accepts forms from both origins', async () => {
  const [port] = await freePorts(1);
  const gateway = await startApp({ env: { PORT: `${port}`, PAY_URL: 'https://pay.example/go/here' } });
  const page = await createPayment({}, gateway);
  expect(page).toMatch(/^https:\/\/pay\.example\/go\/here\?reference=PAGE-\d+&app=[^&]+&token=[^&]+$/);

  const behindProxy = page.replace('https://pay.example', `http://127.0.0.1:${port}`);
  expect((await headingOf(new URL(behindProxy)))[0]).toBe(200);
  const post = async (origin: string) => {
    const { status, headers } = await submitForm(behindProxy, 'method', { asset: 'usdc-base' }, { origin });
    return [status, headers.get('location')?.replace(/\?.*/, '')];
  };
  expect(await post('https://pay.example')).toEqual([303, '/go/here']);
  expect(await post(`http://127.0.0.1:${port}`)).toEqual([303, '/go/here']);
  expect(await post('https://shop.example')).toEqual([403, undefined]);
});
