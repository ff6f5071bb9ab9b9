import { type Static, Type } from 'typebox';
import { noChaos } from '../endpoints/chaos.ts';

const percent = (description: string) => Type.Integer({ minimum: 0, maximum: 100, default: 0, description });

/** Into how many of a hundred attempts each fault is injected. */
export const ChaosData = Type.Object({
  duplicate: percent('Sent again right after the receiver took it.'),
  reorder: percent('Held back, so that the next event of its payment overtakes it.'),
  delay: percent('Held back.'),
  drop: percent('Not sent, as if it were lost on the way; its retry comes as after any failure.'),
  bad_signature: percent('Signed wrongly; the right one follows.'),
  stale_timestamp: percent('Signed with the time of an hour ago; the right one follows.'),
  old_secret: percent('Signed with the secret before this one alone; the right one follows.'),
  delay_seconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: noChaos.delay_seconds,
    description: 'For how long reorder and delay hold back, by the test clock.',
  }),
});
export type ChaosData = Static<typeof ChaosData>;
