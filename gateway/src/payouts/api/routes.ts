import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiKeyOf, type Guards } from '../../identity/keys/guards.ts';
import { keyedOrDryRun, keyedWrite } from '../../identity/keys/keyed-write.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { answers } from '../../kit/http/answers.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { askForPayouts, assertEnabled, keyRequester } from '../lifecycle/ask.ts';
import { cancelPayout } from '../lifecycle/cancel.ts';
import type { Wanted } from '../lifecycle/order.ts';
import type { PayoutDeps } from '../lifecycle/state.ts';
import type { Payout } from '../payout/payout.ts';
import { listPayouts, viewsOf } from '../payout/read.ts';
import { BatchData, PayoutData, PayoutPage } from './answers.ts';
import { findForKey } from './find-for-key.ts';
import {
  BatchBody,
  batchBytes,
  batchReader,
  type FaultOf,
  ListQuery,
  PayoutOrderBody,
  payoutReader,
  readListQuery,
} from './schema.ts';
import { totalsOf } from './totals.ts';

export type PayoutRouteDeps = PayoutDeps & {
  db: Database;
  guards: Guards;
  /** What is wrong with a destination, by the rail that would send there. */
  faultOf: (mode: ApiKey['mode']) => FaultOf;
};

const tags = ['Payouts'];
const Params = Type.Object({ payout: Type.String({ description: 'The id, or the payout_reference.' }) });
type Params = Type.Static<typeof Params>;

/** A merchant's payouts out of the business balance (contract.md#payouts). */
export function payoutRoutes(app: FastifyInstance, deps: PayoutRouteDeps): void {
  orderRoutes(app, deps);
  orderedRoutes(app, deps);
}

function orderRoutes(app: FastifyInstance, deps: PayoutRouteDeps): void {
  const { db, guards, assets } = deps;
  const onOrder = guards.key('make payouts', undefined, (key) => assertEnabled(db, key));
  const readers = {
    test: payoutReader(assets.of('test'), deps.faultOf('test')),
    live: payoutReader(assets.of('live'), deps.faultOf('live')),
  };
  const order = (tx: Tx, caller: ApiKey, wanted: readonly Wanted[]) =>
    askForPayouts(tx, deps, { ...caller, requester: keyRequester(caller) }, wanted);

  app.post(
    '/payouts',
    {
      onRequest: onOrder,
      schema: {
        tags,
        operationId: 'createPayout',
        'x-moves-money': true,
        sdk: 'payouts.create({body}, {key})',
        summary: 'Order a payout',
        description:
          'Amount and fee are held in the business balance at once; the recipient gets exactly `amount`. Send an `Idempotency-Key`, so that the order is given once however often the call is made.',
        body: PayoutOrderBody,
        response: answers(PayoutData),
      },
    },
    async (request, reply) => {
      const names = { route: 'payouts', done: 'Payout created', judged: 'Payout judged' };
      const answer = await keyedOrDryRun(deps, request, names, async (tx, caller) => {
        const wanted = readers[caller.mode](request.body);
        return (await viewsOf(tx, assets, await order(tx, caller, [wanted])))[0];
      });
      return sendAnswer(reply, answer);
    },
  );

  app.post(
    '/payouts/batch',
    {
      onRequest: onOrder,
      bodyLimit: batchBytes,
      schema: {
        tags,
        operationId: 'createPayoutBatch',
        'x-moves-money': true,
        sdk: 'payouts.createBatch({body}, {key})',
        summary: 'Order up to 500 payouts, all or none',
        description:
          'Each item is a body of `POST /payouts`. A fault in one refuses the batch and is named by its `index`.',
        body: BatchBody,
        response: answers(BatchData),
      },
    },
    async (request, reply) => {
      const read = batchReader(readers[apiKeyOf(request).mode]);
      const names = { route: 'payouts batch', done: 'Payouts created', judged: 'Payouts judged' };
      const answer = await keyedOrDryRun(deps, request, names, async (tx, caller) => {
        const payouts = await order(tx, caller, read(request.body));
        return { items: await viewsOf(tx, assets, payouts), totals: totalsOf(payouts, assets) };
      });
      return sendAnswer(reply, answer);
    },
  );
}

/** What may be asked about payouts that were ordered, and cancelling them. */
function orderedRoutes(app: FastifyInstance, deps: PayoutRouteDeps): void {
  const { db, guards, assets } = deps;
  const onRequest = guards.key('make payouts');
  const viewOf = async (tx: Tx | Database, payout: Payout) => (await viewsOf(tx, assets, [payout]))[0];

  app.get(
    '/payouts',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listPayouts',
        sdk: 'payouts.list({query})',
        summary: 'List payouts, newest first',
        description:
          "The payouts of the key's integration and mode, with refunds and returns, which payouts carry.",
        querystring: ListQuery,
        response: answers(PayoutPage),
      },
    },
    async (request, reply) => {
      const { status, asset, cursor, limit = 20 } = readListQuery(request.query);
      const before = cursor === undefined ? null : decodeCursor(cursor, [uuidPattern])[0];
      const found = await listPayouts(db, ownerOf(apiKeyOf(request)), {
        ...{ status, asset, before },
        limit: limit + 1,
      });
      const page = pageOf(found, limit, ({ id }) => encodeCursor([id]));
      const items = await viewsOf(db, assets, page.items);
      return sendEnvelope(reply, envelope('Payouts', { items, next_cursor: page.next_cursor }));
    },
  );

  app.get<{ Params: Params }>(
    '/payouts/:payout',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'getPayout',
        sdk: 'payouts.get({payout})',
        summary: 'One payout',
        description: 'By its id or by your reference. `failure` also says what holds a queued payout up.',
        params: Params,
        response: answers(PayoutData),
      },
    },
    async (request, reply) => {
      const payout = await findForKey(db, deps.purposes, apiKeyOf(request), request.params.payout);
      return sendEnvelope(reply, envelope('Payout', await viewOf(db, payout)));
    },
  );

  app.post<{ Params: Params }>(
    '/payouts/:payout/cancel',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'cancelPayout',
        sdk: 'payouts.cancel({payout}, {key})',
        summary: 'Cancel a payout that is not being sent yet',
        description: 'What was held for it is free again, and `payout_cancelled` is sent.',
        params: Params,
        response: answers(PayoutData),
      },
    },
    async (request, reply) => {
      const name = request.params.payout;
      const answer = await keyedWrite(deps, request, `cancel payout ${name}`, async (tx, caller) => {
        const { id } = await findForKey(tx, deps.purposes, caller, name);
        return envelope('Payout cancelled', await viewOf(tx, await cancelPayout(tx, deps, id)));
      });
      return sendAnswer(reply, answer);
    },
  );
}
