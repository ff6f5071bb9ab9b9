import type { FastifyRequest } from 'fastify';
import type { PageHosts } from '../../identity/integrations/page-hosts.ts';
import { refuseForeign } from '../../kit/http/http.ts';
import { ownOrigins } from '../../kit/net/own-origins.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { isFramed } from '../headers.ts';
import { isPiBrowser } from '../pi-offer.ts';

/** Refuses the form of another site. */
export type RefuseOthers = (request: FastifyRequest) => void;

export type PageHostDeps = {
  baseUrl: string;
  payUrl: string;
  /** Further origins by which people reach the gateway. */
  origins: readonly string[];
  /** The domains of merchants at which their pages are. */
  hosts: PageHosts;
};

/** A domain of a merchant takes the forms of its own pages alone; the installation's names take those of each other. */
export function createRefuseOthers({ hosts, payUrl, baseUrl, origins }: PageHostDeps): RefuseOthers {
  // A proxy may give the page another address than the API, which serves it, too.
  const isOwnOrigin = ownOrigins([payUrl, baseUrl, ...origins]);
  return (request) => {
    const host = hosts.of(request);
    refuseForeign(request, host ? (origin) => origin === host.origin : isOwnOrigin);
  };
}

/**
 * Where a page on a domain of a merchant leads in the Pi Browser, when Pi's SDK could pay: Pi knows the installation's address
 * alone. Null: nowhere.
 */
export function leadToPi(
  { hosts, payUrl }: Pick<PageHostDeps, 'hosts' | 'payUrl'>,
  request: FastifyRequest,
  payment: Pick<CheckoutPayment, 'methods'> | null,
): string | null {
  const isInPi = isPiBrowser(request.headers['user-agent']) && !isFramed(request);
  const isOffered = payment?.methods.some(({ pi }) => pi !== undefined) ?? false;
  if (!isInPi || !isOffered || hosts.of(request) === null) return null;
  return payUrl + request.url.slice(request.url.indexOf('?'));
}
