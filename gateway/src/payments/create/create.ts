import { identityErrors } from '../../identity/errors.ts';
import type { Mode } from '../../identity/integration.ts';
import { isHttpsOrLoopback } from '../../identity/integrations/redirects.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { after, type Clock } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { envelope } from '../../kit/http/http.ts';
import type { Answer, IdempotencyKey } from '../../kit/http/idempotency.ts';
import { type KeyedItem, keyedBatch } from '../../kit/http/keyed-batch.ts';
import { crockfordTime, newId, randomCrockford, randomToken } from '../../kit/ids.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import type { Rates } from '../../money/rates.ts';
import type { Rail } from '../../rails/rail.ts';
import { admitPayments } from '../links/admit.ts';
import type { PaymentLink } from '../links/link.ts';
import { assertMinimum, feeOf, testRates } from '../payment/amount.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { PaymentId } from '../payment/payment.ts';
import { insertPaymentsSql } from '../payment/sql.ts';
import { toleranceOf } from '../payment/tolerance.ts';
import { builtinTerms, type TermsOf } from './currency-terms.ts';
import { metaTerms } from './meta-terms.ts';
import type { CreateBody } from './schema.ts';

export type CreateDeps = {
  db: Database;
  now: Clock;
  rates: Rates;
  payUrl: string;
  /** Which currencies are offered, and their minimums; the built-in terms when absent. */
  termsOf?: TermsOf;
  /** What settles live payments. */
  rail: Rail;
};

/** A payment about to be written, and the exact body of its answer. */
type Draft = KeyedItem & { row: ReturnType<typeof draftRow> };

/** Whose payment it is. */
export type Creator = Pick<ApiKey, 'integration' | 'mode'>;

export type CreatePayment = (
  creator: Creator,
  input: CreateBody,
  key: IdempotencyKey | null,
  /** The link that it is made by. */
  link?: PaymentLink,
) => Promise<Answer>;

const testDeadlineSeconds = 600;

/**
 * Returns `createPayment`. Calls that come together share one commit. Refusals: `currency_unsupported`,
 * `not_approved`, `amount_below_minimum`, `field_invalid`, `reference_exists`, those of `admitPayments`, and those of the
 * Idempotency-Key.
 */
export function createPaymentCreator(deps: CreateDeps): CreatePayment {
  const submit = keyedBatch<Draft>({
    db: deps.db,
    now: deps.now,
    write: (tx, drafts, now) => insertAdmitted(tx, deps.rail, drafts, now),
    // A live payment's addresses are written beside it.
    writesOnce: ({ row }) => row.mode === 'test' && row.link_id === null,
    wasWritten: wasInserted,
  });
  return async (creator, input, key, link) => {
    assertCreatable(deps, creator, input, input.amount.units);
    return await submit(draftPayment(deps, draftRow(deps, creator, input, link), input, key));
  };
}

/**
 * Refuses a payment that this creator may not make: `currency_unsupported`, `not_approved`, `field_invalid`,
 * `amount_below_minimum`. Where there is no amount its customer will choose one.
 */
