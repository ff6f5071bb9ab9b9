import { type Static, Type } from 'typebox';
import { Id, orNull, pageSchema, Time } from '../kit/http/answers.ts';

// The answers of the operators' calls on the health of the installation.

const text = Type.String();
const count = Type.Integer();

const LoopReport = Type.Object({
  name: text,
  every_seconds: Type.Number(),
  /** Null: not yet. */
  last_done_at: orNull(Time),
  /** Until the loop has worked since. */
  last_fault: orNull(Type.Object({ at: Time, message: text })),
});
export type LoopReport = Static<typeof LoopReport>;

/** `is_alive`: its heartbeat is recent. */
export const ProcessReport = Type.Object({
  id: Id,
  host: text,
  pid: count,
  version: text,
  started_at: Time,
  seen_at: Time,
  is_alive: Type.Boolean(),
  loops: Type.Array(LoopReport),
});
export type ProcessReport = Static<typeof ProcessReport>;
export const ProcessPage = pageSchema(ProcessReport);
