import { Type } from 'typebox';
import { named } from '../../kit/http/answers.ts';
import { type FieldJudge, fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { outcomes } from '../../rails/simulated/scenarios.ts';
import type { Wish } from './script.ts';

const outcomeName = Type.Enum([...outcomes]);
const decimalPattern = '^(?=[0-9.]*[1-9])(?:0|[1-9][0-9]{0,14})(?:[.][0-9]{1,18})?$';
const decimals = new RegExp(decimalPattern);
const maxDelaySeconds = 30 * 24 * 3600;

export const SimulateBody = Type.Object(
  {
    outcome: Type.Union(
      [outcomeName, Type.Array(outcomeName, { minItems: 1, uniqueItems: true, maxItems: outcomes.length })],
      { description: 'One outcome, or several that combine: GET /test/scenarios says which do.' },
    ),
    amount: Type.Optional(
      Type.String({
        pattern: decimalPattern,
        description: "What is sent in all, in the payment's currency; by default what the outcomes say.",
      }),
    ),
    delay_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxDelaySeconds,
        default: 0,
        description: 'How long nothing happens, by the test clock.',
      }),
    ),
  },
  named('SimulateInput', 'What to simulate on a test payment.'),
);

const judges: Record<'outcome' | 'amount', FieldJudge> = {
  outcome(value) {
    if (value === undefined) return invalid('outcome', 'is required');
    const names: unknown[] = [value].flat();
    return names.length > 0 && names.every((name) => outcomes.some((known) => known === name))
      ? null
      : invalid('outcome', `must be one of ${outcomes.join(', ')}, or a list of some that combine`);
  },
  amount: (value) =>
    value === undefined || (typeof value === 'string' && decimals.test(value))
      ? null
      : invalid('amount', 'must be a positive decimal number as a string, such as "12.5"'),
};

const readBody = fieldReader(SimulateBody, judges);
const readFields = queryReader(SimulateBody, judges);

/** Reads what is to be played from a request's JSON. */
export function readWish(input: unknown): Wish {
  return wishOf(readBody(input));
}

/** Reads the same from a query or a form, whose numbers are texts. */
export function readWishFields(input: unknown): Wish {
  return wishOf(readFields(input));
}

function wishOf({ outcome, amount, delay_seconds: delaySeconds }: Type.Static<typeof SimulateBody>): Wish {
  return { outcomes: [outcome].flat(), amount, delaySeconds };
}
