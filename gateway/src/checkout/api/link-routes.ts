import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createCookies } from '../../identity/accounts/cookies.ts';
import type { PageHosts } from '../../identity/integrations/page-hosts.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, Refusal } from '../../kit/errors.ts';
import { type IdempotencyKey, replayOr } from '../../kit/http/idempotency.ts';
import { randomToken } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import type { CreatePayment } from '../../payments/create/create.ts';
import type { Asks } from '../../payments/create/schema.ts';
import type { CheckoutAssets } from '../assets.ts';
import { linkPolicy } from '../headers.ts';
import { asksOf, faultOfRefusal } from '../links/amount.ts';
import { type FindLinkDeps, findLinkPage, type LinkPage, successOf } from '../links/find-link.ts';
import { pickLocale } from '../locale.ts';
import { asksLanguage } from '../parts/languages.ts';
import { type LinkPageOptions, renderLink } from '../views/link.ts';
import { renderNotFound } from '../views/render.ts';
import type { RefuseOthers } from './page-host.ts';

export type LinkPageDeps = FindLinkDeps & {
  db: Database;
  guards: Guards;
  seal: Seal;
  createPayment: CreatePayment;
  hosts: PageHosts;
};

type Place = {
  payPath: string;
  assets: CheckoutAssets;
  refuseOthers: RefuseOthers;
  /** A field's text, if the database can hold it. */
  text: (value: unknown) => string | undefined;
};

type Params = { code: string };
type Fields = Record<string, unknown>;

/** How long a browser remembers the payment that it made by a link. */
const rememberedSeconds = 7 * 86_400;

/** The page of a payment link. Only its form makes a payment, never opening the page. */
export function linkPageRoutes(page: FastifyInstance, deps: LinkPageDeps, place: Place): void {
  const { db, guards, hosts, payUrl } = deps;
  const { text } = place;
  const secure = new URL(payUrl).protocol === 'https:';
  const secret = deps.seal.derive('payments of payment links').toString('hex');

  /** The cookie of one link, which says which payment this browser made by it. */
  function cookieOf(code: string) {
    const prefix = `${secure ? '__Secure-' : ''}florin-link.`;
    return createCookies({ names: { own: `${prefix}own` }, prefix, secret, path: `/l/${code}`, secure });
  }

  /** The payment that this browser made by the link; null also when the cookie is damaged. */
  function ownOf({ headers }: FastifyRequest, code: string): string | null {
    try {
      return cookieOf(code).read(headers.cookie).own;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  async function find(request: FastifyRequest<{ Params: Params }>): Promise<LinkPage | null> {
    await guards.probe.check(request);
    const { code } = request.params;
    const known = await findLinkPage(db, deps, code, ownOf(request, code));
    const found = hosts.shows(request, known?.link.integrationId) ? known : null;
    if (!found) await guards.probe.count(request);
    return found;
  }

  function send(
    { request, reply, lang }: { request: FastifyRequest; reply: FastifyReply; lang: unknown },
    found: LinkPage | null,
    more: Pick<LinkPageOptions, 'fault' | 'written' | 'tooMany'> = {},
  ): FastifyReply {
    const { assets, payPath } = place;
    const locale = pickLocale(text(lang), request.headers['accept-language']);
    const common = { locale, assets, asksLanguage: asksLanguage(request) };
    void reply.type('text/html; charset=utf-8').header('vary', 'accept-language, cookie');
    if (!found) return reply.code(404).send(renderNotFound({ ...common, payPath }));
    void reply.header('content-security-policy', linkPolicy(found.shop));
    if (ended.has(found.state.name)) void reply.code(410);
    return reply.send(renderLink(found, { ...common, now: deps.now(), nonce: randomToken(), ...more }));
  }

  page.get<{ Params: Params; Querystring: Fields }>(
    '/l/:code',
    { schema: { hide: true } },
    async (request, reply) => send({ request, reply, lang: request.query.lang }, await find(request)),
  );

  page.post<{ Params: Params; Body: Fields }>(
    '/l/:code',
    { schema: { hide: true } },
    async (request, reply) => {
      place.refuseOthers(request);
      const fields = request.body ?? {};
      const context = { request, reply, lang: fields.lang };
      const found = await find(request);
      if (!found) return send(context, null);
      const written = text(fields.amount)?.slice(0, 40) ?? '';
      const asks = asksOf(found.link, written);
      if ('fault' in asks) {
        void reply.code(400);
        return send(context, found, { fault: asks.fault, written });
      }
      try {
        await guards.payByLink(request);
        const key = keyOf(found, text(fields.nonce), asks);
        const made = await makePayment(deps, found, asks, key);
        const cookie = cookieOf(request.params.code).set('own', made.reference, rememberedSeconds);
        return reply.header('set-cookie', cookie).redirect(pageOf(found, made, text(fields.lang)), 303);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const fault = faultOfRefusal(error);
        void reply.code(error.row.status);
        if (fault) return send(context, found, { fault, written });
        // After any other refusal the page shows the present state of the link.
        const tooMany = error.row.status === kitErrors.rate_limited.status;
        return send(context, await find(request), { tooMany, written });
      }
    },
  );
}

/** Where the form leads: to no other site, so at the name by which the link was opened; its pages are at each of them. */
function pageOf({ shop }: LinkPage, made: { url: string }, lang: string | undefined): string {
  const { pathname, search } = new URL(made.url);
  const url = shop.pageDomain === null ? made.url : pathname + search;
  return lang ? `${url}&${new URLSearchParams({ lang })}` : url;
}

const ended: ReadonlySet<string> = new Set(['used', 'expired', 'stopped']);

/** A form that is sent twice makes one payment. With another amount it is another form. */
function keyOf({ link }: LinkPage, nonce: string | undefined, { sent }: Asks): IdempotencyKey | null {
  if (nonce === undefined || !/^[\w-]{10,64}$/.test(nonce)) return null;
  const scope = `${link.integrationId} ${link.mode} payment link ${link.id}`;
  return { scope, key: `${nonce} ${sent}`, fingerprint: createHash('sha256').digest() };
}

async function makePayment(
  { db, createPayment }: LinkPageDeps,
  { link, creator }: LinkPage,
  asks: Asks,
  key: IdempotencyKey | null,
): Promise<{ reference: string; url: string }> {
  const input = {
    asks,
    payment_type: 'deposit' as const,
    item_list: { items: [{ name: link.title, price: asks.sent, quantity: 1 }] },
    ...successOf(link),
  };
  const { body } = await replayOr(db, key, () => createPayment(creator, input, key, link));
  const { data } = JSON.parse(body) as {
    data: { PaymentData: { payment_reference: string }; PaymentURL: string };
  };
  return { reference: data.PaymentData.payment_reference, url: data.PaymentURL };
}
