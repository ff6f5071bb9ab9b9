import type { Mode } from '../world/world.ts';

/** One request of a party and what it was answered; a call that is asked again is several of them. */
export type Exchange = {
  /** Who asked, such as `merchant-1 live`. */
  by: string;
  /** Such as `PUT /payment/create`. */
  call: string;
  idempotencyKey: string | null;
  body: unknown;
  /** Milliseconds of `performance.now()`. */
  beganMs: number;
  endedMs: number;
  /** 0: no answer, or not a whole one. */
  status: number;
  message: string;
  data: unknown;
};

/** What one order is to be, as its merchant asked for it, and what its people have done since. */
export type Order = {
  reference: string;
  merchant: string;
  mode: Mode;
  /** Decimals; `price`: the currency of `amount` where that is a price, else null. */
  asked: { amount: string; currency: string; price: string | null; feePayer: 'merchant' | 'customer' };
  /** The asset in which its merchant settles directly; null: none in this mode. */
  ownAsset: string | null;
  /** Both null until it was answered that it was created. */
  id: string | null;
  pageUrl: string | null;
  /** By the world's clock: when it was asked for, and when its customer was shown last where to pay. */
  askedMs: number;
  shownMs: number;
  /** Where its customer was shown to pay, by asset code. */
  places: Map<string, { address: string; memo: string | null }>;
  /** What was answered 200. */
  outcome: string | null;
  /** By the world's clock, when that was asked for. */
  outcomeMs: number | null;
  cancelled: 'merchant' | 'customer' | null;
  isDisputed: boolean;
  /** The user from whose wallet it was paid. */
  payer: string | null;
};

/** A refund that was answered 200. `to`: null where it was left to the customer who has not claimed it. */
export type Refund = {
  reference: string;
  merchant: string;
  mode: Mode;
  id: string;
  asset: string;
  amount: string;
  to: string | null;
};

/** A payout that was answered 200; its address is used for nothing else. */
export type Payout = {
  reference: string;
  merchant: string;
  mode: Mode;
  id: string;
  asset: string;
  amount: string;
  to: string;
  isCancelled: boolean;
};

/** Money to a user's wallet that was answered 200. */
export type Funding = { merchant: string; mode: Mode; username: string; asset: string; amount: string };

/** What a user moved out of a wallet, and was told that it was done. `to`: a user, or an address of its own. */
export type Move = {
  kind: 'send' | 'withdrawal';
  mode: Mode;
  from: string;
  to: string;
  asset: string;
  amount: string;
};

/** Money that came to a business by its own address. */
export type TopUp = { merchant: string; asset: string; address: string; amount: string };

/** A status of a payment as somebody was told it. */
export type Seen = { reference: string; status: string; beganMs: number; endedMs: number };

/** All that was asked and answered while one seed was played. */
export type Journal = {
  exchanges: Exchange[];
  orders: Order[];
  refunds: Refund[];
  payouts: Payout[];
  fundings: Funding[];
  moves: Move[];
  topUps: TopUp[];
  seen: Seen[];
  /** The number of the last block when somebody was first told that a live payment is completed, by its reference. */
  completedAt: Map<string, number>;
  /** Secrets of endpoints that were valid at some time, by merchant and mode, such as `merchant-1 live`. */
  endpointSecrets: Map<string, string[]>;
  /** Calls that were given up without an answer. */
  unanswered: string[];
};

export function openJournal(): Journal {
  return {
    ...{
      exchanges: [],
      orders: [],
      refunds: [],
      payouts: [],
      fundings: [],
      moves: [],
      topUps: [],
      seen: [],
    },
    ...{ completedAt: new Map(), endpointSecrets: new Map(), unanswered: [] },
  };
}
