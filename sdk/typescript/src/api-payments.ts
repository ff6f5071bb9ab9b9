// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** What is asked in the merchant's own money, in place of `amount`: it is paid in coins, at a rate that is fixed when they are chosen. */
export type Price = {
  /** A number or a decimal string, with at most the currency's minor digits. */
  amount: number | string;
  /** An ISO 4217 code, such as EUR. */
  currency: string;
};

/** A currency that a payment can be charged in. */
export type Currency = 'PI' | 'USDC' | 'USDT' | 'CSK';

/** One line of what is being bought, shown on the hosted page. */
export type Item = {
  /** What is bought. */
  name: string;
  price: number;
  quantity: number;
};

/** Who pays the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee. */
export type FeePayer = 'merchant' | 'customer';

/** Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units; `price` takes its place. */
export type PaymentInput = {
  /** Amount to charge, in the currency itself; required where there is no `price`. */
  amount?: number | undefined;
  price?: Price | undefined;
  /** PI, USDC, USDT or CSK; required with `amount`. With `price`: what it is paid in, quoted at once; without it the customer chooses. */
  currency?: Currency | undefined;
  /** What the customer may pay a `price` in. By default all that is offered and whose minimum the price meets. */
  currencies?: Currency[] | undefined;
  payment_type: 'deposit';
  customer_email?: string | undefined;
  /** The merchant's own name for the customer. */
  customer_reference?: string | undefined;
  /** Where the customer goes after paying. */
  success_url?: string | undefined;
  /** Where the customer goes when the payment failed or was cancelled. */
  failure_url?: string | undefined;
  item_list?:
    | {
        items: Item[];
      }
    | undefined;
  /** Unique; generated when absent. */
  payment_reference?: string | undefined;
  /** A JSON object as a string, at most 8 KiB. */
  meta_data?: string | undefined;
  fee_payer?: FeePayer | undefined;
  /** Free text, stored with the payment. */
  payment_note?: string | undefined;
};

/** The status of a payment. Fulfil an order when a webhook says `completed`. */
export type PaymentStatus =
  | 'unlinked'
  | 'linked'
  | 'pending'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'in-appeal';

/** A payment that was made: keep `payment_reference`, send the customer to `PaymentURL`. */
export type CreatedPayment = {
  PaymentData: {
    id: string;
    payment_reference: string;
    amount: number;
    /** PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that. */
    currency: string;
    payment_status: PaymentStatus;
    payment_type: string;
    created_at: string;
  };
  /** Send the customer here. */
  PaymentURL: string;
};

/** The short public record of a payment. `amount` is a number, times are ISO 8601 UTC. */
export type PaymentInfo = {
  payment_reference: string;
  amount: number;
  /** PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that. */
  currency: string;
  payment_status: PaymentStatus;
  created_at: string;
  updated_at: string;
};

