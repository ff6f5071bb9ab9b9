import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { compressed } from '../../kit/http/compressed.ts';
import { masker, unmasked } from '../../kit/masked.ts';
import { serveFiles } from '../../kit/pages/stored-files.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import type { PiBrowsers } from '../../rails/pi/platform/browser.ts';
import { loadAssets } from '../assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { findForPage, type PageKey } from '../find-payment.ts';
import { type Frame, frameFields, framePath, isAncestor } from '../frame.ts';
import { framePolicy, inFrame, isFramed, pageHeaders, policyOf } from '../headers.ts';
import { pickLocale } from '../locale.ts';
import { mixChoiceOf, refusalOf } from '../mix-choice.ts';
import { isClaimFault, maxTransaction, type NoticeSlug } from '../notices.ts';
import { asksLanguage } from '../parts/languages.ts';
import { piRoutes } from '../pi.ts';
import { isPiBrowser } from '../pi-offer.ts';
import { type ProofPageDeps, proofRoutes } from '../proof/routes.ts';
import { receiptPath } from '../receipts/receipt.ts';
import { framePage, type Section, wholePage } from '../sections.ts';
import { stateOf } from '../state-json.ts';
import { createStreams, type Streams } from '../stream.ts';
import { createStreamPlaces, noStreamCaps, streamCaps } from '../stream-places.ts';
import { newState } from '../views/layout.ts';
import { renderReceipt } from '../views/receipt.ts';
import { renderNotFound, renderPage } from '../views/render.ts';
import { type ActionDeps, actionsOf } from './actions.ts';
import { assertOpen } from './assert-open.ts';
import { type Fields, text } from './form-fields.ts';
import { type LinkPageDeps, linkPageRoutes } from './link-routes.ts';
import { createRefuseOthers, leadToPi, type PageHostDeps, type RefuseOthers } from './page-host.ts';
import { takeClaim } from './refund.ts';
import { noticeAnswer, noticeOf, refusedFields } from './refused.ts';
import { shopScriptRoutes } from './shop-scripts.ts';

export type CheckoutDeps = ActionDeps &
  LinkPageDeps &
  PageHostDeps &
  ProofPageDeps & {
    /** false: nothing is limited. */
    rateLimit: boolean;
    /** Address of the pages of wallets; null: there are none. */
    walletUrl: string | null;
    /** Null: no payments inside the Pi Browser. */
    piBrowsers: PiBrowsers;
  };

/** The hosted page and its own interface (contract.md#page). */
export async function checkoutRoutes(app: FastifyInstance, deps: CheckoutDeps): Promise<void> {
  const { pathname: payPath, origin } = new URL(deps.payUrl);
  const refuseOthers = createRefuseOthers(deps);
  const assets = await loadAssets(payPath);
  const places = createStreamPlaces(deps.rateLimit ? streamCaps : noStreamCaps);
  const streams = createStreams({ ...deps, places });

  await proofRoutes(app, deps, { payPath, assets });
  await app.register(async (page) => {
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, onPageDomains: true };
    });
    await page.register(formbody, { bodyLimit: 64 * 1024 });
    page.addHook('onRequest', async (_request, reply) => {
      void reply.headers(pageHeaders);
    });
    page.addHook('onRequest', deps.guards.anyone);
    // Compressed although shops may link here with any query: the secrets on the page are masked.
    page.addHook('onSend', compressed({ type: 'text/html', foreign: true }));
    // Otherwise the server would wait for the end of each open stream before it closes.
    page.addHook('preClose', async () => streams.close());
    await serveFiles(page, Object.values(assets));
    await shopScriptRoutes(page, origin);

    const sendPage = createSendPage(deps, { payPath, origin, assets });
    for (const shell of shellsOf(payPath)) {
      pageRoute(page, deps, shell, sendPage);
      formRoutes(page, deps, { shell, refuseOthers, sendPage });
    }
    receiptRoute(page, deps, { payPath, origin, assets });
    stateRoutes(page, deps, { payPath, streams });
    linkPageRoutes(page, deps, { payPath, assets, refuseOthers, text });

    const { guards, piBrowsers } = deps;
    piRoutes(page, {
      guards,
      piBrowsers,
      payPath,
      refuseOthers,
      find: (request, fields) => paymentOf(deps, request, fields),
    });
  });
}

/** The page on its own, or the one for frames: where it is, and what it offers. */
type Shell = { path: string; sections: readonly Section[]; isFrame: boolean };

