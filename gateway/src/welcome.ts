import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { html } from './kit/html.ts';

const tokens = new URL('../../web/tokens.css', import.meta.url);

const rules = `
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--text-body)/1.5 var(--font-text); }
main { max-width: 440px; margin: 0 auto; padding: var(--space-12) var(--space-6); }
h1 { font-size: var(--text-large); margin: 0 0 var(--space-2); }
a { color: var(--accent-strong); }
li { margin: var(--space-3) 0; }
ul { padding: 0; list-style: none; }
`;

/** What a person sees who opens the gateway's own address: where to go from here. */
export async function welcomeRoutes(app: FastifyInstance, shopUrl: string | undefined): Promise<void> {
  const style = (await readFile(tokens, 'utf8')) + rules;
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin</title>
<link rel="stylesheet" href="/app/style.css">
<main>
<h1>Florin is running</h1>
<p>A payment gateway for PI, USDC, USDT and CSK. Merchants speak to it by its API.</p>
<ul>
${shopUrl && html`<li><a href="${shopUrl}">Demo shop</a>: buy something and pay for it in test mode</li>`}
<li><a href="/reference">API reference</a>: every call, with its fields and errors</li>
<li><a href="/ready">Readiness</a>: whether this gateway serves</li>
</ul>
</main>
</html>`.markup;

  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app/style.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
  app.get('/app/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
      .send(page),
  );
}