/** Which payments, and which page. */
export type PaymentFilter = {
  status?: PaymentStatus | undefined;
  /** A coin or an ISO 4217 code: payments that are paid in it, or whose price is in it. */
  currency?: string | undefined;
  /** Payments of this customer alone. */
  customer_reference?: string | undefined;
  /** Payments made by the link with this id. */
  payment_link?: string | undefined;
  /** Created at or after this time. A date without a time is the beginning of its day, in UTC. */
  from?: string | undefined;
  /** Created before this time. A date without a time includes its whole day, in UTC. */
  to?: string | undefined;
  /** next_cursor of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** A payment as `payments.list` returns it. Amounts are decimal strings; `reason` is why it has its status. */
export type PaymentSummary = {
  id: string;
  payment_reference: string;
  amount: string;
  /** PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that. */
  currency: string;
  payment_status: PaymentStatus;
  reason: string | null;
  payment_type: string;
  amount_due: string | null;
  service_fee: string;
  fee_payer: FeePayer;
  customer_email: string | null;
  customer_reference: string | null;
  success_url: string | null;
  failure_url: string | null;
  item_list: {
    items: Item[];
  } | null;
  meta_data: string | null;
  payment_note: string | null;
  payment_link: string | null;
  deadline: string;
  created_at: string;
  updated_at: string;
  PaymentURL: string | null;
};

/** What pays a `price`: `rate` is units of the price's currency for one of `currency`, with what each source said. */
export type Quote = {
  currency: Currency;
  amount: string;
  rate: string;
  at: string;
  sources: {
    name: string;
    rate: string;
    at: string;
  }[];
};

/** A transfer that was seen for a payment; `amount` is a decimal string in `asset`. */
export type Transfer = {
  transaction: string;
  asset: string;
  amount: string;
  confirmations: number;
  needed: number;
  state: 'seen' | 'final' | 'gone';
  network: string;
  sender: string | null;
  transaction_url: string | null;
  sender_url: string | null;
};

/** One step in the life of a payment. */
export type TimelineEntry = {
  at: string;
  status: PaymentStatus;
  reason: string | null;
};

/** The transfer by which you answer a refund of money that went to your own address: exactly this `amount`, from `from` to `to`. */
export type PreparedTransfer = {
  chain_id: number;
  /** The token's contract: the transaction calls it. */
  token: string;
  /** Your own address, at which the money is. */
  from: string;
  to: string;
  amount: string;
  /** The call of `transfer`. */
  data: string;
  /** The transfer as a link that wallets open, or read as a QR code (EIP-681). */
  link: string;
  /** A file for the Transaction Builder of a Safe. */
  safe: string;
};

/** A refund of a payment; amounts are decimal strings in `asset`. `claim_url` leads the customer to where they say where it goes. */
export type Refund = {
  id: string;
  payment_reference: string;
  status:
    | 'awaiting_destination'
    | 'awaiting_approval'
    | 'awaiting_transfer'
    | 'queued'
    | 'sending'
    | 'completed'
    | 'cancelled'
    | 'rejected'
    | 'failed';
  asset: string;
  amount: string;
  /** What of it comes out of the fee. */
  fee_returned: string;
  to: string | null;
  memo: string | null;
  reason: string | null;
  claim_url: string | null;
  transfer: PreparedTransfer | null;
  transaction: string | null;
  failure: string | null;
  created_at: string;
  completed_at: string | null;
};

/** Everything known of a payment. Amounts are decimal strings. */
export type Payment = {
  id: string;
  payment_reference: string;
  amount: string;
  /** PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that. */
  currency: string;
  payment_status: PaymentStatus;
  reason: string | null;
  payment_type: string;
  amount_due: string | null;
  service_fee: string;
  fee_payer: FeePayer;
  customer_email: string | null;
  customer_reference: string | null;
  success_url: string | null;
  failure_url: string | null;
  item_list: {
    items: Item[];
  } | null;
  meta_data: string | null;
  payment_note: string | null;
  payment_link: string | null;
  deadline: string;
  created_at: string;
  updated_at: string;
  PaymentURL: string | null;
  /** Completed with less than was due, since what was missing was within the tolerance. */
  short: boolean;
  /** Of one payment that is read or cancelled. `direct`: all its addresses pass what comes on to your own. */
  settlement?: 'balance' | 'direct' | undefined;
  quote?: Quote | null | undefined;
  amount_received: string | null;
  transfers: Transfer[];
  timeline: TimelineEntry[];
  refunds: Refund[];
};

/** What the customer is asked to send to an address, signed by the installation. */
export type PaymentRequest = {
  /** All that is due, a decimal without zeros at its end. */
  amount: string;
  reference: string;
  /** Unix time in seconds. It begins anew when the customer chooses. */
  deadline: number;
  /** Four words that the page shows beside the address. */
  words: string;
  /** The address of the key of the installation for requests. */
  signer: string;
  /** Of that key, over address, asset, amount, reference and deadline (EIP-712). */
  signature: string;
};

/** An address of a payment, and by what it can be recomputed. `splitter` to `basis_points` are null where the money is credited to the balance. */
export type PaymentDestination = {
  asset: string;
  chain_id: number;
  address: string;
  settlement: 'balance' | 'direct';
  factory: string;
  init_code_hash: string;
  salt: string;
  /** Where the factory moves what comes there. */
  destination: string;
  splitter: string | null;
  merchant: string | null;
  host: string | null;
  basis_points: number | null;
  request: PaymentRequest;
};
