import { type Static, Type } from 'typebox';
import { Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';

// Answers about acts of operators that wait for another operator, or for a day to pass.

const text = Type.String();
const Person = Type.Object({ id: Id, email: text });
const Fields = Type.Record(text, Type.Unknown());

export const Proposal = Type.Object({
  id: Id,
  /** `Change the fee of an integration` */
  title: text,
  subject: Type.Object({ kind: text, id: text }),
  integration: orNull(Type.Object({ id: Id, name: text })),
  before: orNull(Fields),
  after: orNull(Fields),
  asked_at: Time,
  asked_by: Person,
  /** The reader asked for it. */
  is_own: Type.Boolean(),
  /** When it is done without a confirmation; null: another operator must confirm it. */
  due_at: orNull(Time),
  expires_at: Time,
  state: Type.Enum(['open', 'done', 'refused', 'cancelled', 'expired', 'failed']),
  ended_at: orNull(Time),
  /** Null while it is open, and when the gateway ended it. */
  ended_by: orNull(Person),
  why: orNull(text),
});
export type Proposal = Static<typeof Proposal>;
export const ProposalPage = pageSchema(Proposal);

/** The answer 202 of an act that was not done at once. */
export const KeptAct = Type.Object({ proposal: Proposal });
export type KeptAct = Static<typeof KeptAct>;