const wholeShell = (payPath: string): Shell => ({ path: payPath, sections: wholePage, isFrame: false });

function shellsOf(payPath: string): Shell[] {
  return [wholeShell(payPath), { path: framePath(payPath), sections: framePage, isFrame: true }];
}

/** One request for a page; `fields` are those of its form or query. */
type Exchange = { request: FastifyRequest; reply: FastifyReply; fields: Fields; shell: Shell };

/** Answers with the page in the language of the request; with the 404 page when there is no payment. */
type SendPage = (
  exchange: Exchange,
  payment: CheckoutPayment | null,
  more?: Pick<PageOptions, 'notice' | 'claimed' | 'mixChoice' | 'mixRefusal' | 'claim'>,
) => Promise<FastifyReply>;

type Place = Pick<PageOptions, 'payPath' | 'origin' | 'assets'>;

function createSendPage(deps: CheckoutDeps, { payPath, origin, assets }: Place): SendPage {
  return async ({ request, reply, fields, shell }, payment, more = {}) => {
    const common = {
      ...{ locale: pickLocale(text(fields.lang), request.headers['accept-language']), payPath, assets },
      asksLanguage: asksLanguage(request),
    };
    const host = deps.hosts.of(request);
    // Pi knows the installation's address alone.
    const inPi = !host && isPiBrowser(request.headers['user-agent']);
    const framed = shell.isFrame || isFramed(request);
    void reply.type('text/html; charset=utf-8').header('vary', 'accept-language, user-agent, sec-fetch-dest');
    const policy =
      shell.isFrame && payment
        ? framePolicy(payment)
        : policyOf(payment, { inPiBrowser: inPi, inFrame: framed });
    void reply.header('content-security-policy', policy);
    if (!policy.includes("frame-ancestors 'none'")) void reply.removeHeader('x-frame-options');
    if (!payment) return reply.code(404).send(renderNotFound(common));
    const options = {
      ...{ ...common, origin: host?.origin ?? origin, now: deps.now() },
      ...(host ? { installationPage: deps.payUrl } : { walletUrl: deps.walletUrl }),
      ...{ ...more, isPiBrowser: inPi, maskToken: masker(), frame: frameOf(shell, payment, fields) },
    };
    return reply.send(renderPage(framed ? inFrame(payment) : payment, options));
  };
}

/** The frame that a request is made in. An origin that may not frame the payment is told nothing. */
function frameOf({ isFrame }: Shell, payment: CheckoutPayment, fields: Fields): Frame | null {
  if (!isFrame) return null;
  const parent = text(fields.parent) ?? '';
  return { parent: isAncestor(payment, parent) ? parent : null, isClosable: fields.close !== undefined };
}

/** The page. */
function pageRoute(page: FastifyInstance, deps: CheckoutDeps, shell: Shell, sendPage: SendPage): void {
  page.get<{ Querystring: Fields }>(shell.path, { schema: { hide: true } }, async (request, reply) => {
    const { query } = request;
    const payment = await findPayment(deps, request, query);
    const elsewhere = leadToPi(deps, request, payment);
    if (elsewhere !== null) return reply.redirect(elsewhere, 302);
    const notice = text(query.notice);
    const mixChoice = payment?.mode === 'test' ? mixChoiceOf(query) : null;
    const mixRefusal =
      payment && mixChoice && notice !== undefined
        ? await refusalOf(deps.db, deps, payment, mixChoice)
        : null;
    const claimed = isClaimFault(notice) ? text(query.transaction)?.slice(0, maxTransaction) : undefined;
    return await sendPage({ request, reply, fields: query, shell }, payment, {
      ...{ notice, claimed, mixChoice, mixRefusal },
    });
  });
}

/** The receipt of a completed payment. Any other payment leads to its page, which says how it stands. */
function receiptRoute(page: FastifyInstance, deps: CheckoutDeps, place: Place): void {
  const { payPath } = place;
  const path = receiptPath(payPath);
  page.get<{ Querystring: Fields }>(path, { schema: { hide: true } }, async (request, reply) => {
    const { query } = request;
    const payment = await findPayment(deps, request, query);
    if (payment && payment.status !== 'completed')
      return reply.redirect(pageUrl(wholeShell(payPath), payment, query), 303);
    const locale = pickLocale(text(query.lang), request.headers['accept-language']);
    void reply.type('text/html; charset=utf-8').header('vary', 'accept-language');
    if (!payment) return reply.code(404).send(renderNotFound({ ...place, locale }));
    const policy = policyOf(payment, { inPiBrowser: false, inFrame: false });
    void reply.header('content-security-policy', policy);
    const origin = deps.hosts.of(request)?.origin ?? place.origin;
    const options = { ...place, origin, locale, now: deps.now(), maskToken: masker() };
    return reply.send(renderReceipt(payment, options));
  });
}

