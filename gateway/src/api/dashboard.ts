import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isHttpsOrLoopback } from '../identity/integrations/redirects.ts';
import { html } from '../kit/http/html.ts';
import { createSendFile, keptForEver } from '../kit/http/static-files.ts';

/** The output folder of `scripts/build-dashboard.ts`. */
const built = join(import.meta.dirname, '../../../web/dashboard/dist');
const page = 'index.html';
const signInPage = 'sign-in.html';

/** What a page has inline, as the policy names it: its shell, which is there before its script and its styles. */
type Inline = Record<'script' | 'style', string>;

/** The policy of a file. Forms go nowhere else, unless `formAction` is the origin of a shop. */
const policyOf = ({ script, style }: Inline = nothing, formAction = "'self'") =>
  `default-src 'none'; script-src 'self'${script}; style-src 'self'${style}; img-src 'self' data: blob:; ` +
  "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
  `form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
const nothing: Inline = { script: '', style: '' };
const policy = policyOf();

/** Vite names the files of this directory by their content. */
const hashedFile = /^assets\/[\w-][\w.-]*\.(?:js|css|svg|png)$/;
/** The files beside the page: icons, what makes it an app to install, the worker that shows notices, and what to fetch early. */
const publicFile = /^(?:[\w-]+\.(?:svg|png)|manifest\.webmanifest|worker\.js|program\.json)$/;

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
      void reply.header('content-security-policy', policy);
      if (hashedFile.test(path)) return sendFile(reply, path, keptForEver);
      if (path.startsWith('assets/')) return reply.callNotFound();
      void reply.header('cache-control', 'no-cache');
      if (publicFile.test(path)) return sendFile(reply, path, { cacheControl: false });
      const document = /^sign-in\/?$/.test(path) ? signInPage : page;
      const inline = await inlineOf(join(directory, document));
      if (inline !== null) {
        const formAction = path === handover ? sendingTo(request.query.to) : undefined;
        void reply.header('content-security-policy', policyOf(inline, formAction));
        return sendFile(reply, document, { cacheControl: false });
      }
      return reply.code(503).type('text/html; charset=utf-8').send(missingPage(shopUrl));
    });
  });
}

/** The page that posts a key to the shop that asked for it (contract.md#btcpay). */
const handover = 'connect/send';

/** Where forms of that page alone may go: to this origin, and nowhere else. */
function sendingTo(origin: unknown): string | undefined {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  return url && isHttpsOrLoopback(url) && url.origin === origin ? url.origin : undefined;
}

/** What a page has inline, by hashes, as the build that is there now left it; null: it is not built. */
async function inlineOf(file: string): Promise<Inline | null> {
  const markup = await readFile(file, 'utf8').catch(() => null);
  if (markup === null) return null;
  const hashes = (tag: string): string =>
    [...markup.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
      .map(([, text = '']) => ` 'sha256-${hash('sha256', text, 'base64')}'`)
      .join('');
  return { script: hashes('script'), style: hashes('style') };
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
