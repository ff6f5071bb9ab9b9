import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../kit/http/html.ts';

/** Where `scripts/build-dashboard.ts` puts what it built. */
const built = join(import.meta.dirname, '../../../web/dashboard/dist');
/** Written anew by every build. */
const stamp = '.fingerprint';
const page = 'index.html';

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  // Links in our messages carry a token in the address, which no other site may learn.
  'referrer-policy': 'same-origin',
} as const;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

type File = { contentType: string; etag: string; body: Buffer; gzip?: Buffer; brotli?: Buffer };
type Files = Map<string, File>;

export type DashboardOptions = {
  /** Where the demo shop is, if there is one. */
  shopUrl?: string | undefined;
  directory?: string;
};

/**
 * Serves the dashboard at `/app/`, whose own router reads every address below it, and leads `/` there. A build made
 * while the gateway runs is picked up; the scripts of the one before stay, for pages that are open.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { shopUrl, directory = built }: DashboardOptions = {},
): Promise<void> {
  const files: Files = new Map();
  let loaded: string | undefined;

  async function refresh(): Promise<void> {
    const found = await buildTime(directory);
    if (found === undefined || found === loaded) return;
    for (const [path, file] of await readBuild(directory)) files.set(path, file);
    loaded = found;
  }
  await refresh();

  const hidden = { schema: { hide: true } };
  app.get('/', hidden, async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app', hidden, async (_request, reply) => reply.redirect('/app/', 302));
  app.get<{ Params: { '*': string } }>('/app/*', hidden, async (request, reply) => {
    void reply.headers(headers);
    const path = request.params['*'];
    const asset = path === page ? undefined : files.get(path);
    if (asset) return sendFile(request, reply, asset, isHashed(path));
    if (isHashed(path)) return reply.callNotFound();
    await refresh();
    const index = files.get(page);
    if (index) return sendFile(request, reply, index, false);
    return reply.code(503).type(contentTypes['.html']!).send(missingPage(shopUrl));
  });
}

/** Vite names what it puts there by its content. */
function isHashed(path: string): boolean {
  return path.startsWith('assets/');
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: File,
  immutable: boolean,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const coded =
    (/\bbr\b/.test(accepted) && file.brotli && { encoding: 'br', body: file.brotli }) ||
    (/\bgzip\b/.test(accepted) && file.gzip && { encoding: 'gzip', body: file.gzip });
  void reply.headers({
    'content-type': file.contentType,
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  if (coded) void reply.header('content-encoding', coded.encoding);
  return reply.send(coded ? coded.body : file.body);
}

/** When the last build was made, or undefined when there is none. */
async function buildTime(directory: string): Promise<string | undefined> {
  try {
    const { mtimeMs, ino } = await stat(join(directory, stamp));
    return `${mtimeMs} ${ino}`;
  } catch {
    return undefined;
  }
}

async function readBuild(directory: string): Promise<Files> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const bodies = new Map<string, Buffer>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    bodies.set(file.slice(directory.length + 1).replaceAll('\\', '/'), await readFile(file));
  }
  const files: Files = new Map();
  for (const [path, body] of bodies) {
    const contentType = contentTypes[extname(path)];
    if (!contentType || path.startsWith('.')) continue;
    const [gzip, brotli] = [bodies.get(`${path}.gz`), bodies.get(`${path}.br`)];
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
    files.set(path, { contentType, etag, body, ...(gzip && { gzip }), ...(brotli && { brotli }) });
  }
  return files;
}

function missingPage(shopUrl: string | undefined): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin</title>
<h1>The gateway runs, but its dashboard is not built</h1>
<p>Run <code>node scripts/build-dashboard.ts</code> with Node 26 in the gateway's directory, then reload this page. The
words it prints say what is wrong, if anything is.</p>
<ul>
${shopUrl && html`<li><a href="${shopUrl}">Demo shop</a></li>`}
<li><a href="/reference">API reference</a></li>
<li><a href="/ready">Readiness</a></li>
</ul>
</html>`.markup;
}
