import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Guards } from '../../identity/keys/guards.ts';
import type { ErrorRow } from '../../kit/errors.ts';
import { codingOf } from '../../kit/http/compressed.ts';
import type { ApiDescription } from '../document/document.ts';
import type { Sources } from './sources.ts';

/** No script and no style but those of the site itself. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'";

const forms = {
  br: (text: string | Buffer) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string | Buffer) => promisify(gzip)(text),
  identity: async (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text) : text),
};
type Form = keyof typeof forms;

/** A page or file in the forms that were asked for; `isKept`: its name changes with its content. */
type Ready = {
  text: string | Buffer;
  etag: string;
  type: string;
  isKept: boolean;
  bodies: Map<Form, Promise<Buffer>>;
};

export type SiteDeps = {
  guards: Pick<Guards, 'anyone'>;
  describe: () => Promise<ApiDescription>;
  errors: readonly ErrorRow[];
};

/**
 * The documentation at `/docs/` and the reference of the API at `/reference/`. What they are made of is loaded by the first
 * request, each page is made when it is asked for first, and is kept from then on.
 */
export function documentationSite(app: FastifyInstance, { guards, describe, errors }: SiteDeps): void {
  let sources: Promise<Sources> | undefined;
  const ready = new Map<string, Promise<Ready | null>>();

  async function make(address: string): Promise<Ready | null> {
    sources ??= import('./sources.ts').then(async ({ openSources }) => openSources(await describe(), errors));
    const found = await (await sources).read(address);
    if (!found) return null;
    const etag = `"${createHash('sha256').update(found.text).digest('base64url').slice(0, 16)}"`;
    return { ...found, etag, bodies: new Map() };
  }

  async function find(address: string): Promise<Ready | null> {
    const known = ready.get(address);
    if (known) return known;
    const made = make(address);
    // What is no page is not remembered: anybody may ask for any address.
    const answer = await made;
    if (answer) ready.set(address, made);
    return answer;
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const address = request.url.replace(/\?.*/, '');
    const page = await find(address);
    if (!page) return reply.callNotFound();
    void reply.headers({
      'content-security-policy': policy,
      'cache-control': page.isKept ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: page.etag,
      vary: 'accept-encoding',
    });
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
    const { text } = page;
    const form =
      typeof text === 'string' ? (codingOf(request.headers['accept-encoding']) ?? 'identity') : 'identity';
    const body = page.bodies.get(form) ?? forms[form](text);
    page.bodies.set(form, body);
    if (form !== 'identity') void reply.header('content-encoding', form);
    return reply.type(page.type).send(await body);
  }

  const options = { schema: { hide: true }, onRequest: guards.anyone };
  for (const start of ['/docs', '/reference']) {
    app.get(start, options, async (_request, reply) => reply.redirect(`${start}/`, 302));
    app.get(`${start}/*`, options, send);
  }
}
