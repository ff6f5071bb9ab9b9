import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Guards } from '../identity/keys/guards.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { refuseForeign } from '../kit/http/http.ts';
import type { IsOwnOrigin } from '../kit/net/own-origins.ts';
import type { PiAnswer } from '../rails/pi/platform/answer.ts';
import type { PiBrowser } from '../rails/pi/platform/browser.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

type Fields = Record<string, unknown>;

export type PiRoutesDeps = {
  guards: Guards;
  /** Null: no payments inside the Pi Browser. */
  piBrowser: PiBrowser | null;
  payPath: string;
  /** Public origin of the page. */
  isOwnOrigin: IsOwnOrigin;
  /** The payment that the fields name; throws `not_found`. */
  find(request: FastifyRequest, fields: Fields): Promise<CheckoutPayment>;
};

/** The identifiers of payments on Pi's platform. They fit into a memo. */
const identifierPattern = /^[\w-]{1,28}$/;

/**
 * The calls that the page's script makes when Pi's SDK calls it back. They take forms like the page's other calls, and
 * answer JSON: `{status, message_key?}`. The SDK repeats its callbacks about every ten seconds.
 */
export function piRoutes(page: FastifyInstance, deps: PiRoutesDeps): void {
  const { piBrowser, guards, payPath, isOwnOrigin, find } = deps;
  if (!piBrowser) return;
  type Act = (payment: CheckoutPayment, identifier: string, fields: Fields) => Promise<PiAnswer>;
  const keyOf = ({ id, reference }: CheckoutPayment) => ({ paymentId: id, reference });
  const acts: Record<string, Act> = {
    approve: (payment, identifier) => piBrowser.approve(keyOf(payment), identifier),
    complete: (payment, identifier, { txid }) =>
      piBrowser.complete(keyOf(payment), identifier, typeof txid === 'string' ? txid : ''),
    incomplete: (_, identifier) => piBrowser.incomplete(identifier),
    cancel: (payment, identifier) => piBrowser.cancel(keyOf(payment), identifier),
  };
  for (const [name, act] of Object.entries(acts)) {
    page.post<{ Body: Fields }>(
      `${payPath}/pi/${name}`,
      { schema: { hide: true } },
      async (request, reply) => {
        refuseForeign(request, isOwnOrigin);
        const fields = request.body ?? {};
        const payment = await find(request, fields);
        const { pi_payment: identifier } = fields;
        if (payment.mode !== 'live' || payment.currency !== 'PI') throw refuse(kitErrors.not_found);
        if (typeof identifier !== 'string' || !identifierPattern.test(identifier)) {
          throw refuse(kitErrors.field_invalid, {
            field: 'pi_payment',
            why: 'it is not an identifier of Pi',
          });
        }
        await guards.piBrowser(request, payment.id);
        return reply.type('application/json; charset=utf-8').send(await act(payment, identifier, fields));
      },
    );
  }
}
