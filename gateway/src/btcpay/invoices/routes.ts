import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiKeyOf, idempotencyScope } from '../../identity/keys/guards.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { idempotencyKeyOf } from '../../kit/http/http.ts';
import { replayOr } from '../../kit/http/idempotency.ts';
import type { CreatePayment } from '../../payments/create/create.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import {
  changeInvoice,
  findInvoice,
  type InvoicedPayment,
  invoicesOf,
  listInvoices,
} from '../../payments/payment/invoice.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { cancelPayment } from '../../payments/settlement/act.ts';
import { call } from '../protocol/door.ts';
import { objectOf } from '../protocol/objects.ts';
import { problem, unprocessable } from '../protocol/problems.ts';
import { readMetadata, termsOf } from './metadata.ts';
import { type MethodDeps, methodViews } from './methods-view.ts';
import { readInvoicesQuery } from './query.ts';
import { readInvoice } from './read-create.ts';
import { invoiceView, invoiceViews, type ViewDeps } from './view.ts';

export type InvoiceRouteDeps = StateDeps &
  ViewDeps &
  MethodDeps & { db: Database; createPayment: CreatePayment };

type Params = { storeId: string; invoiceId: string };

const read = 'btcpay.store.canviewinvoices';
const modify = 'btcpay.store.canmodifyinvoices';
const invoices = '/stores/:storeId/invoices';

/** Metadata alone may have 64 KiB, and a body more around it. */
const bodyLimit = 128 * 1024;

/** Invoices: payments under ids of their own (contract.md#btcpay). */
export function invoiceRoutes(door: FastifyInstance, deps: InvoiceRouteDeps): void {
  const { db } = deps;
  createRoute(door, deps);

  door.get(invoices, call(read), async (request) => {
    const key = apiKeyOf(request);
    const found = await listInvoices(db, ownerOf(key), readInvoicesQuery(key, request.query));
    return await invoiceViews(db, deps, found);
  });

  door.get<{ Params: Params }>(`${invoices}/:invoiceId`, call(read), async (request) =>
    invoiceView(db, deps, await ownInvoice(db, request)),
  );

  door.get<{ Params: Params; Querystring: { onlyAccountedPayments?: string } }>(
    `${invoices}/:invoiceId/payment-methods`,
    call(read),
    async (request) => {
      const { payment } = await ownInvoice(db, request);
      const onlyAccounted = request.query.onlyAccountedPayments?.toLowerCase() !== 'false';
      return await methodViews(db, deps, payment, { onlyAccounted });
    },
  );

  changeRoutes(door, deps);
}

function createRoute(door: FastifyInstance, deps: InvoiceRouteDeps): void {
  const { db, assets, createPayment } = deps;
  const create = { ...call('btcpay.store.cancreateinvoice'), bodyLimit };
  door.post(invoices, create, async (request) => {
    const key = apiKeyOf(request);
    // That API has no such key; a shop that sends one makes one invoice by it.
    const once = idempotencyKeyOf(request, idempotencyScope(key, 'create invoice'));
    const made = await replayOr(db, once, () =>
      createPayment(key, readInvoice(assets, key, request.body), once),
    ).catch(refuseField);
    return await invoiceView(db, deps, await madeInvoice(db, key, made.body));
  });
}

/** The invoice of the payment that an answer of its creation names. */
async function madeInvoice(reader: Reader, key: ApiKey, answer: string): Promise<InvoicedPayment> {
  const { data } = JSON.parse(answer) as { data: { PaymentData: { id: string } } };
  const invoice = (await invoicesOf(reader, [data.PaymentData.id])).get(data.PaymentData.id);
  if (!invoice) throw new Error('A payment of the door has an invoice');
  return await found(reader, key, invoice.id);
}

/** What a payment calls an address of its own, an invoice calls the place that its customer returns to. */
function refuseField(error: unknown): never {
  if (error instanceof Refusal && error.faults.some(({ field }) => field === 'success_url'))
    throw unprocessable('checkout.redirectURL', error.message);
  throw error;
}

function changeRoutes(door: FastifyInstance, deps: InvoiceRouteDeps): void {
  const { db } = deps;
  type Change = (tx: Tx, found: InvoicedPayment, request: FastifyRequest) => Promise<void>;
  /** Changes an invoice in one transaction, and returns it as it is then. */
  const change = async (request: FastifyRequest, work: Change) => {
    await transaction(db, async (tx) => work(tx, await ownInvoice(tx, request), request));
    return await invoiceView(db, deps, await ownInvoice(db, request));
  };
  const one = `${invoices}/:invoiceId`;

  door.put(one, { ...call(modify), bodyLimit }, (request) =>
    change(request, async (tx, { payment, invoice }) => {
      const { orderId, metadata } = readMetadata(objectOf(request.body, '').metadata);
      const terms = termsOf(payment, metadata, [invoice.id, ...invoice.checkout.searchTerms]);
      await changeInvoice(tx, payment.id, { orderId, metadata, terms });
    }),
  );

  door.post(`${one}/status`, call(modify), (request) =>
    change(request, async (tx, { payment }) => {
      const { status } = objectOf(request.body, '');
      if (status === 'Settled')
        throw unprocessable('status', 'A payment settles by money alone: accept what came in the dashboard');
      if (status !== 'Invalid') throw unprocessable('status', 'Must be Invalid');
      await cancelPayment(tx, deps, payment.id, 'merchant').catch((error: unknown) => {
        if (error instanceof Refusal && error.row === paymentErrors.not_cancellable)
          throw unprocessable('status', error.message);
        throw error;
      });
    }),
  );

  door.delete(one, call(modify), async (request, reply) => {
    await change(request, (tx, { payment }) => changeInvoice(tx, payment.id, { archived: true }));
    return reply.code(200).send();
  });

  door.post(`${one}/unarchive`, call(modify), (request) =>
    change(request, async (tx, { payment, invoice }) => {
      if (!invoice.archived) throw problem(400, 'already-unarchived', 'The invoice is not archived');
      await changeInvoice(tx, payment.id, { archived: false });
    }),
  );
}

async function ownInvoice(reader: Reader, request: FastifyRequest): Promise<InvoicedPayment> {
  return await found(reader, apiKeyOf(request), (request.params as Params).invoiceId);
}

async function found(reader: Reader, key: ApiKey, id: string): Promise<InvoicedPayment> {
  const invoice = await findInvoice(reader, ownerOf(key), id);
  if (!invoice) throw problem(404, 'invoice-not-found', 'The invoice was not found');
  return invoice;
}
