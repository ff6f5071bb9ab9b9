import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { keyedOrDryRun, keyedWrite } from '../../identity/keys/keyed-write.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { kitErrors, Refusal, refuse } from '../../kit/errors.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { isUuid } from '../../kit/ids.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { findOwnPayment } from '../read/read.ts';
import { RefundData } from '../refunds/answers.ts';
import { cancelRefund } from '../refunds/cancel.ts';
import { orderRefundWithKey } from '../refunds/order.ts';
import { type FaultOf, RefundBody, refundReader } from '../refunds/schema.ts';
import { type RefundView, refundView } from '../refunds/view.ts';
import { lockPayment } from '../settlement/locks.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { RefundPage } from './answers.ts';

export type RefundRouteDeps = StateDeps & {
  db: Database;
  guards: Guards;
  payUrl: string;
  /** What is wrong with a destination, by the rail that would send there. */
  faultOf: (mode: ApiKey['mode']) => FaultOf;
};

const tags = ['Refunds'];
const Params = Type.Object({ payment_reference: Type.String() });
type Params = Type.Static<typeof Params>;
const CancelParams = Type.Object({ payment_reference: Type.String(), id: Type.String({ format: 'uuid' }) });
type CancelParams = Type.Static<typeof CancelParams>;

/** A merchant's refunds of a payment (contract.md#refunds). */
export function refundRoutes(app: FastifyInstance, deps: RefundRouteDeps): void {
  const { assets } = deps;
  // Whoever may make refunds may be told where they are claimed.
  const view: View = ({ integration }, payment, refund) =>
    refundView({ assets, pagesAt: payUrlOf(deps.payUrl, integration) }, payment, refund);
  orderRoute(app, deps, view);
  orderedRoutes(app, deps, view);
}

type View = (caller: ApiKey, payment: Payment, refund: Refund) => RefundView;

function orderRoute(app: FastifyInstance, deps: RefundRouteDeps, view: View): void {
  const read = refundReader(deps.assets, deps.faultOf);

  app.post<{ Params: Params }>(
    '/payments/:payment_reference/refunds',
    {
      onRequest: deps.guards.key('make refunds'),
      schema: {
        tags,
        operationId: 'createRefund',
        'x-moves-money': true,
        sdk: 'refunds.create({payment_reference}, {body}, {key})',
        summary: 'Refund a payment',
        description:
          'An overpayment is refunded first, the rest out of the business balance. Without `to` the customer is asked, at `claim_url`.',
        params: Params,
        body: RefundBody,
        response: answers(RefundData),
      },
    },
    async (request, reply) => {
      const reference = request.params.payment_reference;
      const names = { route: `refund ${reference}`, done: 'Refund created', judged: 'Refund judged' };
      const answer = await keyedOrDryRun(deps, request, names, async (tx, caller) => {
        const own = await findPaid(tx, caller, reference);
        const payment = await lockPayment(tx, own.id);
        const wanted = await read(tx, payment, request.body);
        return view(caller, payment, await orderRefundWithKey(tx, deps, payment.id, { wanted, key: caller }));
      });
      return sendAnswer(reply, answer);
    },
  );
}

/** What may be asked about refunds that were made, and cancelling them. */
function orderedRoutes(app: FastifyInstance, deps: RefundRouteDeps, view: View): void {
  const { db, guards } = deps;
  const onRequest = guards.key('make refunds');

  app.get<{ Params: Params }>(
    '/payments/:payment_reference/refunds',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listRefunds',
        sdk: 'refunds.list({payment_reference})',
        summary: 'The refunds of a payment',
        description: 'Every refund of the payment, and what each waits for.',
        params: Params,
        response: answers(RefundPage),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      const payment = await findPaid(db, caller, request.params.payment_reference);
      const items = (await refundsOf(db, payment.id)).map((refund) => view(caller, payment, refund));
      return sendEnvelope(reply, envelope('Refunds', { items, next_cursor: null }));
    },
  );

  app.post<{ Params: CancelParams }>(
    '/payments/:payment_reference/refunds/:id/cancel',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'cancelRefund',
        sdk: 'refunds.cancel({payment_reference}, {id}, {key})',
        summary: 'Cancel a refund that is not being sent yet',
        description: 'The money that was held for it is free again.',
        params: CancelParams,
        response: answers(RefundData),
      },
    },
    async (request, reply) => {
      const { payment_reference: reference, id } = request.params;
      const answer = await keyedWrite(deps, request, `cancel refund ${id}`, async (tx, caller) => {
        const payment = await findPaid(tx, caller, reference);
        if (!isUuid(id)) throw refuse(kitErrors.not_found);
        return envelope(
          'Refund cancelled',
          view(caller, payment, await cancelRefund(tx, deps, payment.id, id)),
        );
      });
      return sendAnswer(reply, answer);
    },
  );
}

/** The caller's payment; refuses `info_not_found`. */
async function findPaid(reader: Reader, caller: ApiKey, reference: string): Promise<Payment> {
  try {
    return await findOwnPayment(reader, ownerOf(caller), reference);
  } catch (error) {
    if (error instanceof Refusal && error.row === kitErrors.not_found)
      throw refuse(paymentErrors.info_not_found);
    throw error;
  }
}
