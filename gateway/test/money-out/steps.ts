// What people and processes do in a schedule of money that leaves, whatever the network is.

/** Parts of a process: it reads the network, moves deposits to where payouts leave from, and sends what was ordered. */
export const parts = ['read', 'sweep', 'send'] as const;
export type Part = (typeof parts)[number];

export type Who = 0 | 1;

/**
 * What happens in the middle of a round, before its `at`-th exchange with the database or the network. `shaken`: the
 * network goes on, or changes its mind.
 */
export type Disturbance = {
  at: number;
  what: 'killed' | 'killed after' | 'shaken' | 'overtaken' | 'shaken, overtaken';
};

/** Payments, payouts and refunds are counted in their order, round and round. */
export type Step =
  | { do: 'create'; asset: number }
  /** The customer sends thousandths of what is due. */
  | { do: 'pay'; payment: number; payer: number; thousandths: number }
  /** The business asks for payouts in one batch, which share thousandths of what it has in an asset. */
  | { do: 'ask'; asset: number; thousandths: number; count: number }
  | { do: 'approve' | 'reject' | 'cancel' | 'give up'; payout: number }
  /** The merchant refunds tenths of the amount due, or all; with an address, or the customer is asked. */
  | { do: 'refund'; payment: number; tenths: number | null; isAddressed: boolean }
  /** The customer says where a refund goes, or what is owed without one. */
  | { do: 'claim'; refund: number }
  | { do: 'claim owed'; payment: number }
  | { do: 'cancel refund'; refund: number }
  | { do: 'dispute' | 'return' | 'uphold'; payment: number }
  /** The operator's switch. */
  | { do: 'stop' | 'resume' }
  | { do: 'work'; part: Part; who: Who; disturbance: Disturbance | null }
  /** Both processes work at once. */
  | { do: 'race' }
  | { do: 'restart'; who: Who }
  | { do: 'wait'; seconds: number }
  | { do: 'expire' | 'mend' };

/** What the business and the operator have set. */
export type Terms = {
  approvals: 0 | 1;
  feeOnRefund: 'kept' | 'returned';
  /** Of the smallest unit of amounts that the network's assets all have. */
  payoutFee: bigint;
};

/** `Network`: what happens to a network; `Setting`: what is configured of it. */
export type Schedule<Network, Setting> = { terms: Terms; setting: Setting; steps: (Step | Network)[] };
