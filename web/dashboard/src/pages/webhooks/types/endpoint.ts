import type {
  Endpoint,
  EndpointWithSecret,
  HealthHour,
  HealthWindow,
  LastFailure,
  Replay,
} from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import type { EventType } from './event-types.ts';

export type { Endpoint, EndpointWithSecret, HealthHour, HealthWindow, LastFailure, Replay };

/** What a person sets of an endpoint; a header without a value keeps the one it has. */
export type EndpointInput = {
  url: string;
  events: EventType[];
  description: string;
  headers: { name: string; value?: string }[];
};
