import type { FastifyInstance } from 'fastify';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin</title>
<h1>Florin is running</h1>
<p>This is a payment gateway. Its merchants speak to it by the API:</p>
<ul>
<li><a href="/reference">API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/ready">Readiness</a></li>
</ul>
</html>
`;

/** What a person sees who opens the gateway's own address. */
export function welcomeRoutes(app: FastifyInstance): void {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .send(page),
  );
}
