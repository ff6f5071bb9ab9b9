import { type Static, Type } from 'typebox';
import { named } from '../../kit/http/answers.ts';

const percent = (description: string) => Type.Integer({ minimum: 0, maximum: 100, default: 0, description });

const faults = {
  duplicate: percent('Sent again right after the receiver took it.'),
  reorder: percent('Held back, so that the next event of its payment overtakes it.'),
  delay: percent('Held back.'),
  drop: percent('Not sent, as if it were lost on the way; its retry comes as after any failure.'),
  bad_signature: percent('Signed wrongly; the right one follows.'),
  stale_timestamp: percent('Signed with the time of an hour ago; the right one follows.'),
  old_secret: percent('Signed with the secret before this one alone; the right one follows.'),
};

/** A fault that may be injected into an attempt at a test endpoint. */
export type FaultKind = keyof typeof faults;
export const faultKinds = Object.keys(faults) as FaultKind[];

const defaultDelaySeconds = 10;

/** Into how many of a hundred attempts each fault is injected. */
export const ChaosData = Type.Object(
  {
    ...faults,
    delay_seconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: defaultDelaySeconds,
      description: 'For how long reorder and delay hold back, by the test clock.',
    }),
  },
  named('Chaos', 'The injected faults of a test endpoint, each in percent of the attempts; 0 is never.'),
);
export type Chaos = Static<typeof ChaosData>;

const none = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
export const noChaos: Chaos = { ...none, delay_seconds: defaultDelaySeconds };
