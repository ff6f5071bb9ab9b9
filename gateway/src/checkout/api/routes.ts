import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { compressed } from '../../kit/http/compressed.ts';
import { refuseForeign } from '../../kit/http/http.ts';
import { masker, unmasked } from '../../kit/masked.ts';
import { type IsOwnOrigin, ownOrigins } from '../../kit/net/own-origins.ts';
import { serveFiles } from '../../kit/pages/stored-files.ts';
import { maxMessageLength, writeAsCustomer } from '../../payments/appeals/messages.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { noteReceipt } from '../../payments/receipts/receipt-mails.ts';
import { cancelPayment, disputePayment, linkPayment } from '../../payments/settlement/act.ts';
import { acceptShort } from '../../payments/settlement/enough.ts';
import { readWishFields } from '../../payments/simulate/schema.ts';
import { simulate } from '../../payments/simulate/simulate.ts';
import type { Faucet } from '../../rails/evm/config/chains.ts';
import type { LookUpTransaction } from '../../rails/look-up.ts';
import type { PiBrowsers } from '../../rails/pi/platform/browser.ts';
import { loadAssets } from '../assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { findForPage, type PageDeps, type PageKey } from '../find-payment.ts';
import { inFrame, isFramed, pageHeaders, policyOf } from '../headers.ts';
import { type Locale, pickLocale } from '../locale.ts';
import { mixChoiceOf, refusalOf, wishFields } from '../mix-choice.ts';
import { isClaimFault, maxTransaction, type NoticeSlug } from '../notices.ts';
import { asksLanguage } from '../parts/languages.ts';
import { piRoutes } from '../pi.ts';
import { isPiBrowser } from '../pi-offer.ts';
import { stateOf } from '../state-json.ts';
import { createStreams, type Streams } from '../stream.ts';
import { createStreamPlaces, noStreamCaps, streamCaps } from '../stream-places.ts';
import { renderNotFound, renderPage } from '../views/render.ts';
import { claimTransaction } from './claim.ts';
import { giveCoins } from './faucet.ts';
import { type Fields, text } from './form-fields.ts';
import { type LinkPageDeps, linkPageRoutes } from './link-routes.ts';
import { sendReceipt } from './receipt.ts';
import { type RefundClaimDeps, takeClaim } from './refund.ts';
import { noticeAnswer, noticeOf, refusedFields } from './refused.ts';
import { createWalletForm, type WalletFormDeps } from './wallet-form.ts';

export type CheckoutDeps = RefundClaimDeps &
  PageDeps &
  WalletFormDeps &
  LinkPageDeps & {
    /** false: nothing is limited. */
    rateLimit: boolean;
    baseUrl: string;
    /** Further origins by which people reach the gateway. */
    origins: readonly string[];
    /** Address of the pages of wallets; null: there are none. */
    walletUrl: string | null;
    lookUp: LookUpTransaction;
    /** Set when a demo chain runs. */
    faucet?: Faucet | undefined;
    /** Null: no payments inside the Pi Browser. */
    piBrowsers: PiBrowsers;
  };

