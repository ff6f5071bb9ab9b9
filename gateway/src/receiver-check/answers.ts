import { Type } from 'typebox';
import { orNull, pageSchema, Time } from '../kit/http/answers.ts';

// What the calls on receiver checks answer, for the API's description.

const verdict = Type.Enum(['kept', 'broken', 'unclear']);
const count = Type.Integer({ minimum: 0 });
const advice = {
  title: Type.String(),
  evidence: Type.String({ description: 'What was sent and what came back.' }),
  fix: Type.String({ description: 'What to change, or where to look; empty when there is nothing to do.' }),
  snippet: orNull(
    Type.Enum(['verify', 'raw-body', 'store-once', 'answer-first', 'ignore-unknown'], {
      description: 'Which example shows the fix.',
    }),
  ),
};

export const CheckItem = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: Type.Enum(['running', 'done', 'stopped'], {
    description: 'stopped: the gateway ended before the check did.',
  }),
  url: Type.String({ format: 'uri' }),
  started_at: Time,
  finished_at: orNull(Time),
  planned: Type.Integer({ description: 'How many exchanges there will be, as far as is known yet.' }),
  score: Type.Object({ kept: count, broken: count, unclear: count }),
  diagnosis: orNull(
    Type.Object(advice, { description: 'What is wrong with everything, to be mended first.' }),
  ),
  rules: Type.Array(Type.Object({ rule: Type.String(), verdict, ...advice }), {
    description: 'Empty until the check is done.',
  }),
  exchanges: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      expects: Type.String({ description: 'What a right receiver answers to it, and why.' }),
      as_expected: orNull(Type.Boolean({ description: 'null: either answer may be right.' })),
      times: Type.Integer({ description: 'How many were sent at the same moment; the worst is shown.' }),
      status_code: orNull(Type.Integer()),
      duration_ms: Type.Integer(),
      error: orNull(Type.String()),
      response: orNull(Type.String({ description: 'The beginning of the answer.' })),
    }),
  ),
});
export const CheckPage = pageSchema(CheckItem);

export const CheckParams = Type.Object({ id: Type.String(), check: Type.String() });
export type CheckParams = Type.Static<typeof CheckParams>;
