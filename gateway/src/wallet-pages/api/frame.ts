import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pickLocale } from '../../checkout/locale.ts';
import type { OwnCookies } from '../../identity/accounts/cookies.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { asRefusal } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { isCleanText } from '../../kit/http/fields.ts';
import { type Html, html } from '../../kit/http/html.ts';
import { findSession, type UserSession } from '../../wallets/accounts/sessions.ts';
import {
  contextOf,
  linkTo,
  type Next as NextPage,
  nextOf,
  type PageContext,
  type Site,
  textOfNext,
  type View,
} from '../context.ts';
import { layout } from '../layout.ts';
import { Fault, type FaultKey, faultOf, type NoticeKey } from '../notices.ts';
import { signInView } from '../views/entrance.ts';
import type { Door, WalletCookie } from './door.ts';

export type FrameDeps = { db: Database; now: Clock; door: Door; site: Site };

/** A request of a page or a form. */
export type Exchange = {
  request: FastifyRequest;
  reply: FastifyReply;
  cookies: OwnCookies<WalletCookie>;
  session: UserSession | null;
  context: PageContext;
  /** A field of the form or the query: clean text, or undefined. */
  field(name: string): string | undefined;
};
/** A request of a user who is signed in. */
export type OwnExchange = Exchange & { session: UserSession };

/** Where a form leads: to a page of the wallet, or `away` to another address of the gateway. */
export type Next = (NextPage & { notice?: NoticeKey }) | { away: string };

export type Frame = {
  /** A page for everybody. */
  page(path: string, show: (exchange: Exchange) => Promise<View | Next>): void;
  /** A page for users who are signed in; others are led to the sign-in. */
  ownPage(path: string, show: (exchange: OwnExchange) => Promise<View | Next>): void;
  /** A form for everybody, and the page that is drawn again when it is refused. */
  form(path: string, work: FormWork<Exchange>, again: Again<Exchange>): void;
  ownForm(path: string, work: FormWork<OwnExchange>, again: Again<OwnExchange>): void;
  exchangeOf(request: FastifyRequest, reply: FastifyReply): Promise<Exchange>;
};

type FormWork<E> = (exchange: E) => Promise<View | Next>;
type Again<E> = (exchange: E) => Promise<View> | View;

const hidden = { schema: { hide: true } };
const url = (path: string) => `/wallet/${path}`;
const isOwn = (exchange: Exchange): exchange is OwnExchange => exchange.session !== null;

/** Registers pages and forms below the wallet's path. */
export function createFrame(app: FastifyInstance, deps: FrameDeps): Frame {
  const { door } = deps;
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply) => readExchange(deps, request, reply);
  return {
    exchangeOf,
    page(path, show) {
      app.get(url(path), hidden, async (request, reply) => {
        const exchange = await exchangeOf(request, reply);
        return answer(exchange, await show(exchange));
      });
    },
    ownPage(path, show) {
      app.get(url(path), hidden, async (request, reply) => {
        const exchange = await exchangeOf(request, reply);
        return answer(exchange, isOwn(exchange) ? await show(exchange) : signInBefore(exchange));
      });
    },
    form(path, work, again) {
      app.post(url(path), hidden, async (request, reply) => {
        const exchange = await exchangeOf(request, reply);
        door.refuseForeign(request, exchange.cookies);
        return await submit(exchange, work, again);
      });
    },
    ownForm(path, work, again) {
      app.post(url(path), hidden, async (request, reply) => {
        const exchange = await exchangeOf(request, reply);
        door.refuseForeign(request, exchange.cookies);
        if (isOwn(exchange)) return await submit(exchange, work, again);
        return draw(exchange, signInView(exchange.context), 'faultFresh', 401);
      });
    },
  };
}

async function readExchange(
  { db, now, door, site }: FrameDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Exchange> {
  const fields = fieldsOf(request);
  const field = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && isCleanText(value) ? value : undefined;
  };
  const cookies = door.read(request, reply);
  const time = now();
  const session = cookies.session === null ? null : await findSession(db, cookies.session, time);
  const lang = field('lang');
  const locale = pickLocale(lang, request.headers['accept-language']);
  const here = new URLSearchParams(request.method === 'GET' ? request.url.split('?')[1] : '');
  here.delete('notice');
  const context = contextOf(site, {
    locale,
    isChosen: lang === locale,
    mode: field('mode') === 'test' ? 'test' : 'live',
    session,
    now: time,
    here,
    page: request.method === 'GET' ? (request.routeOptions.url ?? '').replace(/^\/wallet\/?/, '') : '',
    next: nextOf(field('next')),
    hasName: !/^[\d.]+$|:/.test(request.hostname),
  });
  return { request, reply, cookies, session, context, field };
}

function draw(exchange: Exchange, view: View, fault: FaultKey | null, status = 200): FastifyReply {
  const { reply, context, field } = exchange;
  const shown = fault ?? view.fault;
  const words = shown ? context.say(shown) : null;
  const isAgain = shown === 'faultFresh' && exchange.session !== null;
  const notes = {
    notice: field('notice'),
    fault: isAgain ? html`${words} ${signInAgain(exchange)}` : words,
  };
  void reply.type('text/html; charset=utf-8').header('vary', 'accept-language, cookie');
  const shownIn = { ...context, mode: view.mode ?? context.mode };
  return reply.code(view.status ?? status).send(layout(shownIn, view, notes));
}

function answer(exchange: Exchange, next: View | Next): FastifyReply {
  if ('away' in next) return exchange.reply.redirect(next.away, 303);
  if (!('to' in next)) return draw(exchange, next, null);
  const query = { ...next.query, ...(next.notice ? { notice: next.notice } : {}) };
  return exchange.reply.redirect(linkTo(exchange.context, next.to, query), 303);
}

/** Does the work of a form. After a refusal that people can cause the page is drawn again, with its status. */
async function submit<E extends Exchange>(
  exchange: E,
  work: FormWork<E>,
  again: Again<E>,
): Promise<FastifyReply> {
  try {
    return answer(exchange, await work(exchange));
  } catch (thrown) {
    const error = asRefusal(thrown);
    if (error instanceof Fault) return draw(exchange, await again(exchange), error.key, error.status);
    if (!(error instanceof Refusal) || error.row.status >= 500) throw error;
    void exchange.reply.headers(error.headers);
    return draw(exchange, await again(exchange), faultOf(error), error.row.status);
  }
}

/** Leads to the sign-in, and from there to the page that was asked for. */
function signInBefore({ context: { page, here, mode } }: Exchange): Next {
  if (page === '') return { to: 'sign-in' };
  const query = { ...Object.fromEntries(here), ...(mode === 'test' ? { mode } : {}) };
  return { to: 'sign-in', query: { next: textOfNext({ to: page, query }) } };
}

/** The fields of a form that stay filled in while its user signs in again. */
const keptFields = ['reference', 'app', 'token', 'to', 'asset', 'amount', 'memo'];

/** A link to the sign-in, and from there to the page of the form with its fields filled in. */
function signInAgain({ context, request, field }: Exchange): Html {
  const [to = ''] = (request.routeOptions.url ?? '').replace('/wallet/', '').split('/');
  const query = Object.fromEntries(keptFields.map((name) => [name, field(name) ?? '']));
  const next = textOfNext({ to, query });
  return html`<a href="${linkTo(context, 'sign-in', { next })}">${context.say('signInButton')}</a>`;
}

function fieldsOf({ method, query, body }: FastifyRequest): Record<string, unknown> {
  const given = method === 'GET' || method === 'HEAD' ? query : body;
  return typeof given === 'object' && given !== null ? { ...given } : {};
}
