import type { Observation } from '../rail.ts';

/** What the chain shows of one transfer, in seconds from its beginning. */
export type Pace = readonly { afterSeconds: number; state: Observation['state']; confirmations: number }[];

export const confirmationsNeeded = 3;

/** Final at once. */
export const atOnce: Pace = [{ afterSeconds: 0, state: 'final', confirmations: confirmationsNeeded }];

/** A confirmation every 20 seconds. */
export const slowly: Pace = [0, 1, 2, 3].map((confirmations) => ({
  afterSeconds: confirmations * 20,
  state: confirmations < confirmationsNeeded ? 'seen' : 'final',
  confirmations,
}));

/** Seen, and gone again with its block. */
export const reorged: Pace = [
  { afterSeconds: 0, state: 'seen', confirmations: 1 },
  { afterSeconds: 30, state: 'gone', confirmations: 0 },
];

/** The seconds between the beginnings of two transfers. */
export const gapSeconds = 30;

/** A part of the amount that is missing; `tolerated`: where the payment tolerates that less comes, no less than that. */
type Share = { numerator: bigint; denominator: bigint; tolerated?: true };

/** What is played to a payment, whatever it lacks and whichever asset its customer chose. */
export type Script = {
  /** What happens to the payment before any money is on its way. */
  first: 'fail' | 'expire' | null;
  /** How much comes in total; `dust` is the smallest unit of the asset. */
  amount: Share | 'dust' | 'nothing';
  /** The asset of each transfer; the amount is divided into equal parts. */
  transfers: readonly ('chosen' | 'other network' | 'other currency')[];
  pace: Pace;
  /** What the customer does after all transfers. */
  last: 'dispute' | null;
};

/** An outcome that can be played: what it changes in a script in which the full amount comes at once. */
export type Scenario = {
  title: string;
  happens: string;
  ends: string;
  changes: Partial<Script>;
  /** It does not pay the payment, so that there is nothing to dispute. */
  unpaid?: true;
};

const whole: Share = { numerator: 1n, denominator: 1n };

const plain: Script = { first: null, amount: whole, transfers: ['chosen'], pace: atOnce, last: null };

/** The outcomes of contract.md#calls, and at the end four more. */
export const scenarios = {
  success: {
    title: 'Success',
    happens: 'The full amount arrives and is final.',
    ends: 'completed',
    changes: { amount: whole },
  },
  failure: {
    title: 'Failure',
    happens: 'The payment fails. Nothing is sent.',
    ends: 'failed',
    changes: { first: 'fail', amount: 'nothing' },
  },
  expire: {
    title: 'Expiry',
    happens: 'The deadline passes now. Nothing is sent.',
    ends: 'cancelled as abandoned; in-appeal when a part had come',
    changes: { first: 'expire', amount: 'nothing' },
  },
  underpaid: {
    title: 'Underpaid',
    happens: 'Half of the amount arrives.',
    ends: 'pending; at the deadline in-appeal',
    changes: { amount: { numerator: 1n, denominator: 2n } },
    unpaid: true,
  },
  overpaid: {
    title: 'Overpaid',
    happens: 'One and a half times the amount arrives.',
    ends: 'completed, with an overpayment',
    changes: { amount: { numerator: 3n, denominator: 2n } },
  },
  split: {
    title: 'Split',
    happens: 'Half of it is sent now, half after 30 seconds.',
    ends: 'pending, then completed',
    changes: { transfers: ['chosen', 'chosen'] },
  },
  late: {
    title: 'Late',
    happens: 'The deadline passes now, and then the money comes.',
    ends: 'cancelled as abandoned, then completed',
    changes: { first: 'expire' },
  },
  wrong_token: {
    title: 'Wrong token',
    happens: 'The amount arrives in another currency. It is shown but does not count.',
    ends: 'unchanged',
    changes: { transfers: ['other currency'] },
    unpaid: true,
  },
  slow: {
    title: 'Slow',
    happens: 'Each transfer is seen first, and confirmed every 20 seconds, 3 times.',
    ends: 'pending, then completed',
    changes: { pace: slowly },
  },
  reorg: {
    title: 'Reorg',
    happens: 'Each transfer is seen, and a reorg removes it after 30 seconds.',
    ends: 'pending; failed half an hour later, because it does not come back',
    changes: { pace: reorged },
    unpaid: true,
  },
  dispute: {
    title: 'Dispute',
    happens: 'The payment is paid if it was not, and then the customer disputes it.',
    ends: 'in-appeal',
    changes: { last: 'dispute' },
  },
  dust: {
    title: 'Dust',
    happens: 'The smallest unit of the asset arrives, and no more: too little to move the payment.',
    ends: 'as it was; at the deadline cancelled',
    changes: { amount: 'dust', transfers: ['chosen'] },
    unpaid: true,
  },
  two_networks: {
    title: 'Two networks',
    happens: 'Half of it comes on the chosen network, and after 30 seconds half on another.',
    ends: 'pending, then completed with money in two assets',
    changes: { transfers: ['chosen', 'other network'] },
  },
  two_currencies: {
    title: 'Two currencies',
    happens: 'Half of it comes as it should, and after 30 seconds half in another currency.',
    ends: 'pending; at the deadline in-appeal',
    changes: { transfers: ['chosen', 'other currency'] },
    unpaid: true,
  },
  exchange_fee: {
    title: 'Exchange fee',
    happens: 'An exchange keeps 1 % of it, or all that may be missing where that is less; the rest arrives.',
    ends: 'pending; at the deadline completed short where that may be missing, else in-appeal',
    changes: { amount: { numerator: 99n, denominator: 100n, tolerated: true } },
    unpaid: true,
  },
} as const satisfies Record<string, Scenario>;

export type Outcome = keyof typeof scenarios;

export const outcomes = Object.keys(scenarios) as [Outcome, ...Outcome[]];

const scenarioOf = (outcome: Outcome): Scenario => scenarios[outcome];

const decided: Record<keyof Script, string> = {
  first: 'what happens before the money comes',
  amount: 'how much is sent',
  transfers: 'which transfers are sent',
  pace: 'how the chain shows them',
  last: 'what the customer does afterwards',
};

/** Why two outcomes cannot be played together, as the end of a sentence; null when they can. */
export function whyIncompatible(one: Outcome, other: Outcome): string | null {
  if (one === other) return 'it is there twice';
  const pair = [one, other];
  const idle = outcomes.find((each) => pair.includes(each) && scenarioOf(each).changes.amount === 'nothing');
  if (idle) return `${idle} sends nothing and is played by itself`;
  const changedBy = (each: Outcome) => Object.keys(scenarioOf(each).changes) as (keyof Script)[];
  const both = changedBy(one).find((aspect) => changedBy(other).includes(aspect));
  if (both) return `both say ${decided[both]}`;
  const unpaid = pair.find((each) => scenarioOf(each).unpaid);
  return unpaid && pair.includes('dispute') ? `after ${unpaid} there is nothing to dispute` : null;
}

/** The outcomes that may be played together with this one. */
export function combinesWith(outcome: Outcome): Outcome[] {
  return outcomes.filter((other) => whyIncompatible(outcome, other) === null);
}

/** One script of all the outcomes, or why there is none. */
export function combine(played: readonly Outcome[]): { script: Script } | { why: string } {
  for (const [index, one] of played.entries()) {
    for (const other of played.slice(0, index)) {
      const why = whyIncompatible(one, other);
      if (why) return { why: `${other} and ${one} do not combine: ${why}` };
    }
  }
  return { script: Object.assign({}, plain, ...played.map((each) => scenarioOf(each).changes)) };
}
