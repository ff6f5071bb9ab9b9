import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { assertMay } from '../../identity/keys/guards.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { assertTest } from '../../identity/test-mode.ts';
import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { answers, named } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { envelope, sendAnswer } from '../../kit/http/http.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import { postAll } from '../../ledger/ledger.ts';
import { decimalOf } from '../../money/money.ts';
import { simulatedRail } from '../../rails/simulated/rail.ts';
import { sendOutcomes } from '../../rails/simulated/sends.ts';
import { simulatePayout } from '../lifecycle/simulate.ts';
import { payoutErrors } from '../payout/errors.ts';
import { findPayout, viewsOf } from '../payout/read.ts';
import { PayoutData, ToppedUp } from './answers.ts';
import { findForKey } from './find-for-key.ts';
import type { PayoutRouteDeps } from './routes.ts';
import { moneyParsers, PayoutBody } from './schema.ts';

const tags = ['Test mode'];
const Params = Type.Object({
  payout: Type.String({
    description: 'The id, the payout_reference, or the id of the refund that it carries.',
  }),
});
type Params = Type.Static<typeof Params>;
const OutcomeBody = Type.Object({
  outcome: Type.Enum(
    [...sendOutcomes],
    named('PayoutOutcome', 'The outcomes that can be simulated on a test payout.'),
  ),
});
const readOutcome = fieldReader(OutcomeBody);
const TopUpBody = Type.Object({ asset: PayoutBody.properties.asset, amount: PayoutBody.properties.amount });

/** Playing outcomes to test payouts, and test money for the business (contract.md#payouts). */
export function payoutTestRoutes(app: FastifyInstance, deps: PayoutRouteDeps): void {
  const { guards, assets } = deps;
  const onRequest = guards.key('use test mode calls');
  // Assets of test networks are never simulated.
  const readTopUp = fieldReader(TopUpBody, {}, moneyParsers(assets.of('live')));

  app.post<{ Params: Params }>(
    '/test/payouts/:payout/simulate',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'simulatePayout',
        sdk: 'test.payouts.simulate({payout}, {body.outcome}, {key})',
        summary: 'Play an outcome on a test payout',
        description: 'The outcome replaces the one that the payout would have by itself.',
        params: Params,
        body: OutcomeBody,
        response: answers(PayoutData),
      },
    },
    async (request, reply) => {
      const name = request.params.payout;
      const answer = await keyedWrite(deps, request, `simulate payout ${name}`, async (tx, caller) => {
        assertTest(caller.mode);
        const { outcome } = readOutcome(request.body);
        const id = await findPlayable(tx, deps, caller, name);
        await simulatePayout(tx, deps, id, outcome);
        const [view] = await viewsOf(tx, assets, [await findPayout(tx, ownerOf(caller), id)]);
        return envelope('Payout simulated', view);
      });
      return sendAnswer(reply, answer);
    },
  );

  app.post(
    '/test/top-ups',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'createTestTopUp',
        sdk: 'test.topUp({body}, {key})',
        summary: 'Give test money to the business',
        description:
          'Adds to the business balance of test mode, so that payouts, refunds and funding can be tried.',
        body: TopUpBody,
        response: answers(ToppedUp),
      },
    },
    async (request, reply) => {
      const answer = await keyedWrite(deps, request, 'test top-ups', async (tx, { mode, integration }) => {
        assertTest(mode);
        const { asset, amount: units } = readTopUp(request.body);
        const now = deps.now();
        const transfer = {
          ...{ id: newId(now), mode, asset: asset.code, units },
          debit: { kind: 'external', owner: simulatedRail },
          credit: { kind: 'business', owner: integration.id },
          ...{ cause: 'top_up', causeId: null },
        } as const;
        await postAll(tx, [transfer], now);
        const data = { asset: asset.code, amount: decimalOf(units, asset.scale) };
        return envelope('Balance topped up', data);
      });
      return sendAnswer(reply, answer);
    },
  );
}

/** The payout of this name, or the one that carries what has this id, such as a refund. */
async function findPlayable(
  tx: Tx,
  { purposes }: PayoutRouteDeps,
  caller: ApiKey,
  name: string,
): Promise<string> {
  if (isUuid(name)) {
    for (const { findCarried, right } of Object.values(purposes)) {
      const found = await findCarried?.(tx, ownerOf(caller), name);
      if (!found) continue;
      if (right) assertMay(caller, right);
      if (found.payoutId !== null) return found.payoutId;
      throw refuse(payoutErrors.not_playable_payout, { status: found.status });
    }
  }
  return (await findForKey(tx, purposes, caller, name)).id;
}
