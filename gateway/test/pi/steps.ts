// What may happen to the Pi network, its Horizons and its platform, the processes that read it and the payments on it.

/** A part of what is due: thousandths of it, and so many stroops more. */
export type Share = { thousandths: number; dust: number };

/**
 * How a transaction says whose its money is: `memo` as it is shown, or written carelessly; `muxed`: the number of
 * the payment in the destination, beside no memo or another one; `both`: memo of one payment, number of the next.
 * The others name no payment: nothing, a memo with one wrong character, any text, another kind of memo, the
 * identifier of a payment in the Pi Browser that is not paid so.
 */
export const markings = [
  ...(['memo', 'careless', 'muxed', 'muxed beside a text', 'both'] as const),
  ...(['none', 'mistyped', 'text', 'id', 'hash', 'identifier'] as const),
] as const;
export type Marking = (typeof markings)[number];

/**
 * `exchange` sends another asset of which PI arrives, `exchange away` PI of which the other asset arrives; a `merge`
 * brings all that a fresh account has. The last three bring no PI to the account.
 */
export type Operation = {
  op:
    | ('payment' | 'path send' | 'path receive' | 'exchange' | 'merge')
    | ('exchange away' | 'other asset' | 'elsewhere');
  share: Share;
};

/** `payment` counts those that have been made, round and round. `fails`: its last operation cannot be done. */
export type Deposit = {
  do: 'deposit';
  payer: number;
  payment: number;
  marking: Marking;
  operations: Operation[];
  fails: boolean;
};

/**
 * Somebody else with the account's key. `to itself`: out and in at once. `for a payer`: the payer's transaction, and
 * fee, with an operation of the account. `from a payer`: the other way round. `no payment`: nothing moves.
 */
export type Withdrawal = {
  do: 'withdraw';
  how:
    | ('payment' | 'several' | 'exchange' | 'new account' | 'to itself')
    | ('for a payer' | 'from a payer' | 'fails' | 'no payment');
  units: number;
};

/** What happens in the middle of a round, before its `at`-th exchange with the database or a Horizon. */
export type Disturbance = { at: number; what: 'killed' | 'killed after' | 'ledger' | 'overtaken' };

export type Answered = 'anything' | 'payments' | 'effects' | 'transactions';

export const horizonFaults = [
  ...(['gateway timeout', 'taken all the same', 'rate limited', 'broken', 'truncated'] as const),
  ...(['empty', 'behind', 'html', 'reset', 'reset after', 'leaves out', 'wrong balance'] as const),
] as const;
export type HorizonFault = (typeof horizonFaults)[number];

/** What the Pi platform does wrong: `refuses` and `broken` before anything was done, `lost` after it. */
export const platformFaults = ['refuses', 'broken', 'lost'] as const;
export type PlatformFault = (typeof platformFaults)[number];

export type Who = 0 | 1;

/** Parts of a process: it reads the account, sends what was ordered, asks the platform about what is not settled. */
export type Part = 'pi' | 'pi sending' | 'pi platform';

/** A payment inside the Pi Browser, step by step, by its customer (`begin`, `pay`, `give up`) or its page. */
export type Deal = {
  do: 'deal';
  what: 'begin' | 'approve' | 'pay' | 'complete' | 'cancel' | 'incomplete' | 'give up';
  /** Counts those that have begun; the first one is of `payment`. */
  deal: number;
  payment: number;
  user: number;
  /** Whether what the page asks for is what is missing. */
  isRight: boolean;
  who: Who;
  disturbance: Disturbance | null;
};

/** Where operators send to: `nobody` has no account on the network. */
export type Recipient = 'payer' | 'part' | 'nobody';

export type Step =
  | { do: 'create'; amount: number }
  | { do: 'ledger'; transactions: (Deposit | Withdrawal)[] }
  | { do: 'ledgers'; count: number }
  | { do: 'work'; part: Part; who: Who; disturbance: Disturbance | null }
  | Deal
  | { do: 'break platform'; fault: PlatformFault; times: number }
  /** An operator decides on money that names no payment, or its customer claims it. */
  | {
      do: 'decide';
      deposit: number;
      how: 'assign' | 'return' | 'keep' | 'claim';
      payment: number;
      to: Recipient;
    }
  /** What a payment in appeal got is to go back, and later what is owed so is sent. */
  | { do: 'refund payment'; payment: number }
  | { do: 'refund'; refund: number; to: Recipient }
  | { do: 'race' }
  | { do: 'restart'; who: Who }
  /**
   * The next `times` answers of a Horizon are wrong, be it all of them or what it tells of one thing alone; what it
   * `leaves out` are movements of the account, and a `wrong balance` is the account's.
   */
  | { do: 'break'; horizon: number; fault: HorizonFault; of: Answered; times: number }
  | { do: 'mend' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; payment: number; by: 'customer' | 'merchant' }
  /** What came for a payment cannot be taken, whatever the reason, until all is mended. */
  | { do: 'trouble'; payment: number }
  | { do: 'expire' | 'spend' };

/**
 * `first`: which of the world's Horizons is the first or only one of the configuration. `isDemo`: the account is read
 * from its beginning. `aheadSeconds`: how far the network's clock is ahead of the gateway's; negative: behind.
 */
export type Setting = { horizons: 1 | 2; first: 0 | 1; isDemo: boolean; aheadSeconds: number };

export type Schedule = { setting: Setting; steps: Step[] };
