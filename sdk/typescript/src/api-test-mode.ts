// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
import type { Currency } from './api-payments.ts';

/** The outcomes that can be simulated. */
export type SimulatedOutcome =
  | 'success'
  | 'failure'
  | 'expire'
  | 'underpaid'
  | 'overpaid'
  | 'split'
  | 'late'
  | 'wrong_token'
  | 'slow'
  | 'reorg'
  | 'dispute'
  | 'dust'
  | 'two_networks'
  | 'two_currencies'
  | 'exchange_fee';

/** An outcome that can be simulated: what happens, and what it combines with. */
export type Scenario = {
  outcome: SimulatedOutcome;
  title: string;
  happens: string;
  /** Where a payment ends that only this is played to. */
  ends: string;
  /** Whether `amount` may be named with it. */
  takes_amount: boolean;
  combines_with: SimulatedOutcome[];
};

/** What to simulate on a test payment. */
export type SimulateInput = {
  /** One outcome, or several that combine: GET /test/scenarios says which do. */
  outcome: SimulatedOutcome | SimulatedOutcome[];
  /** What is sent in all, in the payment's currency; by default what the outcomes say. */
  amount?: string | undefined;
  /** How long nothing happens, by the test clock. */
  delay_seconds?: number | undefined;
};

/** One step of a script; its seconds are those of the test clock after the start. */
export type ScriptStep = {
  after_seconds: number;
  what: 'fail' | 'expire' | 'dispute' | 'seen' | 'final' | 'gone';
  transfer: {
    /** Which transfer of the script it is, from 1. */
    number: number;
    asset: string;
    amount: string;
    confirmations: number;
    needed: number;
  } | null;
};

/** What a simulation would do, step by step. */
export type Script = {
  steps: ScriptStep[];
};

/** The outcomes that can be simulated on a test payout. */
export type PayoutOutcome =
  | 'sent'
  | 'slow'
  | 'stuck'
  | 'refused_address'
  | 'no_gas'
  | 'signer_silent'
  | 'reorg';

/** The injected faults of a test endpoint, each in percent of the attempts; 0 is never. */
export type Chaos = {
  /** Sent again right after the receiver took it. */
  duplicate: number;
  /** Held back, so that the next event of its payment overtakes it. */
  reorder: number;
  /** Held back. */
  delay: number;
  /** Not sent, as if it were lost on the way; its retry comes as after any failure. */
  drop: number;
  /** Signed wrongly; the right one follows. */
  bad_signature: number;
  /** Signed with the time of an hour ago; the right one follows. */
  stale_timestamp: number;
  /** Signed with the secret before this one alone; the right one follows. */
  old_secret: number;
  /** For how long reorder and delay hold back, by the test clock. */
  delay_seconds: number;
};

/** The faults to inject; absent ones are off, and `{}` ends them all. */
export type ChaosInput = {
  /** Sent again right after the receiver took it. */
  duplicate?: number | undefined;
  /** Held back, so that the next event of its payment overtakes it. */
  reorder?: number | undefined;
  /** Held back. */
  delay?: number | undefined;
  /** Not sent, as if it were lost on the way; its retry comes as after any failure. */
  drop?: number | undefined;
  /** Signed wrongly; the right one follows. */
  bad_signature?: number | undefined;
  /** Signed with the time of an hour ago; the right one follows. */
  stale_timestamp?: number | undefined;
  /** Signed with the secret before this one alone; the right one follows. */
  old_secret?: number | undefined;
  /** For how long reorder and delay hold back, by the test clock. */
  delay_seconds?: number | undefined;
};

/** A rule for receivers, whether this one keeps it, and what to change if not. */
export type CheckedRule = {
  rule: string;
  verdict: 'kept' | 'broken' | 'unclear';
  title: string;
  /** What was sent and what came back. */
  evidence: string;
  /** What to change, or where to look; empty when there is nothing to do. */
  fix: string;
  snippet: 'verify' | 'raw-body' | 'store-once' | 'answer-first' | 'ignore-unknown' | null;
};

/** A delivery of a check, and what came back. */
export type CheckExchange = {
  name: string;
  title: string;
  /** What a correct receiver answers, and why. */
  expects: string;
  as_expected: boolean | null;
  /** How many were sent at the same moment. The worst answer is shown. */
  times: number;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
};

/** A check of a receiver: its progress, and its report once it is done. */
export type ReceiverCheck = {
  id: string;
  /** stopped: the gateway ended before the check did. */
  status: 'running' | 'done' | 'stopped';
  url: string;
  started_at: string;
  finished_at: string | null;
  /** How many exchanges there will be, as far as is known yet. */
  planned: number;
  score: {
    kept: number;
    broken: number;
    unclear: number;
  };
  diagnosis: {
    title: string;
    /** What was sent and what came back. */
    evidence: string;
    /** What to change, or where to look; empty when there is nothing to do. */
    fix: string;
    snippet: 'verify' | 'raw-body' | 'store-once' | 'answer-first' | 'ignore-unknown' | null;
  } | null;
  /** Empty until the check is done. */
  rules: CheckedRule[];
  exchanges: CheckExchange[];
};

/** What the test clock of the integration shows. */
export type TestClock = {
  now: string;
};

/** A rate for the payments of test mode. */
export type TestRateInput = {
  currency: Currency;
  /** An ISO 4217 code, such as `EUR`. */
  price_currency: string;
  /** A positive decimal with at most 12 decimals; null: the built-in rate again. */
  rate: string | number | null;
};
