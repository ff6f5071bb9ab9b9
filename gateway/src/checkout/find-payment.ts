import { shopSql } from '../identity/integrations/settings.ts';
import type { Clock } from '../kit/clock.ts';
import type { Reader } from '../kit/db/db.ts';
import { isUuid } from '../kit/ids.ts';
import { type Asset, type Assets, type Currency, fineScale } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { openMessagesOf } from '../payments/appeals/messages.ts';
import { wordsAt } from '../payments/payment/asked.ts';
import { claimsOf } from '../payments/payment/claims.ts';
import { decimal, isCharged, type Payment, type PaymentStatus } from '../payments/payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payments/payment/payment-row.ts';
import { askedFeeOf, askedOf } from '../payments/payment/price.ts';
import { adjustmentOf } from '../payments/prices/adjustment.ts';
import { choicesOf } from '../payments/prices/choices.ts';
import { quotesOf } from '../payments/prices/quotes.ts';
import { quoteView, rateText } from '../payments/prices/view.ts';
import { transactionUrl } from '../payments/read/explorers.ts';
import { transferView } from '../payments/read/read.ts';
import { mailedReceipt } from '../payments/receipts/receipt-mails.ts';
import { disputableUntil } from '../payments/settlement/act.ts';
import { movesStatus, shortfallOf } from '../payments/settlement/decide.ts';
import { factsOf } from '../payments/settlement/moves.ts';
import {
  dueUnits,
  isOfCurrency,
  missingUnits,
  receivedUnits,
  sendableUnits,
  transfersOf,
} from '../payments/settlement/received.ts';
import type { Destination, Offer, Rail } from '../rails/rail.ts';
import { countOpenSteps } from '../rails/simulated/open-steps.ts';
import { simulatedDestination } from '../rails/simulated/rail.ts';
import { type AttemptShown, attemptShown } from '../wallets/remote-payments/attempts.ts';
import { hasUsers } from '../wallets/users.ts';
import type { CheckoutDestination, CheckoutPayment, PaidShop, PaymentMethod } from './checkout-payment.ts';
import { overpaymentOf } from './overpayment.ts';
import { type OwedDeps, owedOf } from './owed-lines.ts';
import { endedAtOf } from './paid.ts';

/** The three values that together open a payment's page. */
export type PageKey = { reference: string; app: string; token: string };

/** What reading a page's payment needs. */
export type PageDeps = OwedDeps & {
  rail: Rail;
  now: Clock;
  /** The other system that holds the users' wallets; null: this installation's ledger does. */
  remote: { name: string } | null;
  /** Receipts of live payments are mailed; and none of them is paid from a wallet, whose money is the gateway's. */
  mailsReceipts?: boolean;
  isDirectRequired?: boolean;
};

/** Reads the payment of a page with everything that the page shows; null when the three values do not fit together. */
export async function findForPage(
  reader: Reader,
  deps: PageDeps,
  { reference, app, token }: PageKey,
): Promise<CheckoutPayment | null> {
  if (!isUuid(app)) return null;
  const { rows } = await reader.query<PaymentRow & PageShop>(
    `SELECT p.*, ${shopSql} AS shop, i.price_adjustment
     FROM payments p JOIN integrations i ON i.id = p.integration_id
     WHERE p.reference = $1 AND p.integration_id = $2 AND (p.token = $3
       OR p.is_invoice AND EXISTS (SELECT FROM payment_invoices v WHERE v.payment_id = p.id AND v.id = $3))`,
    [reference, app, token],
  );
  const row = rows[0];
  if (!row) return null;
  const view = await viewOf(reader, deps, paymentOf(row), row);
  return row.token === token ? view : paying(view, token);
}

/** The payment as the id of its invoice opens it, which pays and does nothing else (contract.md#btcpay). */
function paying(view: CheckoutPayment, invoiceId: string): CheckoutPayment {
  const nothing = { disputableUntil: null, disputeText: null, owed: [], messages: [] };
  return { ...view, ...nothing, token: invoiceId, paysOnly: true };
}

/** What the page needs of its integration. */
type PageShop = { shop: Omit<PaidShop, 'id'>; price_adjustment: number };

