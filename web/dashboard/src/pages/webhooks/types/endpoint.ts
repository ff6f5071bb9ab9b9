import type { Chaos } from './chaos.ts';
import type { EventType } from './event-types.ts';

/** Attempts of some last hours; latencies in ms, of those that were delivered. */
export type HealthWindow = {
  delivered: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
};

export type HealthHour = { hour: string; delivered: number; failed: number };

export type EndpointHealth = {
  last_day: HealthWindow;
  last_week: HealthWindow;
  hours: HealthHour[];
  last_success_at: string | null;
  /** Counted up to 10,000. */
  queued: number;
  next_attempt_at: string | null;
};

/** The last attempt that failed; `status_code` is null when no answer came. */
export type LastFailure = {
  at: string;
  status_code: number | null;
  error: string;
  /** The answer's beginning. */
  response: string | null;
  event_type: EventType;
  payment_reference: string;
};

/** Sending again what failed and was missed: how far it came. */
export type Replay = {
  status: 'running' | 'done';
  since: string | null;
  /** How many deliveries were queued so far. */
  count: number;
  /** How many there were when it began; null: more than can be counted quickly. */
  total: number | null;
  started_at: string;
  finished_at: string | null;
};

export type Endpoint = {
  id: string;
  url: string;
  description: string;
  events: EventType[];
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  failing_since: string | null;
  verified_at: string | null;
  old_secret_until: string | null;
  headers: { name: string }[];
  created_at: string;
  /** Since when it hears of nothing, or did until it was activated; null when nothing is left to send. */
  missing_since: string | null;
  /** Events that it has no delivery of because it was paused or turned off. Counted up to 10,000. */
  missed_events: number;
  last_failure: LastFailure | null;
  replay: Replay | null;
  /** What goes wrong on purpose; null in live mode and where nothing does. */
  chaos: Partial<Chaos> | null;
  health: EndpointHealth;
};

/** What only the list tells. */
type Standing = 'health' | 'missing_since' | 'missed_events' | 'last_failure' | 'replay' | 'chaos';

export type EndpointWithSecret = Omit<Endpoint, Standing> & { secret: string };

/** What a person sets of an endpoint; a header without a value keeps the one it has. */
export type EndpointInput = {
  url: string;
  events: EventType[];
  description: string;
  headers: { name: string; value?: string }[];
};
