import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { CountedKind } from './kinds.ts';

/** What happened of one kind since the account of the day before. */
export type DayCount = {
  kind: CountedKind;
  count: number;
  /** Of payments and payouts, by currency: plain decimals. Those that failed are left out. */
  totals: { currency: string; amount: string }[];
  /** The merchant's references of the newest, where the person chose a list. */
  references: string[];
};

/** The text of an event `notice_day`: what one endpoint of notices tells of a day. */
export type DayFacts = {
  event_type: 'notice_day';
  integration_id: IntegrationId;
  mode: Mode;
  counts: DayCount[];
};