/** Handles one form of the page and returns the notice that the page shows afterwards. */
type Action = (
  payment: CheckoutPayment,
  fields: Fields,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<NoticeSlug | undefined>;

/** The hosted page and its own interface (contract.md#page). */
export async function checkoutRoutes(app: FastifyInstance, deps: CheckoutDeps): Promise<void> {
  const { pathname: payPath, origin } = new URL(deps.payUrl);
  // A proxy may give the page another address than the API, which serves it, too.
  const isOwnOrigin = ownOrigins([deps.payUrl, deps.baseUrl, ...deps.origins]);
  const assets = await loadAssets(payPath);
  const places = createStreamPlaces(deps.rateLimit ? streamCaps : noStreamCaps);
  const streams = createStreams({ ...deps, places });

  await app.register(async (page) => {
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

    const sendPage = createSendPage(deps, { payPath, origin, assets });
    pageRoutes(page, deps, { payPath, streams, sendPage });
    formRoutes(page, deps, { payPath, isOwnOrigin, sendPage });
    linkPageRoutes(page, deps, { payPath, assets, isOwnOrigin, text });

    const { guards, piBrowsers } = deps;
    piRoutes(page, {
      guards,
      piBrowsers,
      payPath,
      isOwnOrigin,
      find: (request, fields) => paymentOf(deps, request, fields),
    });
  });
}

/** Answers with the page in the language of the request; with the 404 page when there is no payment. */
type SendPage = (
  exchange: { request: FastifyRequest; reply: FastifyReply; lang: unknown },
  payment: CheckoutPayment | null,
  more?: Pick<PageOptions, 'notice' | 'claimed' | 'mixChoice' | 'mixRefusal' | 'claim'>,
) => Promise<FastifyReply>;

type Place = Pick<PageOptions, 'payPath' | 'origin' | 'assets'>;

function createSendPage(deps: CheckoutDeps, { payPath, origin, assets }: Place): SendPage {
  return async ({ request, reply, lang }, payment, more = {}) => {
    const common = {
      ...{ locale: pickLocale(text(lang), request.headers['accept-language']), payPath, assets },
      asksLanguage: asksLanguage(request),
    };
    const inPi = isPiBrowser(request.headers['user-agent']);
    const framed = isFramed(request);
    void reply.type('text/html; charset=utf-8').header('vary', 'accept-language, user-agent, sec-fetch-dest');
    const policy = policyOf(payment, { inPiBrowser: inPi, inFrame: framed });
    void reply.header('content-security-policy', policy);
    if (!policy.includes("frame-ancestors 'none'")) void reply.removeHeader('x-frame-options');
    if (!payment) return reply.code(404).send(renderNotFound(common));
    const options = {
      ...{ ...common, origin, walletUrl: deps.walletUrl, now: deps.now() },
      ...{ ...more, isPiBrowser: inPi, maskToken: masker() },
    };
    return reply.send(renderPage(framed ? inFrame(payment) : payment, options));
  };
}

/** The page, its state and the stream of its states. */
function pageRoutes(
  page: FastifyInstance,
  deps: CheckoutDeps,
  { payPath, streams, sendPage }: { payPath: string; streams: Streams; sendPage: SendPage },
): void {
  page.get<{ Querystring: Fields }>(payPath, { schema: { hide: true } }, async (request, reply) => {
    const { query } = request;
    const payment = await findPayment(deps, request, query);
    const notice = text(query.notice);
    const mixChoice = payment?.mode === 'test' ? mixChoiceOf(query) : null;
    const mixRefusal =
      payment && mixChoice && notice !== undefined
        ? await refusalOf(deps.db, deps, payment, mixChoice)
        : null;
    const claimed = isClaimFault(notice) ? text(query.transaction)?.slice(0, maxTransaction) : undefined;
    return await sendPage({ request, reply, lang: query.lang }, payment, {
      ...{ notice, claimed, mixChoice, mixRefusal },
    });
  });

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

/** The forms of the page. */
function formRoutes(
  page: FastifyInstance,
  deps: CheckoutDeps,
  { payPath, isOwnOrigin, sendPage }: { payPath: string; isOwnOrigin: IsOwnOrigin; sendPage: SendPage },
): void {
  for (const [name, action] of Object.entries(actionsOf(deps))) {
    page.post<{ Body: Fields }>(`${payPath}/${name}`, { schema: { hide: true } }, async (request, reply) => {
      refuseForeign(request, isOwnOrigin);
      const fields = request.body ?? {};
      const payment = await paymentOf(deps, request, fields);
      const notice = await noticeOf(() => action(payment, fields, request, reply));
      if (notice === 'no_rate') {
        void reply.code(paymentErrors.no_rate.status).header('retry-after', '60');
        return await sendPage({ request, reply, lang: fields.lang }, payment, { notice });
      }
      const address = pageUrl(payPath, payment, text(fields.lang), notice);
      const refilled = refusedFields(name, fields, notice);
      return reply.redirect(refilled ? `${address}&${new URLSearchParams(refilled)}` : address, 303);
    });
  }
  page.post<{ Body: Fields }>(`${payPath}/refund`, { schema: { hide: true } }, async (request, reply) => {
    refuseForeign(request, isOwnOrigin);
    const fields = request.body ?? {};
    const payment = await paymentOf(deps, request, fields);
    const answer = await takeClaim(deps, payment, fields, request).catch(noticeAnswer);
    if ('notice' in answer)
      return reply.redirect(pageUrl(payPath, payment, text(fields.lang), answer.notice), 303);
    if (answer.draft.fault) void reply.code(400);
    return await sendPage({ request, reply, lang: fields.lang }, payment, { claim: answer.draft });
  });
}

function actionsOf(deps: CheckoutDeps): Record<string, Action> {
  const { db, guards } = deps;
  const payFromWallet = createWalletForm(deps);
  const done = (work: (tx: Tx) => Promise<unknown>) => transaction(db, work).then(() => undefined);
  return {
    method: async ({ id, methods, unreadable }, fields, request) => {
      const choice = text(fields.asset) ?? '';
      if (unreadable.includes(deps.assets.find(choice)?.code ?? '')) return 'network_unreadable';
      if (choice === 'wallet' && !methods.some(({ method }) => method === choice)) return 'not_possible';
      await transaction(db, async (tx) => {
        await linkPayment(tx, deps, id, { method: choice, currency: text(fields.currency) });
        if (deps.mailsReceipts) await noteReceipt(tx, id, localeOf(fields, request));
      });
      return undefined;
    },
    wallet: async ({ id }, fields, request, reply) => {
      // A site that frames the page could have the browser fill in the password, and lead the click.
      if (isFramed(request)) throw refuse(kitErrors.foreign_form);
      const form = { username: text(fields.username) ?? '', password: text(fields.password) ?? '' };
      return await payFromWallet(id, form, request, reply);
    },
    claim: (payment, fields, request) =>
      claimTransaction(deps, payment, text(fields.transaction)?.trim() ?? '', request),
    cancel: ({ id }) => done((tx) => cancelPayment(tx, deps, id, 'customer')),
    enough: ({ id }) => done((tx) => acceptShort(tx, deps, id)),
    simulate: async ({ id, mode }, fields) => {
      if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
      const wish = readWishFields(wishFields(fields));
      return await done((tx) => simulate(tx, deps, id, wish));
    },
    receipt: (payment, fields, request) => {
      const to = { email: text(fields.email)?.trim() ?? '', locale: localeOf(fields, request) };
      return sendReceipt(deps, payment, to, request);
    },
    faucet: (payment, { address }, request) => giveCoins(deps, payment, text(address) ?? '', request),
    dispute: async ({ id }, fields) => {
      const reason = text(fields.reason)?.trim().slice(0, 1000) ?? '';
      if (reason === '') return 'not_possible';
      await transaction(db, (tx) => disputePayment(tx, deps, id, reason));
      return 'dispute_opened';
    },
    message: async ({ id }, fields, request) => {
      const message = text(fields.text)?.trim().slice(0, maxMessageLength) ?? '';
      if (message === '') return 'not_possible';
      await guards.message(request, id);
      await transaction(db, (tx) => writeAsCustomer(tx, deps, id, message));
      return 'message_sent';
    },
  };
}

/** The language in which a form's page was shown. */
function localeOf({ lang }: Fields, { headers }: FastifyRequest): Locale {
  return pickLocale(text(lang), headers['accept-language']);
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
  const payment = await findForPage(deps.db, deps, pageKey(fields));
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

function pageUrl(payPath: string, payment: CheckoutPayment, lang?: string, notice?: NoticeSlug): string {
  const { reference, token, integration } = payment;
  const query = new URLSearchParams({ reference, app: integration.id, token });
  if (lang) query.set('lang', lang);
  if (notice) query.set('notice', notice);
  return `${payPath}?${query}`;
}
