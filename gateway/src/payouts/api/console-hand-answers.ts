import { type Static, Type } from 'typebox';
import { Decimal, Id, pageSchema, Time } from '../../kit/http/answers.ts';

// What the calls of operators on payouts by hand answer.

const text = Type.String();

/** Payouts that were given out as a file; `waiting` of them are neither paid nor taken back. */
export const PayoutExport = Type.Object({
  id: Id,
  by: text,
  at: Time,
  payouts: Type.Integer(),
  paid: Type.Integer(),
  waiting: Type.Integer(),
  can_take_back: Type.Boolean(),
  /** Whether its file could still pay something. */
  can_use_up: Type.Boolean(),
});
export type PayoutExport = Static<typeof PayoutExport>;

/** A network whose payouts can be paid by hand: what an export would take now, and the newest exports. */
export const HandNetwork = Type.Object({
  rail: text,
  network: text,
  /** What pays: a vault, which pays each once, or plain transfers of a treasury. */
  from: Type.Enum(['vault', 'treasury']),
  exportable: Type.Array(Type.Object({ asset: text, count: Type.Integer(), amount: Decimal })),
  exports: Type.Array(PayoutExport),
});
export type HandNetwork = Static<typeof HandNetwork>;
export const HandNetworkPage = pageSchema(HandNetwork);
