import { type Static, Type } from 'typebox';
import { Decimal, named, orNull, pageSchema } from '../../kit/http/answers.ts';
import { outcomes } from '../../rails/simulated/scenarios.ts';

// What the calls on the simulator answer.

const outcomeName = Type.Enum(
  [...outcomes],
  named('SimulatedOutcome', 'The outcomes that can be simulated.'),
);

/** What can be played, and with what together. */
export const Scenario = Type.Object(
  {
    outcome: outcomeName,
    title: Type.String(),
    happens: Type.String(),
    ends: Type.String({ description: 'Where a payment ends that only this is played to.' }),
    takes_amount: Type.Boolean({ description: 'Whether `amount` may be named with it.' }),
    combines_with: Type.Array(outcomeName),
  },
  named('Scenario', 'An outcome that can be simulated: what happens, and what it combines with.'),
);
export type Scenario = Static<typeof Scenario>;
export const ScenarioPage = pageSchema(Scenario);

/** One thing that will happen; `transfer` is null where the payment itself is acted on. */
const Step = Type.Object(
  {
    after_seconds: Type.Integer(),
    what: Type.Enum(['fail', 'expire', 'dispute', 'seen', 'final', 'gone']),
    transfer: orNull(
      Type.Object({
        number: Type.Integer({ description: 'Which transfer of the script it is, from 1.' }),
        asset: Type.String(),
        amount: Decimal,
        confirmations: Type.Integer(),
        needed: Type.Integer(),
      }),
    ),
  },
  named('ScriptStep', 'One step of a script; its seconds are those of the test clock after the start.'),
);
export type Step = Static<typeof Step>;

/** What will happen, in the order in which it will. */
export const ScriptData = Type.Object(
  { steps: Type.Array(Step) },
  named('Script', 'What a simulation would do, step by step.'),
);
export type ScriptData = Static<typeof ScriptData>;
