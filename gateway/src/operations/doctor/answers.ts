import { type Static, Type } from 'typebox';
import { orNull, Time } from '../../kit/http/answers.ts';

const text = Type.String();
const LevelName = Type.Union([
  Type.Literal('fault'),
  Type.Literal('warning'),
  Type.Literal('unknown'),
  Type.Literal('ok'),
]);

/** `check` and `finding` are names; `about`, `what` and `todo` are the texts of them. */
const DoctorFinding = Type.Object({
  check: text,
  finding: text,
  level: LevelName,
  about: text,
  what: text,
  todo: orNull(text),
  detail: orNull(text),
});
export type DoctorFinding = Static<typeof DoctorFinding>;

/** The newest report of the doctor; null: none was made yet. */
export const DoctorView = orNull(
  Type.Object({ at: Time, took_ms: Type.Integer(), findings: Type.Array(DoctorFinding) }),
);
export type DoctorView = Static<typeof DoctorView>;
