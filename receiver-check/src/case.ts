import type { EventDraft, MadeEvent, Signing } from './delivery.ts';

/** A correct delivery, before its case changes the headers. */
export type Delivery = { event: MadeEvent; signing: Signing; at: Date; headers: Record<string, string> };

/** One delivery that a receiver is tested with, of a made-up event. */
export type Case = EventDraft & {
  name: string;
  title: string;
  /** What a correct receiver does: it takes it (2xx), refuses it (4xx), or only does not fail (`survived`). */
  expect: 'taken' | 'refused' | 'survived';
  /** What a correct receiver answers, and why. */
  why: string;
  /** Another status that is right too. */
  alsoRight?: number;
  /** How many are sent at the same moment; 1 unless it is given. */
  times?: number;
  /** Each of those is an event of its own. */
  apart?: boolean;
  /** The secret that must be known to send it. */
  needs?: keyof Signing;
  /** How many seconds from now its timestamp lies. */
  shiftSeconds?: number;
  /** POST unless it is given; a GET has none of the headers and no body. */
  method?: 'GET';
  /** Headers that differ from those of a correct delivery; undefined leaves one out. */
  headers?: (delivery: Delivery) => Record<string, string | undefined>;
  /** Changes the body after it was signed. */
  tamper?: (body: string) => string;
  /** Sends the body in this many pieces, with pauses. */
  pieces?: number;
  /** What to change in a receiver that takes it: it makes the mistake that the title names. */
  mistakeFix?: string;
};

/** Makes cases that expect the same. A case has a payment of its own, unless `more` says otherwise. */
const makerOf =
  (expect: Case['expect']) =>
  (name: string, title: string, why: string, more: Partial<Case> = {}): Case => ({
    name,
    title,
    why,
    expect,
    payment: name.toUpperCase(),
    ...more,
  });

export const taken = makerOf('taken');
export const refused = makerOf('refused');
export const survived = makerOf('survived');

export function isSendable({ needs }: Case, signing: Signing): boolean {
  return needs === undefined || (signing[needs]?.length ?? 0) > 0;
}
