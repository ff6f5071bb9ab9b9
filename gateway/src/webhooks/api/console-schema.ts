import { Type } from 'typebox';
import { endParser, fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { DeliveryStatus } from '../answers/answers.ts';
import { maxHeaders } from '../endpoints/headers.ts';
import { sentTypes } from '../events/event-types.ts';
import { mostCounted } from '../replay/replay.ts';
import { replayWish, url } from './schema.ts';

const time = Type.String({ format: 'date-time' });

const header = Type.Object({
  // A token of RFC 9110.
  name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" }),
  // No line breaks: one would begin a header of its own.
  value: Type.Optional(Type.String({ pattern: '^[!-~](?:[ -~]{0,1022}[!-~])?$' })),
});

const settings = {
  description: Type.Optional(Type.String({ format: 'text', maxLength: 200 })),
  headers: Type.Optional(Type.Array(header, { maxItems: maxHeaders })),
};

const sentEvents = Type.Array(Type.Enum([...sentTypes]), { minItems: 1, uniqueItems: true });

/** All settings of an endpoint: what is left out becomes empty. */
export const readEndpointBody = fieldReader(Type.Object({ url, events: sentEvents, ...settings }));

export const readStatusBody = fieldReader(Type.Object({ status: Type.Enum(['active', 'paused']) }));

export const readReplayQuery = queryReader(Type.Object(replayWish));

export const readReplayBody = fieldReader(
  Type.Object({ ...replayWish, expected: Type.Integer({ minimum: 0, maximum: mostCounted + 1 }) }),
);

const reference = Type.String({ format: 'text', maxLength: 255 });

export const readDeliveriesQuery = queryReader(
  Type.Object({
    endpoint: Type.Optional(Type.String({ pattern: uuidPattern.source })),
    status: Type.Optional(DeliveryStatus),
    type: Type.Optional(Type.Enum([...sentTypes])),
    reference: Type.Optional(reference),
    since: Type.Optional(time),
    until: Type.Optional(time),
    ...pageFields,
  }),
  {},
  { until: endParser('until') },
);

/** The most payments that a page of the list has. */
const maxPayments = 100;

export const readResendBody = fieldReader(
  Type.Object({ references: Type.Array(reference, { minItems: 1, maxItems: maxPayments }) }),
);

export const readEventsQuery = queryReader(Type.Object({ reference }));
