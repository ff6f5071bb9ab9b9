import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadAssets } from '../src/checkout/assets.ts';
import { linkPolicy } from '../src/checkout/headers.ts';
import { LOCALES, type Locale, messagesOf } from '../src/checkout/locale.ts';
import { renderPage } from '../src/checkout/views/render.ts';
import { compressed } from '../src/kit/http/compressed.ts';
import { createServer } from '../src/kit/http/http.ts';
import { masker } from '../src/kit/masked.ts';
import { serveFiles } from '../src/kit/pages/stored-files.ts';
import { NOW, PAYMENTS } from './browser/checkout-fixtures.ts';
import { atFileEnd } from './suite/endings.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { silentLog } from './support/fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// What goes over the connection, byte for byte: sockets of our own, which undo no compression.

type Raw = { bytes: number; status: number; headers: Record<string, string>; body: Buffer };

async function send(url: string, sent: Record<string, string> = {}, until?: string): Promise<Raw> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(+port, hostname);
  const fields = Object.entries({ host: `${hostname}:${port}`, connection: 'close', ...sent });
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part as Buffer);
    if (until !== undefined && Buffer.concat(parts).includes(until)) break;
  }
  const whole = Buffer.concat(parts);
  const end = whole.indexOf('\r\n\r\n');
  const [first = '', ...lines] = whole.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { bytes: whole.length, status: +(first.split(' ')[1] ?? 0), headers, body: whole.subarray(end + 4) };
}

const plainOf = ({ headers, body }: Raw): string => {
  const coding = headers['content-encoding'];
  return (
    coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
  ).toString();
};

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' };

describe('a gateway', () => {
  let app: RunningApp;
  let page: string;

  beforeAll(async () => {
    app = await startApp({ seed: { approved: true } });
    const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
      body: { amount: 25.5, currency: 'USDC', payment_type: 'deposit' },
    });
    page = body.data.PaymentURL;
  });

  test('compresses its pages as the client takes it', async () => {
    for (const url of [page, `${app.baseUrl}/wallet/sign-in`]) {
      const plain = await send(url);
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      for (const [accepted, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip, deflate', 'gzip'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['zstd, identity', undefined],
      ]) {
        const raw = await send(url, { 'accept-encoding': accepted as string });
        expect([raw.headers['content-encoding'], raw.headers.vary]).toEqual([
          coding,
          expect.stringContaining('accept-encoding'),
        ]);
        expect(plainOf(raw)).toContain('</html>');
        // Headers are as long as before.
        if (coding) expect(raw.body.length).toBeLessThan(plain.body.length / 2);
      }
    }
  });

  test('writes the token of a page in another way each time, and takes all of them', async () => {
    const token = new URL(page).searchParams.get('token') ?? '';
    const seen = new Set<string>();
    for (const _ of [1, 2]) {
      const text = plainOf(await send(page, browser));
      expect(text).not.toContain(token);
      const masked = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      seen.add(masked);
      const there = page.replace(token, encodeURIComponent(masked));
      expect((await send(there, browser)).status).toBe(200);
      expect((await send(there.replace('?', '/state?'))).status).toBe(200);
      const posted = await submitForm(there, 'method', { asset: 'usdc-base' });
      expect([posted.status, posted.headers.get('location')]).toEqual([
        303,
        expect.stringContaining(`token=${token}`),
      ]);
    }
    expect(seen.size).toBe(2);
    expect((await submitForm(page, 'method', { asset: 'usdc-base' })).status).toBe(303);
  });

  test('compresses what it tells the dashboard, but not to a page of another site', async () => {
    const people = await openConsole(app);
    const owner = await people.as('owner');
    const url = `${people.test}/payments`;
    for (let at = 0; at < 3; at++) {
      await app.api('PUT', '/payment/create', {
        body: { amount: 1 + at, currency: 'USDC', payment_type: 'deposit' },
      });
    }
    const codingOf = async (headers: Record<string, string>) => {
      const answer = await owner('GET', url, { headers: { ...browser, ...headers } });
      expect([answer.status, answer.text.length > 1024]).toEqual([200, true]);
      return answer.headers.get('content-encoding');
    };
    expect(await codingOf({ 'sec-fetch-site': 'same-origin' })).toBe('br');
    expect(await codingOf({ 'sec-fetch-site': 'same-site' })).toBe(null);
  });

  test('never compresses what it answers to keys, or its streams', async () => {
    const authorization = `Bearer ${app.secretKey}`;
    const list = await send(`${app.baseUrl}/payments`, { ...browser, authorization });
    expect([list.status, list.headers['content-encoding']]).toEqual([200, undefined]);
    expect(list.body.length).toBeGreaterThan(1024);
    const stream = await send(page.replace('?', '/events?'), browser, 'data: ');
    expect([stream.status, stream.headers['content-encoding']]).toEqual([200, undefined]);
    expect(stream.body.toString()).toContain('"payment_status"');
  });
});