async function viewOf(
  reader: Reader,
  deps: PageDeps,
  payment: Payment,
  { shop, price_adjustment: adjustment }: PageShop,
): Promise<CheckoutPayment> {
  const { assets, explorers, remote } = deps;
  const transfers = await transfersOf(reader, payment.id);
  const messages = payment.status === 'in-appeal' ? await openMessagesOf(reader, payment.id) : [];
  const received = receivedUnits(assets, payment, transfers);
  const missing = missingUnits(assets, payment, transfers);
  const places = await placesOf(reader, deps, payment);
  // A network that was chosen already stays, with its address.
  const isHidden = ({ asset, isUnreadable }: Place) => isUnreadable && asset !== payment.method;
  const all = offersOf(assets, payment, places);
  const offers = all.filter((place) => !isHidden(place));
  const wallet = await walletOf(reader, deps, payment);
  const mayWallet = payment.mode === 'test' || !deps.isDirectRequired;
  const hasWallets = mayWallet && (remote !== null || (await hasUsers(reader)));
  const offersWallet = hasWallets || payment.method === wallet.method;
  return {
    id: payment.id,
    reference: payment.reference,
    token: payment.token,
    integration: { id: payment.integrationId, ...shop },
    mode: payment.mode,
    status: payment.status,
    reason: payment.reason,
    ...amountsOf(payment),
    ...(await pricedOf(reader, deps, payment, adjustment)),
    feePayer: payment.feePayer,
    amountReceived: decimalOf(received, fineScale),
    isDust: isCharged(payment) && received > 0n && !movesStatus(received, dueUnits(payment)),
    amountMissing: decimalOf(missing, fineScale),
    ...overpaymentOf(assets, payment, transfers),
    shortAmount: payment.shortUnits === null ? null : decimalOf(payment.shortUnits, fineScale),
    shortfall: shortfallOf(factsOf(assets, payment, transfers), payment.deadline),
    receipt: await receiptOf(reader, deps, payment),
    items: payment.itemList?.items ?? [],
    method: payment.method,
    methods: [
      ...offers.filter(({ isTest }) => !isTest).map(methodOf),
      ...(offersWallet ? [{ method: wallet.method, network: wallet.name }] : []),
      ...offers.filter(({ isTest }) => isTest).map(methodOf),
    ],
    unreadable: all.filter(isHidden).map(({ asset }) => asset),
    wallet: { name: wallet.name, attempt: wallet.attempt },
    destinations: destinationsOf(assets, payment, offers, stillToSend.has(payment.status) ? missing : 0n),
    transfers: transfers.map((transfer) => ({
      ...transferView(assets, transfer),
      currency: assets.get(transfer.asset).currency,
      network: transfer.rail === 'wallet' ? null : assets.get(transfer.asset).network,
      sender: transfer.sender,
      seenAt: transfer.seen_at,
      isDirect: transfer.is_direct,
      explorerUrl: transactionUrl(explorers, transfer.rail, transfer.transaction),
    })),
    createdAt: payment.createdAt,
    deadline: payment.deadline,
    // Reading the awaited networks up to the deadline ends the status linked, so a payment that is linked is unread.
    isUnread:
      payment.unreadSince !== null || (payment.status === 'linked' && payment.awaitedRails.length > 0),
    completedAt: payment.completedAt,
    endedAt: endedAtOf(payment),
    lateUntil: payment.lateUntil,
    disputableUntil: disputableUntil(payment),
    successUrl: payment.successUrl,
    failureUrl: payment.failureUrl,
    ...(payment.redirects === false && { stays: true }),
    disputeText: await disputeTextOf(reader, payment),
    messages: messages.map(({ author, text, at }) => ({ author, text, at })),
    ...(await owedOf(reader, deps, payment, transfers)),
    stepsAhead: payment.mode === 'test' ? await countOpenSteps(reader, payment.id) : 0,
    version: payment.version,
  };
}

/** The amounts of the page: what is paid, and of an open payment the price. */
function amountsOf(payment: Payment): Pick<CheckoutPayment, 'currency' | 'amount' | 'fee' | 'amountDue'> {
  if (!isCharged(payment)) {
    const { amount, currency } = askedOf(payment);
    return { currency, amount, fee: '0', amountDue: amount };
  }
  return {
    currency: payment.currency,
    amount: decimal(payment, payment.amount),
    fee: decimal(payment, payment.fee),
    amountDue: decimal(payment, payment.amountDue),
  };
}

const choosable: ReadonlySet<PaymentStatus> = new Set(['unlinked', 'linked']);

/** The price, the quote by which it is paid, and what else its customer may choose from. */
async function pricedOf(
  reader: Reader,
  { assets, now }: Pick<PageDeps, 'assets' | 'now'>,
  payment: Payment,
  adjustment: number,
): Promise<Pick<CheckoutPayment, 'price' | 'quote' | 'choices'>> {
  if (payment.price === null) return { price: null, quote: null, choices: [] };
  const known = (await quotesOf(reader, [payment])).map(({ quote }) => quote);
  const own = known.find(({ currency }) => currency === payment.currency);
  const choices = choosable.has(payment.status) ? await choicesOf(reader, payment, known, now()) : [];
  return {
    price: {
      ...{ ...askedOf(payment), fee: askedFeeOf(payment) },
      adjustment: own ? adjustmentOf(payment.price, own, adjustment) : adjustment,
    },
    quote: own ? quoteView(own) : null,
    choices: choices.flatMap(({ currency, quote }) =>
      assets
        .of(payment.mode)
        .offered(currency)
        .filter(({ code }) => payment.assetCodes?.includes(code) ?? true)
        .map(({ code, scale }) => ({
          ...{ asset: code, currency },
          amount: quote && decimalOf(sendableUnits(dueUnits(quote), scale), scale),
          rate: quote && rateText(quote.rate),
        })),
    ),
  };
}

