import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { welcomeRoutes } from './welcome.ts';

async function open(path: string, shopUrl?: string) {
  const app = Fastify();
  await welcomeRoutes(app, shopUrl);
  return await app.inject({ method: 'GET', url: path });
}

test('the bare address leads to the page that welcomes', async () => {
  const { statusCode, headers } = await open('/');
  expect([statusCode, headers.location]).toEqual([302, '/app/']);
});

test('the page leads to the shop where there is one, the reference and the readiness', async () => {
  const linksOf = (page: string) => [...page.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  const shopUrl = 'http://127.0.0.1:4100';
  const { body, headers } = await open('/app/', shopUrl);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(linksOf(body)).toEqual([shopUrl, '/reference', '/ready']);
  expect(linksOf((await open('/app/')).body)).toEqual(['/reference', '/ready']);
});

test('the page runs no script and stands in no frame, and its policy allows its style', async () => {
  const { body, headers } = await open('/app/');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  );
  expect(body).not.toMatch(/<script|style="/);
  const [, style] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? [];
  const sheet = await open(style!);
  expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(sheet.body).toContain('--paper:');
});
