import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isHttpsOrLoopback } from '../identity/integrations/redirects.ts';
import { html } from '../kit/http/html.ts';
import { createSendFile, keptForEver } from '../kit/http/static-files.ts';

/** The output folder of `scripts/build-dashboard.ts`. */
const built = join(import.meta.dirname, '../../../web/dashboard/dist');
const page = 'index.html';
const signInPage = 'sign-in.html';

const policyOf = (formAction: string) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
  `form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
const policy = policyOf("'self'");

/** Vite names the files of this directory by their content. */
const hashedFile = /^assets\/[\w-][\w.-]*\.(?:js|css|svg|png)$/;
/** The files beside the page: icons, what makes it an app to install, and the worker that shows notices. */
const publicFile = /^(?:[\w-]+\.(?:svg|png)|manifest\.webmanifest|worker\.js)$/;

export type DashboardOptions = {
  /** The address of the demo shop, if there is one. */
  shopUrl?: string | undefined;
  directory?: string;
};

/**
 * Serves the dashboard at `/app/` and redirects `/` to it. Every address below it that is no file answers with the
 * page, whose own router reads the address; the sign-in page alone is a document of its own. A build that is made while the gateway runs is served at once.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { shopUrl, directory = built }: DashboardOptions = {},
): Promise<void> {
  const hidden = { schema: { hide: true } };
  app.get('/', hidden, async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app', hidden, async (_request, reply) => reply.redirect('/app/', 302));
  await app.register(async (dashboard) => {
    const sendFile = await createSendFile(dashboard, directory);
    type Asked = { Params: { '*': string }; Querystring: { to?: string } };
    dashboard.get<Asked>('/app/*', hidden, async (request, reply) => {
      const path = request.params['*'];
      void reply.header('content-security-policy', path === handover ? sendingTo(request.query.to) : policy);
      if (hashedFile.test(path)) return sendFile(reply, path, keptForEver);
      if (path.startsWith('assets/')) return reply.callNotFound();
      void reply.header('cache-control', 'no-cache');
      if (publicFile.test(path)) return sendFile(reply, path, { cacheControl: false });
      const document = /^sign-in\/?$/.test(path) ? signInPage : page;
      if (await isFile(join(directory, document))) return sendFile(reply, document, { cacheControl: false });
      return reply.code(503).type('text/html; charset=utf-8').send(missingPage(shopUrl));
    });
  });
}

/** The page that posts a key to the shop that asked for it (contract.md#btcpay). */
const handover = 'connect/send';

/** The policy of that page alone: forms may go to this origin, and nowhere else. */
function sendingTo(origin: unknown): string {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  return url && isHttpsOrLoopback(url) && url.origin === origin ? policyOf(url.origin) : policy;
}

async function isFile(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function missingPage(shopUrl: string | undefined): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin</title>
<h1>The gateway runs, but its dashboard is not built</h1>
<p>Run <code>node scripts/build-dashboard.ts</code> with Node 26 in the gateway's directory, then reload this page. The
output says what is wrong, if anything is.</p>
<ul>
${shopUrl && html`<li><a href="${shopUrl}">Demo shop</a></li>`}
<li><a href="/docs/">Docs</a></li>
<li><a href="/reference/">API reference</a></li>
<li><a href="/ready">Readiness</a></li>
</ul>
</html>`.markup;
}
