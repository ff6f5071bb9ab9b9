import type { PaymentStatus } from '../payments/payment/payment.ts';
import type { QuoteView } from '../payments/prices/view.ts';
import type { MailedReceipt } from '../payments/receipts/receipt-mails.ts';
import type { EvmTarget, PiTarget } from '../rails/rail.ts';
import type { AttemptShown } from '../wallets/remote-payments/attempts.ts';
import type { OwedLine, RefundLine } from './owed.ts';

/** One way to pay: an asset on its network, or a Florin wallet. */
export type PaymentMethod = {
  /** The asset code, or `wallet`. */
  method: string;
  network: string;
  /** Set on test networks, whose coins have no value. */
  isTest?: boolean;
  /** Set when the network is an EVM chain. */
  evm?: EvmTarget;
  /** Set when the network is Pi's. */
  pi?: PiTarget;
};

/** Where to send money. `amount` is what is still missing, as a decimal string of `asset`. */
export type CheckoutDestination = {
  asset: string;
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  /** What a shop can show too, where the money goes to its own address (contract.md#direct). */
  words?: string;
  /** Set on test networks, whose coins have no value. */
  isTest?: boolean;
  /** Set when the network is an EVM chain. */
  evm?: EvmTarget;
  /** Set when the network is Pi's. */
  pi?: PiTarget;
};

/** A transfer that a rail reported for the payment. A reorg removed a `gone` one from its chain. */
export type CheckoutTransfer = {
  transaction: string;
  asset: string;
  /** The network that it came by; null: it was paid out of a wallet. */
  network: string | null;
  /** The account that it came from; null: not known. */
  sender: string | null;
  /** The currency of the asset. A transfer counts only if it is the payment's currency. */
  currency: string;
  /** Decimal string in that currency. */
  amount: string;
  /** The transaction in the block explorer of its network; null without an explorer. */
  explorerUrl: string | null;
  confirmations: number;
  needed: number;
  /** When it was first seen. */
  seenAt: Date;
  state: 'seen' | 'final' | 'gone';
  /** It went to the merchant's own address, and not through the gateway. */
  isDirect?: boolean;
};

/** Who is paid. `logoUrl` is a path on this gateway; `domain` is null unless its ownership was verified. */
export type PaidShop = {
  id: string;
  name: string;
  logoUrl: string | null;
  domain: string | null;
  /** Where customers write to, as the merchant said. */
  contact: { email: string | null; url: string | null };
  /** The colour of its brand, as the merchant chose it. */
  color: string | null;
  /** What it says above the amount. */
  sentence: string | null;
  /** The domain of its own at which its pages are; null: they are at the installation's address. */
  pageDomain: string | null;
  /** What stands at the head of receipts beside that; the address has lines. */
  letterhead: { address: string | null; taxNumber: string | null };
};
/** A message about a payment in appeal, in plain text. */
type CheckoutMessage = { author: 'merchant' | 'customer' | 'operator'; text: string; at: Date };

/**
 * What the merchant asks, in minor units of its currency as a decimal. `fee` is in the same money; 0 before a quote.
 * `adjustment`: the basis points that are added for paying in a coin, a discount where they are less than nothing.
 */
type AskedPrice = { amount: string; currency: string; fee: string; adjustment: number };

/**
 * Everything that the hosted page shows of one payment. Amounts are decimal strings in the payment's
 * currency unless the field says otherwise; text from the merchant is plain text.
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
  /** What the merchant asked in other money; null: the amounts here are what was asked. An open payment has no quote, and its price in them. */
  price: AskedPrice | null;
  quote: QuoteView | null;
  /** What its customer may choose: how much of an asset is due at which rate; null: there is no rate. */
  choices: { asset: string; currency: string; amount: string | null; rate: string | null }[];
  feePayer: 'merchant' | 'customer';
  amountDue: string;
  /** The sum of the transfers that were seen and are still on their chain. */
  amountReceived: string;
  /** Whether a transfer came that is too small to change the payment's status. */
  isDust: boolean;
  amountMissing: string;
  overpayment: string;
  /** What of the overpayment went to the merchant's own address, with the host's part, and the rest; absent: nothing. */
  directOverpayment?: { amount: string; fee: string; rest: string };
  /** What it was completed with, where that was less than was due. */
  shortAmount: string | null;
  /** Whether no more is missing than may be, and all that came is final. */
  shortfall: { isTolerated: boolean; isFinal: boolean };
  /** The mail of its receipt; null or absent: the gateway mails none for it. */
  receipt?: MailedReceipt | null;
  items: { name: string; price: number; quantity: number }[];
  /** The asset code chosen on the page, `wallet`, or null before the choice. */
  method: string | null;
  methods: PaymentMethod[];
  /** Assets that are not among the methods because their networks could not be read for minutes. */
  unreadable: string[];
  /** The name of the system that holds the wallets, and the last try to pay from a wallet in another system. */
  wallet: { name: string; attempt: AttemptShown | null };
  destinations: CheckoutDestination[];
  transfers: CheckoutTransfer[];
  createdAt: Date;
  deadline: Date;
  completedAt: Date | null;
  /** When the payment was completed, failed or cancelled; null while it has none of these statuses. */
  endedAt: Date | null;
  /** Whether a network was not read up to the deadline yet. The payment does not expire before it was. */
  isUnread: boolean;
  /** Until when a late transfer still counts; null unless the payment was abandoned. */
  lateUntil: Date | null;
  /** Until when the customer may dispute; null unless completed. */
  disputableUntil: Date | null;
  successUrl: string | null;
  failureUrl: string | null;
  /** Set where the page does not lead back to the shop by itself. */
  stays?: boolean;
  /** Set where the id of an invoice opened it: nothing is claimed, disputed or cancelled here. */
  paysOnly?: boolean;
  /** The messages of an open appeal, oldest first. */
  messages: CheckoutMessage[];
  /** Why the customer disputes the payment; null while no dispute is open. */
  disputeText: string | null;
  /** The refunds of the payment, oldest first, and what its customer may claim. */
  refunds: RefundLine[];
  owed: OwedLine[];
  /** How many steps of a simulated outcome have not happened yet; 0 in live mode. */
  stepsAhead: number;
  /** Grows by one with every change that the page shows. */
  version: number;
};

/** Whether money is only simulated at a destination: in test mode, unless it is on a test network (contract.md#testnets). */
export function isSimulated(
  { mode }: Pick<CheckoutPayment, 'mode'>,
  destination?: { isTest?: boolean },
): boolean {
  return mode === 'test' && destination?.isTest !== true;
}
