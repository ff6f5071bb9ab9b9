import type { FastifyInstance } from 'fastify';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendEnvelope } from '../../kit/http/http.ts';
import { decimalOf } from '../../money/money.ts';
import { createAvailability } from '../rules/availability.ts';
import { payoutTermsOf } from '../rules/terms.ts';
import { PayoutFees } from './answers.ts';
import type { PayoutRouteDeps } from './routes.ts';

/** What a payout costs in each asset, and whether it can be ordered now. */
export function feeRoutes(app: FastifyInstance, { db, guards, assets, sendings }: PayoutRouteDeps): void {
  app.get(
    '/payout-fees',
    {
      onRequest: guards.key('make payouts'),
      schema: {
        tags: ['Payouts'],
        operationId: 'listPayoutFees',
        sdk: 'payouts.fees()',
        summary: 'Fee, minimum and limit of payouts in each asset',
        description: 'Also says whether a payout in the asset can be ordered now, and if not, why.',
        response: answers(PayoutFees),
      },
    },
    async (request, reply) => {
      const { mode, allowance } = apiKeyOf(request);
      const own = assets.of(mode).all;
      const codes = own.map(({ code }) => code);
      const termsOf = await payoutTermsOf(db, codes);
      const whyNot = await createAvailability(db, sendings, mode);
      const items = [];
      for (const { code, scale } of own) {
        const why = await whyNot(code);
        const { fee, minimum } = termsOf(code);
        items.push({
          asset: code,
          fee: decimalOf(fee, scale),
          minimum: decimalOf(minimum, scale),
          daily_limit: allowance && (allowance.limits[code] ?? '0'),
          available: why === null,
          why,
        });
      }
      return sendEnvelope(reply, envelope('Payout fees', { items, next_cursor: null }));
    },
  );
}
