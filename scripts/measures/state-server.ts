import { loadAssets } from '../../gateway/src/checkout/assets.ts';
import type { CheckoutPayment } from '../../gateway/src/checkout/checkout-payment.ts';
import type { PageOptions } from '../../gateway/src/checkout/context.ts';
import { pageHeaders } from '../../gateway/src/checkout/headers.ts';
import { renderLink } from '../../gateway/src/checkout/views/link.ts';
import { renderNotFound, renderPage } from '../../gateway/src/checkout/views/render.ts';
import { compressed } from '../../gateway/src/kit/http/compressed.ts';
import { createServer } from '../../gateway/src/kit/http/http.ts';
import { masker } from '../../gateway/src/kit/masked.ts';
import { serveFiles } from '../../gateway/src/kit/pages/stored-files.ts';
import { NOW, PAYMENTS } from '../../gateway/test/browser/checkout-fixtures.ts';
import { linkInEuros } from '../../gateway/test/prices/link.ts';
import { claimInEuros } from '../../gateway/test/prices/troubles.ts';
import { silentLog } from '../../gateway/test/support/fixtures.ts';

const pricedLink = 'link-priced';

/** What a state is shown with, beside its payment. */
const optionsOf: Record<string, Partial<PageOptions>> = {
  'priced-lost-rate': { notice: 'no_rate' },
  'priced-claim': { claim: claimInEuros },
};

/** Every state of the hosted page, sent as the gateway sends it: `/pay?state=NAME`; `link` is the page of a payment link. */
export async function openStates() {
  const states: Record<string, CheckoutPayment | null> = {
    ...PAYMENTS,
    ...{ 'priced-claim': PAYMENTS['priced-owed'], 'not-found': null },
  };
  const assets = await loadAssets('/pay');
  const server = createServer({ log: silentLog, trustProxy: false });
  await server.register(async (page) => {
    page.addHook('onSend', compressed({ type: 'text/html', foreign: true }));
    await serveFiles(page, Object.values(assets));
    page.get<{ Querystring: { state: string } }>('/pay', async ({ query }, reply) => {
      const payment = states[query.state];
      const terms = { locale: 'en', payPath: '/pay', assets } as const;
      const more = {
        origin: 'https://pay.example',
        now: NOW,
        maskToken: masker(),
        ...optionsOf[query.state],
      };
      const text =
        query.state === pricedLink
          ? renderLink(linkInEuros, { ...terms, now: NOW, nonce: 'nonce', asksLanguage: false })
          : payment
            ? renderPage(payment, { ...terms, ...more })
            : renderNotFound(terms);
      return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(text);
    });
    page.get('/pay/events', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, names: [...Object.keys(states), pricedLink], close: () => server.close() };
}
