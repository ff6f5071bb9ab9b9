import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import { refuse } from '../../kit/errors.ts';
import { answers } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { makeTopUpAddress, type TopUpDeps, topUpAddresses } from '../arrivals/top-ups.ts';
import { TopUpAddress, TopUpAddresses } from './answers.ts';
import type { PayoutRouteDeps } from './routes.ts';
import { moneyParsers, PayoutBody, strictMoney } from './schema.ts';

const tags = ['Payouts'];
const Body = Type.Object({ asset: PayoutBody.properties.asset });

/** Addresses from which the business balance is topped up, without fee (contract.md#payouts). */
export function topUpRoutes(app: FastifyInstance, deps: PayoutRouteDeps & TopUpDeps): void {
  const { db, guards, assets } = deps;
  const onRequest = guards.key('make payouts');
  const readerOf = (mode: Mode) =>
    fieldReader(Body, {}, { asset: moneyParsers(assets.of(mode)).asset }, strictMoney);
  const readers = { test: readerOf('test'), live: readerOf('live') };

  app.get(
    '/top-up-addresses',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listTopUpAddresses',
        sdk: 'payouts.topUpAddresses.list()',
        summary: 'Addresses that top up the business balance',
        description:
          'Each address belongs to one asset. What comes there is your business balance, without a fee.',
        response: answers(TopUpAddresses),
      },
    },
    async (request, reply) => {
      const { integration, mode } = apiKeyOf(request);
      const listed = await topUpAddresses(db, deps, { id: integration.id, mode });
      const items = listed.map(({ is_readable: _, ...address }) => address);
      return sendEnvelope(reply, envelope('Top-up addresses', { items, next_cursor: null }));
    },
  );

  app.post(
    '/top-up-addresses',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'createTopUpAddress',
        sdk: 'payouts.topUpAddresses.create({body.asset}, {key})',
        summary: 'The address that tops up the business balance of an asset',
        description: 'The same address each time it is asked for. It can be used again and again.',
        body: Body,
        response: answers(TopUpAddress),
      },
    },
    async (request, reply) => {
      const answer = await keyedWrite(deps, request, 'top-up addresses', async (tx, caller) => {
        const { integration, mode } = caller;
        const { asset } = readers[mode](request.body);
        if (mode === 'live' && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
        const made = await makeTopUpAddress(tx, deps, { id: integration.id, mode }, asset);
        return envelope('Top-up address', made);
      });
      return sendAnswer(reply, answer);
    },
  );
}
