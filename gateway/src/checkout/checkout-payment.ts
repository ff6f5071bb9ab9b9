import type { PaymentStatus } from '../payments/payment.ts';
import type { EvmTarget, PiTarget } from '../rails/rail.ts';

/** One way to pay: an asset code with the network it lives on, or a Florin wallet. */
export type PaymentMethod = {
  method: string;
  network: string;
  /** Where the network is an EVM chain. */
  evm?: EvmTarget;
  /** Where the network is Pi's. */
  pi?: PiTarget;
};

/** Where to send money, and how much of it is still missing (decimal string in `asset`). */
export type CheckoutDestination = {
  asset: string;
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  /** Where the network is an EVM chain. */
  evm?: EvmTarget;
  /** Where the network is Pi's. */
  pi?: PiTarget;
};

/** A transfer that a rail saw for the payment. `gone` ones fell out of their chain. */
export type CheckoutTransfer = {
  transaction: string;
  asset: string;
  /** Of the asset: another one than the payment's does not count towards it. */
  currency: string;
  /** Decimal string in that currency. */
  amount: string;
  /** Where its network shows it to everybody; null where nobody does. */
  explorerUrl: string | null;
  confirmations: number;
  needed: number;
  state: 'seen' | 'final' | 'gone';
};

/** Who is paid. `logoUrl` is a path on this gateway; `domain` is there only when it was proved. */
export type PaidShop = { id: string; name: string; logoUrl: string | null; domain: string | null };
/** A message about a payment in appeal; its text is plain text. */
export type CheckoutMessage = { author: 'merchant' | 'customer' | 'operator'; text: string; at: Date };

/**
 * All that the hosted page may know of one payment. Amounts are decimal strings in the payment's
 * currency unless the field says otherwise; text that came from the merchant is plain text.
 */
export type CheckoutPayment = {
  id: string;
  reference: string;
  token: string;
  integration: PaidShop;
  mode: 'test' | 'live';
  status: PaymentStatus;
  /** Why a payment ended as it did: abandoned, customer, merchant, simulated, part_paid, disputed ... */
  reason: string | null;
  currency: string;
  amount: string;
  fee: string;
  feePayer: 'merchant' | 'customer';
  amountDue: string;
  /** Everything seen so far that is still on its chain. */
  amountReceived: string;
  amountMissing: string;
  surplus: string;
  items: { name: string; price: number; quantity: number }[];
  /** The asset code chosen on the page, `wallet`, or null before the choice. */
  method: string | null;
  methods: PaymentMethod[];
  destinations: CheckoutDestination[];
  transfers: CheckoutTransfer[];
  createdAt: Date;
  deadline: Date;
  completedAt: Date | null;
  /** Whether it is judged, once its deadline has passed, only after a network was read up to that. */
  isUnread: boolean;
  /** Until when a late transfer is still taken as payment; null unless the payment was abandoned. */
  lateUntil: Date | null;
  /** Until when the customer may dispute; null unless completed. */
  disputableUntil: Date | null;
  successUrl: string | null;
  failureUrl: string | null;
  /** What was said while the payment is in appeal, in order. */
  messages: CheckoutMessage[];
  /** What was played to a test payment and is still to come, in steps; 0 in live mode. */
  stepsAhead: number;
  /** Grows by one with every change that the page shows. */
  version: number;
};
