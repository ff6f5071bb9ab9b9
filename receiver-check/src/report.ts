import { type TSchema, Type } from 'typebox';

// What a check found, described once: for the gateway's API, for the command line and for the rules.

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
/** The name of a schema in the gateway's API: gateway/src/kit/http/answers.ts#named. */
const named = (name: string, doc: string) => ({ 'x-named': { name, doc } });
const count = Type.Integer({ minimum: 0 });
const verdict = Type.Enum(['kept', 'broken', 'unclear']);

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
const Advice = Type.Object(advice, {
  description: 'What is wrong with every delivery. Correct this first.',
});
const RuleReport = Type.Object(
  { rule: Type.String(), verdict, ...advice },
  named('CheckedRule', 'A rule for receivers, whether this one keeps it, and what to change if not.'),
);

const ExchangeReport = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    expects: Type.String({ description: 'What a correct receiver answers, and why.' }),
    as_expected: orNull(Type.Boolean({ description: 'null: either answer may be right.' })),
    times: Type.Integer({ description: 'How many were sent at the same moment. The worst answer is shown.' }),
    status_code: orNull(Type.Integer()),
    duration_ms: Type.Integer(),
    error: orNull(Type.String()),
    response: orNull(Type.String({ description: 'The beginning of the answer.' })),
  },
  named('CheckExchange', 'A delivery of a check, and what came back.'),
);

/** The fields of a report. While a check runs, it has exchanges but no rules. */
export const findingFields = {
  planned: Type.Integer({ description: 'How many exchanges there will be, as far as is known yet.' }),
  score: Type.Object({ kept: count, broken: count, unclear: count }),
  diagnosis: orNull(Advice),
  rules: Type.Array(RuleReport, { description: 'Empty until the check is done.' }),
  exchanges: Type.Array(ExchangeReport),
};
const Findings = Type.Object(findingFields);

/** `kept` and `broken` follow from the answers; `unclear`: a person must look at them. */
export type Verdict = Type.Static<typeof verdict>;
export type Advice = Type.Static<typeof Advice>;
export type RuleReport = Type.Static<typeof RuleReport>;
export type ExchangeReport = Type.Static<typeof ExchangeReport>;
export type Findings = Type.Static<typeof Findings>;

/** The report of a check that has sent nothing yet. */
export const emptyFindings: Findings = {
  planned: 0,
  score: { kept: 0, broken: 0, unclear: 0 },
  diagnosis: null,
  rules: [],
  exchanges: [],
};
