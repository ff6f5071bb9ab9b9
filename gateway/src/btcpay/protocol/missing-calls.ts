import type { FastifyInstance, FastifyRequest } from 'fastify';
import { call } from './door.ts';
import { problem } from './problems.ts';

/**
 * Parts of that API for which Florin has nothing: they are known, and answered as not implemented; any other address is not
 * found. docs/btcpay.md lists them for people.
 */
const unserved = [
  /^\/stores\/[^/]+\/(?:lightning|lightning-addresses|users|roles|email|apps|payment-requests|payouts|payout-processors|reports|rates\/configuration|logo|offerings)(?:\/|$)/,
  /^\/stores\/[^/]+\/payment-methods\/[^/]+\/(?:wallet|preview)(?:\/|$)/,
  /^\/stores\/[^/]+\/(?:payment-methods\/)?(?:onchain|lightningnetwork|lnurl|lnurlpay)(?:\/|$)/i,
  /^\/stores\/[^/]+\/invoices\/[^/]+\/(?:payment-methods\/[^/]+\/activate|refund\/[^/]+)$/,
  /^\/(?:users|server|notifications|apps|lightning|misc|files|plugins|subscriptions|plan-checkout|subscriber-portal)(?:\/|$)/,
  /^\/api-keys(?:\/|$)/,
  /^\/pull-payments\/[^/]+\/(?:payouts|lnurl|boltcards)(?:\/|$)/,
  /^\/stores\/[^/]+$/,
  /^\/stores$/,
];

/** Answers every other address of that API: 501 for what it has and Florin has not, else 404. */
export function missingCalls(door: FastifyInstance): void {
  const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const handler = async (request: FastifyRequest) => {
    const path = `/${(request.params as { '*': string })['*']}`;
    throw unserved.some((pattern) => pattern.test(path))
      ? problem(501, 'not-implemented', 'Florin does not have this part of the API')
      : problem(404, 'not-found', 'Not found');
  };
  door.route({ method, url: '/*', ...call(), handler });
}
