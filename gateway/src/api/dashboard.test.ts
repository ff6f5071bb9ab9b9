import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../test/support/fixtures.ts';
import { createServer } from '../kit/http/http.ts';
import { dashboardRoutes } from './dashboard.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-dashboard-'));
});

afterEach(() => rm(directory, { recursive: true }));

const shellStyle = 'body{margin:0}';
const shellScript = "document.title='one'";
const sha256 = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

async function build(script: string, text: string): Promise<void> {
  await mkdir(join(directory, 'assets'), { recursive: true });
  await writeFile(join(directory, 'assets', script), text);
  await writeFile(join(directory, 'assets', `${script}.br`), `br ${text}`);
  await writeFile(join(directory, 'assets', `${script}.gz`), `gz ${text}`);
  const shell = `<style>${shellStyle}</style><script>${shellScript}</script>`;
  await writeFile(join(directory, 'index.html'), `${shell}<script src="/app/assets/${script}"></script>`);
  await writeFile(join(directory, 'sign-in.html'), `<title>Sign in, ${text}</title>`);
  await rm(join(directory, '.fingerprint'), { force: true });
  await writeFile(join(directory, '.fingerprint'), text);
}

async function serve(shopUrl?: string) {
  const app = createServer({ log: silentLog, trustProxy: false });
  await dashboardRoutes(app, { shopUrl, directory });
  return (url: string, sent: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url, headers: sent });
}

test('the root address redirects to the dashboard', async () => {
  const get = await serve();
  for (const path of ['/', '/app']) {
    const { statusCode, headers } = await get(path);
    expect([statusCode, headers.location]).toEqual([302, '/app/']);
  }
});

describe('a build', () => {
  beforeEach(() => build('index-a1.js', 'one'));

  test('is one page for every address below /app/, which is requested again each time', async () => {
    const get = await serve();
    for (const path of ['/app/', '/app/sign-up', '/app/i/1/test/payments?q=x', '/app/index.html']) {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, headers['cache-control'], headers['content-type']]).toEqual([
        200,
        'no-cache',
        'text/html; charset=utf-8',
      ]);
      expect(body).toContain('/app/assets/index-a1.js');
    }
    const { etag } = (await get('/app/')).headers;
    expect((await get('/app/', { 'if-none-match': String(etag) })).statusCode).toBe(304);
  });

  test('has a sign-in page that is another document, with whatever search', async () => {
    const get = await serve();
    for (const path of ['/app/sign-in', '/app/sign-in/', '/app/sign-in?next=%2Faccount']) {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, headers['cache-control'], body]).toEqual([
        200,
        'no-cache',
        '<title>Sign in, one</title>',
      ]);
    }
    expect((await get('/app/sign-in/other')).body).toContain('index-a1.js');
  });

  test('has scripts that may be cached for ever, in the encoding that the browser accepts', async () => {
    const get = await serve();
    const codings = ['', 'gzip, deflate', 'gzip, deflate, br'];
    const answers = await Promise.all(
      codings.map((each) => get('/app/assets/index-a1.js', { 'accept-encoding': each })),
    );
    expect(answers.map(({ body, headers }) => [headers['content-encoding'], body])).toEqual([
      [undefined, 'one'],
      ['gzip', 'gz one'],
      ['br', 'br one'],
    ]);
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    }
  });

  test('answers 404 for a script that does not exist, and shows none of its other files', async () => {
    const get = await serve();
    expect((await get('/app/assets/index-b2.js')).statusCode).toBe(404);
    for (const path of ['/app/.fingerprint', '/app/%2e%2e/package.json', '/app/assets/..%2f.fingerprint']) {
      expect((await get(path)).body).not.toMatch(/^one$|"name"/);
    }
  });

  test('answers a HEAD request as it answers GET, without a body', async () => {
    const app = createServer({ log: silentLog, trustProxy: false });
    await dashboardRoutes(app, { directory });
    for (const url of ['/app/', '/app/assets/index-a1.js']) {
      const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url });
      const whole = await app.inject({ method: 'GET', url });
      expect([statusCode, body, headers.etag]).toEqual([200, '', whole.headers.etag]);
      expect(headers['content-length']).toBe(whole.headers['content-length']);
    }
  });

  test('has its icon beside the page, which is requested again each time', async () => {
    const get = await serve();
    expect((await get('/app/favicon.svg')).statusCode).toBe(404);
    await writeFile(join(directory, 'favicon.svg'), '<svg/>');
    const { statusCode, headers } = await get('/app/favicon.svg');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/svg+xml',
      'no-cache',
    ]);
  });

  test('has a page whose policy allows the two inline blocks that the build wrote, and no others', async () => {
    const get = await serve();
    const policyOf = async (path: string) => String((await get(path)).headers['content-security-policy']);
    for (const path of ['/app/', '/app/i/1/test/payments', '/app/connect/send?to=https://shop.example']) {
      const policy = await policyOf(path);
      expect(policy).toContain(
        `script-src 'self' ${sha256(shellScript)}; style-src 'self' ${sha256(shellStyle)};`,
      );
    }
    expect(await policyOf('/app/connect/send?to=https://shop.example')).toContain(
      'form-action https://shop.example;',
    );
    for (const path of ['/app/sign-in', '/app/assets/index-a1.js', '/app/connect/other']) {
      expect(await policyOf(path)).toContain("form-action 'self';");
    }
    expect(await policyOf('/app/assets/index-a1.js')).not.toContain('sha256');
    await writeFile(join(directory, 'index.html'), '<style>i{top:0}</style>');
    expect(await policyOf('/app/')).toContain(`script-src 'self'; style-src 'self' ${sha256('i{top:0}')};`);
  });

  test('is guarded by a policy that allows nothing unsafe and no frame', async () => {
    const get = await serve();
    for (const path of ['/app/', '/app/sign-in', '/app/assets/index-a1.js']) {
      const { headers } = await get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual([
        'nosniff',
        'same-origin',
      ]);
    }
  });

  test('that is newer is served, while pages of the older one still find their scripts', async () => {
    const get = await serve();
    await build('index-b2.js', 'two');
    expect((await get('/app/')).body).toContain('index-b2.js');
    expect((await get('/app/assets/index-b2.js')).body).toBe('two');
    expect((await get('/app/assets/index-a1.js')).body).toBe('one');
  });
});

test('without a build the page says how to make one, and has links to what works', async () => {
  const get = await serve('http://127.0.0.1:4100');
  const { statusCode, body } = await get('/app/');
  expect(statusCode).toBe(503);
  expect(body).toContain('node scripts/build-dashboard.ts');
  const links = [...body.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(['http://127.0.0.1:4100', '/docs/', '/reference/', '/ready']);
  await build('index-a1.js', 'one');
  expect((await get('/app/')).statusCode).toBe(200);
});
