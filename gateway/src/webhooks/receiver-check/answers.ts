import { findingFields } from '@florin/receiver-check';
import { Type } from 'typebox';
import { named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';

export const CheckItem = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: Type.Enum(['running', 'done', 'stopped'], {
      description: 'stopped: the gateway ended before the check did.',
    }),
    url: Type.String({ format: 'uri' }),
    started_at: Time,
    finished_at: orNull(Time),
    ...findingFields,
  },
  named('ReceiverCheck', 'A check of a receiver: its progress, and its report once it is done.'),
);
export type CheckItem = Type.Static<typeof CheckItem>;
export const CheckPage = pageSchema(CheckItem);
