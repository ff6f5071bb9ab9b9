import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Guards } from '../identity/keys/guards.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import type { PiAnswer } from '../rails/pi/platform/answer.ts';
import type { PiBrowser, PiBrowsers } from '../rails/pi/platform/browser.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

type Fields = Record<string, unknown>;

export type PiRoutesDeps = {
  guards: Guards;
  piBrowsers: PiBrowsers;
  payPath: string;
  /** Refuses the form of another site. */
  refuseOthers(request: FastifyRequest): void;
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
  const { piBrowsers, guards, payPath, refuseOthers, find } = deps;
  if (!piBrowsers.live && !piBrowsers.test) return;
  type Act = (
    piBrowser: PiBrowser,
    payment: CheckoutPayment,
    identifier: string,
    fields: Fields,
  ) => Promise<PiAnswer>;
  const keyOf = ({ id, reference }: CheckoutPayment) => ({ paymentId: id, reference });
  const acts: Record<string, Act> = {
    approve: (piBrowser, payment, identifier) => piBrowser.approve(keyOf(payment), identifier),
    complete: (piBrowser, payment, identifier, { txid }) =>
      piBrowser.complete(keyOf(payment), identifier, typeof txid === 'string' ? txid : ''),
    incomplete: (piBrowser, _, identifier) => piBrowser.incomplete(identifier),
    cancel: (piBrowser, payment, identifier) => piBrowser.cancel(keyOf(payment), identifier),
  };
  for (const [name, act] of Object.entries(acts)) {
    page.post<{ Body: Fields }>(
      `${payPath}/pi/${name}`,
      { schema: { hide: true } },
      async (request, reply) => {
        refuseOthers(request);
        const fields = request.body ?? {};
        const payment = await find(request, fields);
        const { pi_payment: identifier } = fields;
        const piBrowser = piBrowsers[payment.mode];
        if (!piBrowser || payment.currency !== 'PI') throw refuse(kitErrors.not_found);
        if (typeof identifier !== 'string' || !identifierPattern.test(identifier)) {
          throw refuse(kitErrors.field_invalid, {
            field: 'pi_payment',
            why: 'it is not an identifier of Pi',
          });
        }
        await guards.piBrowser(request, payment.id);
        return reply
          .type('application/json; charset=utf-8')
          .send(await act(piBrowser, payment, identifier, fields));
      },
    );
  }
}
