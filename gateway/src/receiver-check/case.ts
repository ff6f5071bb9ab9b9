import type { EventDraft, MadeEvent, Message, Signing } from './message.ts';

/**
 * What a right receiver does: takes it (2xx), refuses it (4xx), or only answers without failing (`withstood`).
 */
export type Expectation = 'taken' | 'refused' | 'withstood';

export type CaseContext = { event: MadeEvent; signing: Signing; at: Date };

/** One delivery that a receiver is tried with. */
export type Case = {
  name: string;
  title: string;
  expect: Expectation;
  /** What a right receiver answers, and why. */
  why: string;
  event: EventDraft;
  /** A status that is right as well. */
  alsoRight?: number;
  /** How many are sent at the same moment; 1 unless it says otherwise. */
  times?: number;
  /** Each of them tells of an event of its own. */
  apart?: boolean;
  /** What has to be known to send it. */
  needs?: 'secretKey' | 'endpointSecret';
  /** How many seconds from now it claims to be sent. */
  shiftSeconds?: number;
  /** What is done to the honest delivery. */
  change?: (message: Message, context: CaseContext) => Message;
  /** Sends the body in so many pieces, with pauses. */
  pieces?: number;
};

export function withHeaders(message: Message, headers: Record<string, string>): Message {
  return { ...message, headers: { ...message.headers, ...headers } };
}

export function completed(payment: string, more: Partial<EventDraft> = {}): EventDraft {
  return { key: payment, payment, type: 'payment_completed', status: 'completed', ...more };
}

export function isSendable({ needs }: Case, { secretKey, endpointSecrets }: Signing): boolean {
  if (needs === 'secretKey') return secretKey !== null;
  return needs === undefined || endpointSecrets.length > 0;
}
