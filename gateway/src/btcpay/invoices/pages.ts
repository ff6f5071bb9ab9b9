import type { FastifyInstance, FastifyReply } from 'fastify';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Reader } from '../../kit/db/db.ts';
import { pageOfInvoice } from '../../payments/payment/invoice.ts';
import { paymentUrl } from '../../payments/payment/page-link.ts';

export type InvoicePageDeps = { db: Reader; guards: Pick<Guards, 'anyone'>; payUrl: string };

type Invoice = { Params: { id: string }; Querystring: { parent?: string; close?: string } };

/** Where customers of shops go: an invoice's id leads to its payment's page, which then pays and does nothing else. */
export function invoicePages(server: FastifyInstance, { db, guards, payUrl }: InvoicePageDeps): void {
  const options = { schema: { hide: true }, onRequest: guards.anyone };
  type Place = { below?: string; frame?: Record<string, string> };
  const lead = async (reply: FastifyReply, id: string, { below = '', frame }: Place = {}) => {
    const found = await pageOfInvoice(db, id);
    // In a frame it stays here: the script around it knows this address alone.
    const at = frame ? `${payUrl}/frame` : payUrlOf(payUrl, found ?? { pageDomain: null });
    // Its page for what is not found is that of payments.
    if (!found) return reply.redirect(at, 303);
    const lang = found.language?.split('-')[0]?.toLowerCase();
    const query = new URLSearchParams({ ...frame, ...(lang && { lang }) });
    const url = paymentUrl(at + below, found.reference, found.integrationId, id);
    return reply.redirect(query.size === 0 ? url : `${url}&${query}`, 303);
  };
  server.get<Invoice>('/i/:id', options, (request, reply) => lead(reply, request.params.id));
  server.get<Invoice>('/i/:id/receipt', options, (request, reply) =>
    lead(reply, request.params.id, { below: '/receipt' }),
  );
  // The script of shops' pages asks for it, with the page that it is to stand in (contract.md#frames).
  server.get<Invoice>('/i/:id/frame', options, (request, reply) => {
    const { parent, close } = request.query;
    const more = { ...(parent && { parent: `${parent}` }), ...(close && { close: `${close}` }) };
    return lead(reply, request.params.id, { frame: more });
  });
}