async function receiptOf(reader: Reader, { mailsReceipts }: PageDeps, { id, mode, status }: Payment) {
  return mailsReceipts && mode === 'live' && status === 'completed' ? await mailedReceipt(reader, id) : null;
}

/** What the customer wrote in the dispute that is open. */
async function disputeTextOf(reader: Reader, { id, status, reason }: Payment): Promise<string | null> {
  if (status !== 'in-appeal' || reason !== 'disputed') return null;
  const claims = await claimsOf(reader, id);
  return claims.findLast(({ kind }) => kind === 'dispute')?.content ?? null;
}

/** The statuses in which the page asks for money. In all others people decide about an underpayment. */
const stillToSend: ReadonlySet<PaymentStatus> = new Set(['unlinked', 'linked', 'pending']);

/** The name of the system that holds the wallets, and the last try to pay from a wallet in another system. */
async function walletOf(
  reader: Reader,
  { remote }: Pick<PageDeps, 'remote'>,
  { id, method }: Payment,
): Promise<CheckoutPayment['wallet'] & { method: string }> {
  const attempt: AttemptShown | null =
    remote !== null && method === 'wallet' ? await attemptShown(reader, id) : null;
  return { method: 'wallet', name: remote?.name ?? 'Florin', attempt };
}

function methodOf({ asset, network, isTest, evm, pi }: Place): PaymentMethod {
  return { method: asset, network, ...(isTest && { isTest }), ...(evm && { evm }), ...(pi && { pi }) };
}

/** Where money can be sent, or where it could be: what is chosen has a destination from then on. */
type Place = Destination | Offer;

/** The places of the payment on the networks of its rails, with those that it has no destination on yet. */
async function placesOf(
  reader: Reader,
  { assets, rail }: Pick<PageDeps, 'assets' | 'rail'>,
  payment: Payment,
): Promise<Place[]> {
  const { id, mode, choices, method } = payment;
  const known = assets.of(mode);
  const isTestnet = currenciesOf(payment).some((each) => known.ofCurrency(each).some(({ isTest }) => isTest));
  if (mode === 'test' && !isTestnet) return [];
  const made = await rail.destinations(reader, id);
  if (mode === 'live' && choices === null) return made;
  const offered = await rail.offers(reader, payment);
  // One address is for all assets of a chain, of which not each may be offered.
  const kept = made.filter(({ asset }) => asset === method || offered.some((other) => other.asset === asset));
  return [...kept, ...offered.filter(({ asset }) => !made.some((place) => place.asset === asset))];
}

/** The ways to pay by sending money now: on the simulated chain, or at the `places` of its networks. */
function offersOf(assets: Assets, payment: Payment, places: readonly Place[]): Place[] {
  return networksOf(assets, payment).flatMap(({ code, network, isTest = false }): Place[] =>
    payment.mode === 'test' && !isTest
      ? [simulatedDestination(payment.id, code, network)]
      : places.filter(({ asset }) => asset === code),
  );
}

function destinationsOf(
  assets: Assets,
  payment: Payment,
  offers: readonly Place[],
  units: bigint,
): CheckoutDestination[] {
  return offers
    .filter((offer) => 'address' in offer)
    .filter((offer) => isOfCurrency(assets, payment, offer) && [null, offer.asset].includes(payment.method))
    .map((offer) => {
      const { scale } = assets.get(offer.asset);
      return { ...offer, amount: decimalOf(sendableUnits(units, scale), scale), ...wordsAt(payment, offer) };
    });
}

/** The currencies that it can be paid in. */
function currenciesOf({ currency, choices }: Payment): Currency[] {
  return [...new Set([...(currency === null ? [] : [currency]), ...(choices ?? [])])];
}

/** The networks to choose from. A network that was already chosen stays although it is no longer offered. */
function networksOf(assets: Assets, payment: Payment): Asset[] {
  const known = assets.of(payment.mode);
  return currenciesOf(payment).flatMap((currency) => {
    const offered = known.offered(currency);
    return known
      .ofCurrency(currency)
      .filter((asset) => payment.assetCodes?.includes(asset.code) ?? true)
      .filter((asset) => offered.includes(asset) || asset.code === payment.method);
  });
}
