import type { FastifyInstance } from 'fastify';
import { identityErrors } from '../identity/errors.ts';
import { apiKeyOf, type Guards } from '../identity/keys/guards.ts';
import { keyedWrite } from '../identity/keys/keyed-write.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { answers } from '../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../kit/http/http.ts';
import { type Currency, currencies } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { type QuotedRate, readRates } from './read-rates.ts';
import { RateList, RatesQuery, RateView, readRatesQuery, readTestRate, TestRateBody } from './schema.ts';
import { setTestRate } from './set-test-rate.ts';

/** The rates that hold for payments of the key's integration and mode, and setting those of test mode. */
export function rateRoutes(app: FastifyInstance, deps: { db: Database; guards: Guards; now: Clock }): void {
  const { db, guards, now } = deps;

  app.get(
    '/rates',
    {
      onRequest: guards.anyKey,
      schema: {
        tags: ['Rates'],
        operationId: 'listRates',
        sdk: 'rates.list({query.price_currency})',
        summary: 'What each currency is worth now',
        description:
          'The rates at which a payment with a price would be quoted now. A currency without a rate is left out.',
        querystring: RatesQuery,
        response: answers(RateList),
      },
    },
    async (request, reply) => {
      const { price_currency: priceCurrency } = readRatesQuery(request.query);
      const { integration, mode } = apiKeyOf(request);
      const wanted = currencies.map((currency) => ({
        ...{ integrationId: integration.id, mode, currency, priceCurrency },
      }));
      const found = await readRates(db, wanted, now());
      const items = currencies.flatMap((currency, index) => {
        const rate = found[index];
        return rate ? [viewOf(currency, priceCurrency, rate)] : [];
      });
      return sendEnvelope(reply, envelope('Rates', { items }));
    },
  );

  app.put(
    '/test/rates',
    {
      onRequest: guards.key('use test mode calls'),
      schema: {
        tags: ['Test mode'],
        operationId: 'setTestRate',
        sdk: 'test.rates.set({body}, {key})',
        summary: 'Set the test rate of a pair',
        description:
          'For the integration of the key. It holds until it is changed; payments that were quoted keep their rate.',
        body: TestRateBody,
        response: answers(RateView),
      },
    },
    async (request, reply) => {
      if (apiKeyOf(request).mode !== 'test') throw refuse(identityErrors.test_mode_only);
      const answer = await keyedWrite(deps, request, 'set test rate', async (tx, { integration }) => {
        const { currency, price_currency: priceCurrency, rate } = readTestRate(request.body);
        await setTestRate(tx, integration.id, { currency, priceCurrency, rate }, deps.now());
        const wanted = { integrationId: integration.id, mode: 'test', currency, priceCurrency } as const;
        const [found] = await readRates(tx, [wanted], now());
        if (!found) throw new Error('A pair of test mode has no rate');
        return envelope('Test rate set', viewOf(currency, priceCurrency, found));
      });
      return sendAnswer(reply, answer);
    },
  );
}

function viewOf(currency: Currency, priceCurrency: PriceCurrency, { rate, at, sources }: QuotedRate) {
  return { currency, price_currency: priceCurrency, rate, at: at.toISOString(), sources };
}
