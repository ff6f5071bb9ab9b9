import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Change, recordChange } from '../../identity/audit/audit-log.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { keyActor } from '../../identity/keys/key-actor.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { assertMakeable, type CreateDeps } from '../create/create.ts';
import type { Creator } from '../create/draft.ts';
import { linkView, type PaymentLink } from '../links/link.ts';
import { findLink, insertLink, linkChange, listLinks, setActive, unused, usesOf } from '../links/links.ts';
import {
  LinkBody,
  LinkChangeBody,
  LinkQuery,
  readLinkBody,
  readLinkChange,
  readLinkQuery,
} from '../links/schema.ts';
import { LinkData, LinkPage } from './link-answers.ts';

export type LinkDeps = Pick<CreateDeps, 'termsOf' | 'rates' | 'offered' | 'payUrl' | 'isDirectRequired'> & {
  db: Database;
  now: Clock;
};

const Params = Type.Object({ id: Type.String() });
type Params = Type.Static<typeof Params>;
const tags = ['Payment links'];

/** Makes a link, after what its payments would be refused for. */
export async function makeLink(tx: Tx, deps: LinkDeps, creator: Creator, body: unknown) {
  const now = deps.now();
  const input = readLinkBody(body, now);
  const { asks, max_amount: most } = input;
  await assertMakeable(tx, deps, creator, {
    ...input,
    asks: asks.price ? asks : { ...asks, amount: asks.amount ?? most },
  });
  const link = await insertLink(tx, ownerOf(creator), input, now);
  return {
    data: linkView(payUrlOf(deps.payUrl, creator.integration), link, unused, now),
    change: linkChange('made a payment link', null, link),
  };
}

/** Stops a link of the creator's, or lets it take payments again. */
export async function changeLink(
  tx: Tx,
  deps: LinkDeps,
  creator: Creator,
  { id, body }: { id: string; body: unknown },
) {
  const before = await findLink(tx, ownerOf(creator), id);
  const { active } = readLinkChange(body);
  const link = await setActive(tx, before, active, deps.now());
  const change = linkChange(active ? 'resumed a payment link' : 'stopped a payment link', before, link);
  return { data: await shown(tx, deps, creator, link), change };
}

/** A page of the creator's links. */
export async function linkPage(deps: LinkDeps, creator: Creator, query: unknown) {
  const page = await listLinks(deps.db, ownerOf(creator), readLinkQuery(query));
  const payUrl = payUrlOf(deps.payUrl, creator.integration);
  const items = page.items.map(({ link, use }) => linkView(payUrl, link, use, deps.now()));
  return { ...page, items };
}

async function shown(
  reader: Parameters<typeof usesOf>[0],
  { payUrl, now }: LinkDeps,
  { integration }: Creator,
  link: PaymentLink,
) {
  const use = (await usesOf(reader, [link.id]))(link.id);
  return linkView(payUrlOf(payUrl, integration), link, use, now());
}

/** A merchant's payment links: addresses at which customers make payments by themselves. */
export function linkRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  allLinkRoutes(app, deps);
  oneLinkRoutes(app, deps);
}

type LinkRouteDeps = LinkDeps & { guards: Guards };

/** Writes with its entry in the audit log, once for each Idempotency-Key. */
async function written(
  deps: LinkRouteDeps,
  request: FastifyRequest,
  { scope, message }: { scope: string; message: string },
  work: (tx: Tx, caller: Creator) => Promise<{ data: LinkData; change: Change }>,
) {
  return await keyedWrite(deps, request, scope, async (tx, caller) => {
    const { data, change } = await work(tx, caller);
    const actor = await keyActor(tx, request);
    await recordChange(tx, actor, { integrationId: caller.integration.id, ...change }, deps.now());
    return envelope(message, data);
  });
}

function allLinkRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { guards } = deps;
  app.post(
    '/payment-links',
    {
      onRequest: guards.key('create payments'),
      schema: {
        tags,
        operationId: 'createPaymentLink',
        sdk: 'paymentLinks.create({body}, {key})',
        summary: 'Make a payment link',
        description: 'Each use of it is an ordinary payment, whose `payment_link` is its id.',
        body: LinkBody,
        response: answers(LinkData),
      },
    },
    async (request, reply) => {
      const message = 'Payment link created';
      const answer = await written(deps, request, { scope: 'create payment link', message }, (tx, caller) =>
        makeLink(tx, deps, caller, request.body),
      );
      return sendAnswer(reply, answer);
    },
  );

  app.get(
    '/payment-links',
    {
      onRequest: guards.key('read payments'),
      schema: {
        tags,
        operationId: 'listPaymentLinks',
        sdk: 'paymentLinks.list({query})',
        summary: 'List payment links, newest first',
        description:
          "The links of the key's integration and mode, each with how often it was used and what that brought in.",
        querystring: LinkQuery,
        response: answers(LinkPage),
      },
    },
    async (request, reply) =>
      sendEnvelope(reply, envelope('Payment links', await linkPage(deps, apiKeyOf(request), request.query))),
  );
}

function oneLinkRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { db, guards } = deps;
  app.get<{ Params: Params }>(
    '/payment-links/:id',
    {
      onRequest: guards.key('read payments'),
      schema: {
        tags,
        operationId: 'getPaymentLink',
        sdk: 'paymentLinks.get({id})',
        summary: 'One payment link',
        description: 'Its address, whether it takes payments, and what came of it.',
        params: Params,
        response: answers(LinkData),
      },
    },
    async (request, reply) => {
      const caller = apiKeyOf(request);
      const link = await findLink(db, ownerOf(caller), request.params.id);
      return sendEnvelope(reply, envelope('Payment link', await shown(db, deps, caller, link)));
    },
  );

  app.patch<{ Params: Params }>(
    '/payment-links/:id',
    {
      onRequest: guards.key('create payments'),
      schema: {
        tags,
        operationId: 'changePaymentLink',
        sdk: 'paymentLinks.update({id}, {body}, {key})',
        summary: 'Stop a payment link, or let it take payments again',
        description: 'Payments that are open go on when a link is stopped.',
        params: Params,
        body: LinkChangeBody,
        response: answers(LinkData),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const message = 'Payment link updated';
      const answer = await written(
        deps,
        request,
        { scope: `change payment link ${id}`, message },
        (tx, caller) => changeLink(tx, deps, caller, { id, body: request.body }),
      );
      return sendAnswer(reply, answer);
    },
  );
}