describe('the hosted page', () => {
  // Bytes as docs/experience.md counts them: a kilobyte is 1,000, and headers are a part of it.
  const most = { page: 8_000, all: 20_000 };
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const weights = new Map(LOCALES.map((each) => [each, brotliCompressSync(wordsOf(each), quick).length]));
  const heaviest = LOCALES.toSorted((a, b) => weights.get(b)! - weights.get(a)!).slice(0, 5);

  /** The languages of the state with this number: in `npm run test:soak` all, else the heaviest ones and some others. */
  const localesOf = (state: number) =>
    LOCALES.filter(
      (locale, index) => process.env.SOAK || heaviest.includes(locale) || index % 10 === state % 10,
    );
  // A shop's own words, as those of its goods, come on top.
  const brand = { color: '#7a1f3d' };
  let base: string;

  beforeAll(async () => {
    const assets = await loadAssets('/pay');
    const server = createServer({ log: silentLog, trustProxy: false });
    await server.register(async (page) => {
      page.addHook('onSend', compressed({ type: 'text/html', foreign: true }));
      await serveFiles(page, Object.values(assets));
      page.get<{ Params: { name: string; locale: string } }>('/pages/:name/:locale', (request, reply) => {
        const { name, locale } = request.params;
        const payment = PAYMENTS[name as keyof typeof PAYMENTS];
        const integration = { ...payment.integration, ...brand };
        const text = renderPage(
          { ...payment, integration },
          {
            locale: LOCALES.find((each) => each === locale) ?? 'en',
            payPath: '/pay',
            origin: 'https://pay.example',
            now: NOW,
            assets,
            maskToken: masker(),
          },
        );
        return reply
          .headers({ 'content-security-policy': linkPolicy(integration) })
          .type('text/html; charset=utf-8')
          .send(text);
      });
      page.get('/pay/events', async (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      });
    });
    base = await server.listen({ host: '127.0.0.1', port: 0 });
    atFileEnd(() => server.close());
  });

  /** Asks as a browser does, on a connection that stays open: a closed one has shorter headers. */
  async function weigh(path: string): Promise<{ bytes: number; text: string }> {
    const headers = { ...browser, connection: 'keep-alive' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(base + path, { agent: false, headers }, resolve).on('error', reject),
    );
    const { socket } = answer;
    const parts = await Array.fromAsync(answer as AsyncIterable<Buffer>);
    const bytes = socket.bytesRead;
    socket.destroy();
    expect(answer.headers['content-encoding']).toBe(path === '/pay/events' ? undefined : 'br');
    return { bytes, text: parts.length > 0 ? brotliDecompressSync(Buffer.concat(parts)).toString() : '' };
  }

  test('is at most 8 KB in every state and language, in the colour of its shop, and at most 20 KB with all that it loads', async () => {
    const files = new Map([['/pay/events', (await weigh('/pay/events')).bytes]]);
    const tooLong: string[] = [];
    let longest: [bytes: number, name: string] = [0, ''];
    for (const [state, name] of Object.keys(PAYMENTS).entries()) {
      for (const locale of localesOf(state)) {
        const page = await weigh(`/pages/${name}/${locale}`);
        let all = page.bytes;
        for (const [, path = ''] of page.text.matchAll(
          /(?:href|src|data-script|data-events)="(\/pay\/(?:events|[^"?]+\.\w+))/g,
        )) {
          if (!files.has(path)) files.set(path, (await weigh(path)).bytes);
          all += files.get(path) ?? 0;
        }
        if (all > longest[0]) longest = [all, `${name} ${locale}`];
        if (page.bytes > most.page || all > most.all)
          tooLong.push(`${name} ${locale}: ${page.bytes} of ${all}`);
      }
    }
    if (process.env.WEIGHTS) console.log(longest, files);
    expect(tooLong).toEqual([]);
    expect(files.size).toBeGreaterThan(4);
  });
});

function wordsOf(locale: Locale): string {
  return JSON.stringify(messagesOf(locale));
}
