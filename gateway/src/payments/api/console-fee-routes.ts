import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { FeeTerms } from '../../identity/integration.ts';
import { changeFee } from '../../identity/integrations/fees.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type FieldJudge, fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { feeOf } from '../payment/amount.ts';
import { ChangedFee, FeeExamples } from './console-answers/operators.ts';

// A fee is in the payment's own currency, and the coarsest of them has six decimals.
const feeScale = 6;
const exampleAmounts = [10n, 100n, 1_000n];

const part = Type.Optional(Type.String({ maxLength: 30 }));
const FeeBody = Type.Object({
  bps: Type.Integer({ minimum: 0, maximum: 10_000 }),
  fixed: part,
  floor: part,
  cap: part,
});

const unitsOf = (value: unknown): bigint | null =>
  typeof value === 'string' && value.length <= 30 ? unitsOfDecimal(value, feeScale) : null;

const decimalJudge =
  (field: string): FieldJudge =>
  (value) =>
    value === undefined || unitsOf(value) !== null
      ? null
      : invalid(field, `must be a decimal with at most ${feeScale} decimals`);

const capJudge: FieldJudge = (value, { floor }) => {
  const units = unitsOf(value);
  if (units === null) return decimalJudge('cap')(value, {});
  return units < (unitsOf(floor) ?? 0n) ? invalid('cap', 'must not be below the floor') : null;
};

const judges = { fixed: decimalJudge('fixed'), floor: decimalJudge('floor'), cap: capJudge };
const readFee = fieldReader(FeeBody, judges);
const readBps = queryReader(Type.Object({ bps: FeeBody.properties.bps }));

/** What an integration pays for each payment, tried out and changed. */
export function feeRoutes(dashboard: Console): void {
  dashboard.get('operator', '/fee-examples', { answer: FeeExamples }, async ({ query }) => ({
    message: 'What the fee would be',
    data: { examples: examplesOf(termsOf(readFee({ ...(query as object), ...readBps(query) }))) },
  }));

  dashboard.propose(
    'PUT',
    '/integrations/:id/fee',
    { kind: 'fee', title: 'Change the fee of an integration', answer: ChangedFee },
    async (tx, { params: { id = '' }, body }) => {
      if (!isUuid(id)) throw refuse(kitErrors.not_found);
      const fee = termsOf(readFee(body));
      const before = await changeFee(tx, id, fee);
      return {
        message: 'Fee changed',
        data: { fee, examples: examplesOf(fee) },
        change: {
          action: 'changed the fee',
          subject: { kind: 'integration', id },
          integrationId: id,
          before,
          after: fee,
        },
      };
    },
  );
}

function termsOf(input: { bps: number; fixed?: string; floor?: string; cap?: string }): FeeTerms {
  return { bps: input.bps, fixed: input.fixed ?? '0', floor: input.floor ?? '0', cap: input.cap ?? null };
}

function examplesOf(terms: FeeTerms) {
  return exampleAmounts.map((whole) => {
    const amount = whole * 10n ** BigInt(feeScale);
    const fee = feeOf(terms, amount, feeScale);
    return {
      amount: decimalOf(amount, feeScale),
      fee: decimalOf(fee, feeScale),
      merchant_receives: decimalOf(amount - fee, feeScale),
    };
  });
}
