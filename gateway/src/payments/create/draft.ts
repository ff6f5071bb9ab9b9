import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { isDirectIn } from '../../identity/own-addresses.ts';
import { after } from '../../kit/clock.ts';
import { envelope } from '../../kit/http/http.ts';
import type { IdempotencyKey } from '../../kit/http/idempotency.ts';
import type { KeyedItem } from '../../kit/http/keyed-batch.ts';
import { crockfordTime, newId, randomCrockford, randomToken } from '../../kit/ids.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import type { Rates } from '../../money/rates.ts';
import type { RateSources } from '../../rates/read-rates.ts';
import type { PaymentLink } from '../links/link.ts';
import { chargedOn, testRates } from '../payment/amount.ts';
import type { NewInvoice } from '../payment/invoice.ts';
import { paymentUrl } from '../payment/page-link.ts';
import { ownTolerance, toleranceOf } from '../payment/tolerance.ts';
import type { Payable, Priced } from './judge-prices.ts';
import { metaTerms } from './meta-terms.ts';
import type { CreateInput, OwnTerms } from './schema.ts';

/** Whose payment it is. */
export type Creator = Pick<ApiKey, 'integration' | 'mode'>;

/** A payment about to be written, and the exact body of its answer. `priced`: its price, which has to be judged first. */
export type Draft = KeyedItem & {
  row: ReturnType<typeof commonRow>;
  charge: ChargeRow;
  priced: Priced | null;
  invoice: NewInvoice | null;
};

/** The columns of what is paid, and of the price. Those that are absent are null. */
type ChargeRow = Partial<
  Record<'amount' | 'fee' | 'amount_due' | 'price_amount' | 'price_currency' | 'rate' | 'tolerance', string>
> & {
  currency?: Currency;
  choices?: readonly Currency[];
  rate_sources?: RateSources;
};

export type DraftOf = { creator: Creator; input: CreateInput; link: PaymentLink | undefined; now: Date };

/** Drafts a payment. */
export function draftPayment(
  { payUrl, rates }: { payUrl: string; rates: Rates },
  of: DraftOf,
  key: IdempotencyKey | null,
): Draft {
  const { input } = of;
  const { asks, own } = input;
  const creator = own ? ofInvoice(of.creator, own) : of.creator;
  const row = commonRow(of);
  const data = {
    PaymentData: {
      id: row.id,
      payment_reference: row.reference,
      amount: asks.sent,
      currency: asks.price?.currency ?? asks.currency,
      payment_status: 'unlinked',
      payment_type: row.payment_type,
      created_at: row.created_at,
    },
    PaymentURL: paymentUrl(
      payUrlOf(payUrl, creator.integration),
      row.reference,
      row.integration_id,
      row.token,
    ),
  };
  const charge =
    asks.price === null ? chargeRowOf(creator, asks, { feePayer: row.fee_payer, rates, now: of.now }) : {};
  const priced = asks.price === null ? null : { ...asks, ...creator, feePayer: row.fee_payer };
  const response = envelope('Payment created', data);
  return { row, charge, priced, invoice: own?.invoice ?? null, response, key };
}

/** The creator of an invoice, with what it has of its own in place of the integration's. */
function ofInvoice(creator: Creator, { shortPercent }: OwnTerms): Creator {
  if (shortPercent === null) return creator;
  const { integration, mode } = creator;
  return { mode, integration: { ...integration, shortTolerance: ownTolerance(integration, shortPercent) } };
}

function chargeRowOf(
  { integration, mode }: Creator,
  { amount, currency }: { amount: bigint; currency: Currency },
  { feePayer, rates, now }: { feePayer: string; rates: Rates; now: Date },
): ChargeRow {
  const isDirect = isDirectIn(integration.ownAddresses, { mode, currency }, now);
  const terms = { terms: integration.fee, feePayer, isDirect };
  const { fee, due } = chargedOn(amount, terms, currencyScale[currency]);
  const usd = (mode === 'live' ? rates : testRates)(currency);
  const tolerance = toleranceOf(integration.shortTolerance, { due, currency }, usd);
  return {
    ...{ currency, amount: amount.toString(), fee: fee.toString(), amount_due: due.toString() },
    tolerance: tolerance.toString(),
  };
}

/** The draft of a price that was judged. */
export function judgedDraft(draft: Draft, { price }: Pick<Priced, 'price'>, payable: Payable): Draft {
  const asked = { price_amount: price.amount.toString(), price_currency: price.currency };
  return { ...draft, charge: { ...asked, ...payableRowOf(payable) } };
}

function payableRowOf({ quote, choices }: Payable): ChargeRow {
  if (quote === null) return { tolerance: '0', choices };
  return {
    ...{ currency: quote.currency, amount: quote.amount.toString(), fee: quote.fee.toString() },
    ...{ amount_due: quote.amountDue.toString(), tolerance: quote.tolerance.toString() },
    ...{ rate: quote.rate.toString(), rate_sources: quote.sources },
  };
}

function commonRow({ creator: { integration, mode }, input, link, now }: DraftOf) {
  const { first, renewed } = deadlinesOf({ integration, mode }, input);
  return {
    id: newId<'payment'>(now),
    reference: input.payment_reference ?? generateReference(now),
    token: randomToken(),
    integration_id: integration.id,
    mode,
    payment_type: input.payment_type,
    fee_payer: input.fee_payer ?? integration.feePayer,
    customer_email: input.customer_email,
    customer_reference: input.customer_reference,
    success_url: input.success_url?.uri ?? integration.successUrl,
    failure_url: input.failure_url?.uri ?? integration.failureUrl,
    item_list: knownItems(input.item_list),
    meta_data: input.meta_data,
    meta_terms: input.meta_data && metaTerms({ integrationId: integration.id, mode }, input.meta_data),
    payment_note: input.payment_note,
    // As text: JSON.stringify takes four times as long over a row with dates in it.
    deadline: after(now, first).toISOString(),
    deadline_seconds: renewed,
    late_window_seconds: integration.lateWindowSeconds,
    link_id: link?.id ?? null,
    one_use: link?.oneUse ?? false,
    ...(input.own && ownRow(input.own)),
    created_at: now.toISOString(),
  };
}

const ownRow = ({ assetCodes, shortPercent, redirects }: OwnTerms) => ({
  ...{ is_invoice: true, asset_codes: assetCodes, short_percent: shortPercent, redirects },
});

const testDeadlineSeconds = 600;

/** The seconds of the deadline now, and of the one that begins when the payment is linked; quotes have their own. */
function deadlinesOf(
  { integration, mode }: Creator,
  { asks, own }: CreateInput,
): { first: number; renewed: number } {
  const isTest = mode === 'test';
  const usual = own?.deadlineSeconds ?? (isTest ? testDeadlineSeconds : integration.liveDeadlineSeconds);
  if (asks.price === null) return { first: usual, renewed: usual };
  const quoted = isTest ? testDeadlineSeconds : integration.quoteSeconds;
  return { first: asks.currency === null ? usual : quoted, renewed: quoted };
}

/** Other fields of an item are left out, like any unknown field: they may be more than the database can hold. */
function knownItems(list: CreateInput['item_list']) {
  return list && { items: list.items.map(({ name, price, quantity }) => ({ name, price, quantity })) };
}

/**
 * `PAY_`, the time in eight characters and 100 random bits: info asks for no key, so a reference must not be
 * guessable.
 */
export function generateReference(now: Date): string {
  return `PAY_${crockfordTime(Math.floor(now.getTime() / 1000))}${randomCrockford(20)}`;
}