/** The state of a payment and the stream of its states. */
function stateRoutes(
  page: FastifyInstance,
  deps: CheckoutDeps,
  { payPath, streams }: { payPath: string; streams: Streams },
): void {
  page.get<{ Querystring: Fields }>(`${payPath}/state`, { schema: { hide: true } }, async (request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send(stateOf(await paymentOf(deps, request, request.query))),
  );

  page.get<{ Querystring: Fields }>(
    `${payPath}/events`,
    // A HEAD request would wait for the end of the stream.
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const key = pageKey(request.query);
      const payment = await paymentOf(deps, request, request.query);
      const read = () => findForPage(deps.db, deps, key);
      streams.open(request, reply, payment, read);
      return reply;
    },
  );
}

/** What the forms of a page need. */
type FormPlace = { shell: Shell; refuseOthers: RefuseOthers; sendPage: SendPage };

/** The forms that a page offers. */
function formRoutes(page: FastifyInstance, deps: CheckoutDeps, place: FormPlace): void {
  const { shell, refuseOthers, sendPage } = place;
  const offered: readonly string[] = shell.sections;
  for (const [name, action] of Object.entries(actionsOf(deps))) {
    if (!offered.includes(name)) continue;
    page.post<{ Body: Fields }>(
      `${shell.path}/${name}`,
      { schema: { hide: true } },
      async (request, reply) => {
        refuseOthers(request);
        const fields = request.body ?? {};
        const payment = await paymentOf(deps, request, fields);
        assertOpen(payment, name);
        const shown = shell.isFrame ? inFrame(payment) : payment;
        const notice = await noticeOf(() => action(shown, fields, request, reply));
        if (notice === 'no_rate') {
          void reply.code(paymentErrors.no_rate.status).header('retry-after', '60');
          return await sendPage({ request, reply, fields, shell }, payment, { notice });
        }
        const address = pageUrl(shell, payment, fields, notice);
        const refilled = refusedFields(name, fields, notice);
        const more = refilled ? `&${new URLSearchParams(refilled)}` : '';
        const mark = payment.status === 'completed' ? '' : `#${newState}`;
        return reply.redirect(`${address}${more}${mark}`, 303);
      },
    );
  }
  if (!offered.includes('refund')) return;
  page.post<{ Body: Fields }>(`${shell.path}/refund`, { schema: { hide: true } }, async (request, reply) => {
    refuseOthers(request);
    const fields = request.body ?? {};
    const payment = await paymentOf(deps, request, fields);
    assertOpen(payment, 'refund');
    const answer = await takeClaim(deps, payment, fields, request).catch(noticeAnswer);
    if ('notice' in answer) return reply.redirect(pageUrl(shell, payment, fields, answer.notice), 303);
    if (answer.draft.fault) void reply.code(400);
    return await sendPage({ request, reply, fields, shell }, payment, { claim: answer.draft });
  });
}

function pageKey(fields: Fields): PageKey {
  return {
    reference: text(fields.reference) ?? '',
    app: text(fields.app) ?? '',
    token: unmasked(text(fields.token) ?? ''),
  };
}

async function findPayment(deps: CheckoutDeps, request: FastifyRequest, fields: Fields) {
  await deps.guards.probe.check(request);
  const key = pageKey(fields);
  const payment = deps.hosts.shows(request, key.app) ? await findForPage(deps.db, deps, key) : null;
  if (!payment) await deps.guards.probe.count(request);
  return payment;
}

async function paymentOf(
  deps: CheckoutDeps,
  request: FastifyRequest,
  fields: Fields,
): Promise<CheckoutPayment> {
  const payment = await findPayment(deps, request, fields);
  if (!payment) throw refuse(kitErrors.not_found);
  return payment;
}

function pageUrl(shell: Shell, payment: CheckoutPayment, fields: Fields, notice?: NoticeSlug): string {
  const { reference, token, integration } = payment;
  const lang = text(fields.lang);
  const query = new URLSearchParams({ reference, app: integration.id, token });
  for (const [name, value] of Object.entries(frameFields(frameOf(shell, payment, fields))))
    query.set(name, value);
  if (lang) query.set('lang', lang);
  if (notice) query.set('notice', notice);
  return `${shell.path}?${query}`;
}
