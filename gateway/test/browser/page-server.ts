import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadAssets } from '../../src/checkout/assets.ts';
import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';
import type { PageOptions } from '../../src/checkout/context.ts';
import { isFramed, pageHeaders, policyOf } from '../../src/checkout/headers.ts';
import { LOCALES, type Locale } from '../../src/checkout/locale.ts';
import { stateOf } from '../../src/checkout/state-json.ts';
import { renderReceipt } from '../../src/checkout/views/receipt.ts';
import { renderNotFound, renderPage } from '../../src/checkout/views/render.ts';
import { atFileEnd } from '../suite/endings.ts';
import { NOW } from './checkout-fixtures.ts';

/**
 * For tests in a real browser: serves the page, state and events of one payment over HTTP. `show` replaces the
 * payment; `null` is a payment that does not exist. It ends with the test file.
 */
export async function startPageServer() {
  const assets = await loadAssets('/pay');
  const changes = new EventEmitter();
  let payment: CheckoutPayment | null = null;
  let options: Partial<PageOptions> = {};
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const locale = LOCALES.find((known) => known === searchParams.get('lang')) ?? 'en';
    response.setHeaders(new Map(Object.entries(pageHeaders)));
    const shown = { inPiBrowser: options.isPiBrowser ?? false, inFrame: isFramed(request) };
    response.setHeader('content-security-policy', policyOf(payment, shown));
    const send = (type: string, body: string | Buffer) => response.setHeader('content-type', type).end(body);
    const asset = Object.values(assets).find(({ path }) => path === pathname);
    if (asset) return send(asset.contentType, asset.body);
    if (pathname === '/pay/state')
      return send('application/json', JSON.stringify(payment && stateOf(payment)));
    const render = pathname === '/pay/receipt' ? renderReceipt : renderPage;
    if (pathname !== '/pay/events') return send('text/html; charset=utf-8', page(locale, render));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const push = () => response.write(`data: ${JSON.stringify(payment && stateOf(payment))}\n\n`);
    push();
    changes.on('change', push);
    response.on('close', () => changes.off('change', push));
  });
  const page = (locale: Locale, render: typeof renderPage) =>
    payment
      ? render(payment, {
          locale,
          payPath: '/pay',
          origin: 'https://pay.example',
          now: NOW,
          assets,
          ...options,
        })
      : renderNotFound({ locale, payPath: '/pay', assets });
  server.listen(0, '127.0.0.1');
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`,
    /** Serves another payment from now on, and sends its state to open pages. */
    show(next: CheckoutPayment | null, nextOptions: Partial<PageOptions> = {}): void {
      payment = next;
      options = nextOptions;
      if (next) changes.emit('change');
    },
  };
}

export type PageServer = Awaited<ReturnType<typeof startPageServer>>;
