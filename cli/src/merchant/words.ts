import type {
  Currency,
  EventType,
  FeePayer,
  PaymentStatus,
  PayoutOutcome,
  PayoutStatus,
  SimulatedOutcome,
  WebhookEvent,
} from '@florin/sdk';
import { InvalidArgumentError } from 'commander';

// Written out for completions; the compiler compares them with the client's types.

/** Every type of event. */
export type KnownEvent = EventType | WebhookEvent['event_type'];

export const eventTypes = namesOf<KnownEvent>({
  payment_completed: true,
  payment_failed: true,
  payment_abandoned: true,
  payment_linked: true,
  payment_pending: true,
  payment_cancelled: true,
  payment_in_appeal: true,
  payment_appeal_closed: true,
  payment_refunded: true,
  refund_created: true,
  refund_failed: true,
  payout_awaiting_approval: true,
  payout_completed: true,
  payout_failed: true,
  payout_cancelled: true,
  webhook_endpoint_disabled: true,
});

export const paymentStatuses = namesOf<PaymentStatus>({
  unlinked: true,
  linked: true,
  pending: true,
  completed: true,
  failed: true,
  cancelled: true,
  'in-appeal': true,
});

export const currencies = namesOf<Currency>({ PI: true, USDC: true, USDT: true, CSK: true });

export const feePayers = namesOf<FeePayer>({ merchant: true, customer: true });

export const outcomes = namesOf<SimulatedOutcome>({
  success: true,
  failure: true,
  expire: true,
  underpaid: true,
  overpaid: true,
  split: true,
  late: true,
  wrong_token: true,
  slow: true,
  reorg: true,
  dispute: true,
  dust: true,
  two_networks: true,
  two_currencies: true,
  exchange_fee: true,
});

export const payoutStatuses = namesOf<PayoutStatus>({
  awaiting_approval: true,
  queued: true,
  sending: true,
  completed: true,
  cancelled: true,
  rejected: true,
  failed: true,
});

export const payoutOutcomes = namesOf<PayoutOutcome>({
  sent: true,
  slow: true,
  stuck: true,
  refused_address: true,
  no_gas: true,
  signer_silent: true,
  reorg: true,
});

function namesOf<Name extends string>(names: Record<Name, true>): Name[] {
  return Object.keys(names) as Name[];
}

/** `a,b` as a list of event types. */
export function readEventTypes(text: string): EventType[] {
  const given = text.split(',').map((each) => each.trim());
  const unknown = given.find((each) => !eventTypes.includes(each as EventType));
  if (unknown === undefined) return given as EventType[];
  throw new InvalidArgumentError(`There is no event ${unknown}. The events are ${eventTypes.join(', ')}.`);
}
