import { type Static, Type } from 'typebox';
import { Id, orNull, Time } from '../../kit/http/answers.ts';

/** The newest proof statement, and the path of a business in it; null: nothing was published, or the mode is test. */
export const OwnProof = orNull(
  Type.Object({
    id: Id,
    made_at: Time,
    /** The public page of the statement. */
    url: Type.String(),
    /** The statement as it was published, as JSON that the browser checks. */
    statement: Type.String(),
    /** Where the balances of the business are in it, as JSON; null: it had none then. */
    path: orNull(Type.String()),
  }),
);
export type OwnProof = Static<typeof OwnProof>;
