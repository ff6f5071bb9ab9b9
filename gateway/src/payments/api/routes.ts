import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiKeyOf, createCall, type Guards, idempotencyScope } from '../../identity/keys/guards.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { replayOr } from '../../kit/http/idempotency.ts';
import type { CreatePayment } from '../create/create.ts';
import { CreateBody, ListQuery, readCreateBody, readListQuery } from '../create/schema.ts';
import { paymentErrors } from '../payment/errors.ts';
import { pagesForKey } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import type { Explorers } from '../read/explorers.ts';
import { createInfoLookup } from '../read/info.ts';
import { describePayment, findOwnPayment, listPayments } from '../read/read.ts';
import { cancelPayment } from '../settlement/act.ts';
import { isOfCurrency } from '../settlement/received.ts';
import { CreatedData, InfoData, PaymentDetail, PaymentPage } from './answers.ts';

export type PaymentRouteDeps = StateDeps & {
  db: Database;
  guards: Guards;
  payUrl: string;
  explorers: Explorers;
  createPayment: CreatePayment;
};

const ReferenceParams = Type.Object({ payment_reference: Type.String() });
type ReferenceParams = Type.Static<typeof ReferenceParams>;

/** The merchant's calls on payments (contract.md#payments and #calls). */
export function paymentRoutes(app: FastifyInstance, deps: PaymentRouteDeps): void {
  createRoute(app, deps);
  infoRoute(app, deps);
  listRoute(app, deps);
  ownPaymentRoutes(app, deps);
}

function createRoute(app: FastifyInstance, deps: PaymentRouteDeps): void {
  const { db, guards } = deps;
  app.put(
    '/payment/create',
    {
      onRequest: guards.key('create payments', createCall),
      schema: {
        tags: ['Payments'],
        operationId: 'createPayment',
        sdk: 'payments.create({body}, {key})',
        summary: 'Create a payment',
        description:
          'Answers with the payment and `PaymentURL`, the address of its page: keep `payment_reference` with your order, and send the customer there. The fee is fixed now. Without an `Idempotency-Key`, give a `payment_reference` of your own: a second payment with it is refused.',
        body: CreateBody,
        response: answers(CreatedData),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      await guards.probe.check(request);
      const key = idempotencyKeyOf(request, idempotencyScope(caller, 'create'));
      try {
        const created = await replayOr(db, key, () =>
          deps.createPayment(caller, readCreateBody(request.body), key),
        );
        return sendAnswer(reply, created);
      } catch (error) {
        if (error instanceof Refusal && error.row === paymentErrors.reference_exists) {
          await guards.probe.count(request);
        }
        throw error;
      }
    },
  );
}

function infoRoute(app: FastifyInstance, { db, guards }: PaymentRouteDeps): void {
  const findInfo = createInfoLookup(db);
  app.get<{ Params: ReferenceParams }>(
    '/payment/info/:payment_reference',
    {
      onRequest: guards.keyIfAny,
      schema: {
        tags: ['Payments'],
        operationId: 'getPaymentInfo',
        sdk: 'payments.info({payment_reference})',
        summary: 'Get payment information',
        description:
          "Returns six fields. With a key: of the integration's own payment in the key's mode. Without one: of the live payment with this reference, else of the test payment if only one integration has one.",
        params: ReferenceParams,
        response: answers(InfoData),
        security: [{}, { key: [] }],
      },
    },
    async (request, reply) => {
      await guards.probe.check(request);
      const owner = request.apiKey ? ownerOf(request.apiKey) : null;
      const info = await findInfo(request.params.payment_reference, owner);
      if (info) return sendEnvelope(reply, envelope('Payment information', info));
      await guards.probe.count(request);
      throw refuse(paymentErrors.info_not_found);
    },
  );
}

function listRoute(app: FastifyInstance, { db, guards, payUrl }: PaymentRouteDeps): void {
  app.get(
    '/payments',
    {
      onRequest: guards.key('read payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'listPayments',
        sdk: 'payments.list({query})',
        summary: 'List payments, newest first',
        description:
          "The payments of the key's integration and mode. Every filter narrows the list; filters can be combined.",
        querystring: ListQuery,
        response: answers(PaymentPage),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      const pagesAt = pagesForKey(payUrl, caller);
      const page = await listPayments(db, ownerOf(caller), readListQuery(request.query), pagesAt);
      return sendEnvelope(reply, envelope('Payments', page));
    },
  );
}

/** Whether all that pays a payment goes to the merchant's own addresses (contract.md#direct). */
async function settlementOf(
  reader: Reader,
  { rail, assets }: Pick<PaymentRouteDeps, 'rail' | 'assets'>,
  payment: Payment,
): Promise<'balance' | 'direct'> {
  const shown = await rail.destinations(reader, payment.id);
  const own = shown.filter((each) => isOfCurrency(assets, payment, each));
  return own.length > 0 && own.every(({ isDirect }) => isDirect) ? 'direct' : 'balance';
}

/** One payment of the key's integration: read, or cancelled. */
function ownPaymentRoutes(app: FastifyInstance, deps: PaymentRouteDeps): void {
  const { db, guards } = deps;
  const detail = async (reader: Reader, caller: ApiKey, reference: string) => {
    const payment = await findOwnPayment(reader, ownerOf(caller), reference);
    const described = await describePayment(reader, deps, payment, pagesForKey(deps.payUrl, caller));
    return { ...described, settlement: await settlementOf(reader, deps, payment) };
  };

  app.get<{ Params: ReferenceParams }>(
    '/payments/:payment_reference',
    {
      onRequest: guards.key('read payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'getPayment',
        sdk: 'payments.get({payment_reference})',
        summary: 'Everything known of a payment',
        description:
          'All fields of one payment: what is due and what came, each transfer, each refund, and every step with its time.',
        params: ReferenceParams,
        response: answers(PaymentDetail),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        reply,
        envelope('Payment', await detail(db, apiKeyOf(request), request.params.payment_reference)),
      ),
  );

  app.post<{ Params: ReferenceParams }>(
    '/payments/:payment_reference/cancel',
    {
      onRequest: guards.key('cancel payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'cancelPayment',
        sdk: 'payments.cancel({payment_reference}, {key})',
        summary: 'Cancel a payment nobody has paid yet',
        description:
          'Only while no money was seen for it. The customer cannot pay any more, and `payment_cancelled` is sent.',
        params: ReferenceParams,
        response: answers(PaymentDetail),
      },
    },
    async (request, reply) => {
      const reference = request.params.payment_reference;
      const answer = await keyedWrite(deps, request, `cancel ${reference}`, async (tx, caller) => {
        const payment = await findOwnPayment(tx, ownerOf(caller), reference);
        await cancelPayment(tx, deps, payment.id, 'merchant');
        return envelope('Payment cancelled', await detail(tx, caller, reference));
      });
      return sendAnswer(reply, answer);
    },
  );
}