export function assertCreatable(
  { termsOf = builtinTerms, rates: liveRates }: Pick<CreateDeps, 'termsOf' | 'rates'>,
  { integration, mode }: Creator,
  input: Pick<CreateBody, 'currency' | 'success_url' | 'failure_url'>,
  amount: bigint | undefined,
): void {
  const live = mode === 'live';
  const { offered, minimumCents } = termsOf(input.currency);
  const rates = ratesOf(mode, liveRates);
  if (!offered || rates(input.currency) === null) throw refuse(paymentErrors.currency_unsupported);
  if (live && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
  if (live) assertHttps(input);
  if (amount !== undefined) assertMinimum(amount, input.currency, rates, minimumCents);
}

const ratesOf = (mode: Mode, liveRates: Rates): Rates => (mode === 'live' ? liveRates : testRates);

function draftPayment(deps: CreateDeps, row: Draft['row'], input: CreateBody, key: Draft['key']): Draft {
  const data = {
    PaymentData: {
      id: row.id,
      payment_reference: row.reference,
      amount: input.amount.sent,
      currency: row.currency,
      payment_status: 'unlinked',
      payment_type: row.payment_type,
      created_at: row.created_at,
    },
    PaymentURL: paymentUrl(deps.payUrl, row.reference, row.integration_id, row.token),
  };
  return { row, response: envelope('Payment created', data), key };
}

function assertHttps(input: Pick<CreateBody, 'success_url' | 'failure_url'>): void {
  for (const field of ['success_url', 'failure_url'] as const) {
    const address = input[field];
    if (address && !isHttpsOrLoopback(address.url)) throw invalid(field, 'must be an https URL in live mode');
  }
}

function draftRow(
  { now: clock, rates }: Pick<CreateDeps, 'now' | 'rates'>,
  { integration, mode }: Creator,
  input: CreateBody,
  link?: PaymentLink,
) {
  const now = clock();
  const amount = input.amount.units;
  const feePayer = input.fee_payer ?? integration.feePayer;
  const fee = feeOf(integration.fee, amount, currencyScale[input.currency]);
  const due = feePayer === 'customer' ? amount + fee : amount;
  const deadlineSeconds = mode === 'test' ? testDeadlineSeconds : integration.liveDeadlineSeconds;
  return {
    id: newId<'payment'>(now),
    reference: input.payment_reference ?? generateReference(now),
    token: randomToken(),
    integration_id: integration.id,
    mode,
    payment_type: input.payment_type,
    currency: input.currency as Currency,
    amount: amount.toString(),
    fee: fee.toString(),
    fee_payer: feePayer,
    amount_due: due.toString(),
    customer_email: input.customer_email,
    customer_reference: input.customer_reference,
    success_url: input.success_url?.uri ?? integration.successUrl,
    failure_url: input.failure_url?.uri ?? integration.failureUrl,
    item_list: knownItems(input.item_list),
    meta_data: input.meta_data,
    meta_terms: input.meta_data && metaTerms({ integrationId: integration.id, mode }, input.meta_data),
    payment_note: input.payment_note,
    // As text: JSON.stringify takes four times as long over a row with dates in it.
    deadline: after(now, deadlineSeconds).toISOString(),
    deadline_seconds: deadlineSeconds,
    late_window_seconds: integration.lateWindowSeconds,
    tolerance: toleranceOf(
      integration.shortTolerance,
      { due, currency: input.currency },
      ratesOf(mode, rates)(input.currency),
    ).toString(),
    link_id: link?.id ?? null,
    one_use: link?.oneUse ?? false,
    created_at: now.toISOString(),
  };
}

/** Other fields of an item are left out, like any unknown field: they may be more than the database can hold. */
function knownItems(list: CreateBody['item_list']) {
  return list && { items: list.items.map(({ name, price, quantity }) => ({ name, price, quantity })) };
}

/**
 * `PAY_`, the time in eight characters and 100 random bits: info asks for no key, so a reference must not be
 * guessable.
 */
export function generateReference(now: Date): string {
  return `PAY_${crockfordTime(Math.floor(now.getTime() / 1000))}${randomCrockford(20)}`;
}

/** Where the customer pays; the token is what opens the page. */
export function paymentUrl(payUrl: string, reference: string, app: string, token: string): string {
  return `${payUrl}?reference=${encodeURIComponent(reference)}&app=${app}&token=${token}`;
}

/** Writes payments; those made by links must be admitted first. */
async function insertAdmitted(tx: Tx, rail: Rail, drafts: Draft[], now: Date): Promise<(Refusal | null)[]> {
  const linked = drafts.flatMap(({ row }) => (row.link_id === null ? [] : [row.link_id]));
  if (linked.length === 0) return await insertPayments(tx, rail, drafts);
  const judged = await admitPayments(tx, linked, now);
  const faults = drafts.map(({ row }) => (row.link_id === null ? null : (judged.shift() ?? null)));
  const admitted = drafts.filter((_, index) => faults[index] === null);
  const outcomes = admitted.length > 0 ? await insertPayments(tx, rail, admitted) : [];
  return faults.map((fault) => fault ?? outcomes.shift() ?? null);
}

async function insertPayments(tx: Tx, rail: Rail, drafts: Draft[]): Promise<(Refusal | null)[]> {
  const { rows } = await tx.query<{ id: PaymentId }>({
    name: 'insert-payments',
    text: insertPaymentsSql,
    values: [JSON.stringify(drafts.map(({ row }) => row))],
  });
  const inserted = new Set(rows.map((row) => row.id));
  const live = drafts.filter(({ row }) => row.mode === 'live' && inserted.has(row.id));
  if (live.length > 0)
    await rail.open(
      tx,
      live.map(({ row: { id, currency } }) => ({ id, currency })),
    );
  return drafts.map(({ row }) => (inserted.has(row.id) ? null : refuse(paymentErrors.reference_exists)));
}

async function wasInserted(reader: Reader, drafts: Draft[]): Promise<boolean[]> {
  const { rows } = await reader.query<{ id: PaymentId }>('SELECT id FROM payments WHERE id = ANY($1)', [
    drafts.map(({ row }) => row.id),
  ]);
  const found = new Set(rows.map((row) => row.id));
  return drafts.map(({ row }) => found.has(row.id));
}
