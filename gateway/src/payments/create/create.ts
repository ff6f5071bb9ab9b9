import { identityErrors } from '../../identity/errors.ts';
import { isHttpsOrLoopback } from '../../identity/integrations/redirects.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import type { Answer, IdempotencyKey } from '../../kit/http/idempotency.ts';
import { keyedBatch } from '../../kit/http/keyed-batch.ts';
import type { Currency } from '../../money/assets.ts';
import type { Rail } from '../../rails/rail.ts';
import { recordInvoiceEvents } from '../../webhooks/events/invoice-events.ts';
import { admitPayments } from '../links/admit.ts';
import type { PaymentLink } from '../links/link.ts';
import { assertMinimum, testRates } from '../payment/amount.ts';
import { builtinTerms } from '../payment/currency-terms.ts';
import { paymentErrors } from '../payment/errors.ts';
import { insertInvoices } from '../payment/invoice.ts';
import type { PaymentId } from '../payment/payment.ts';
import { insertPaymentsSql } from '../payment/sql.ts';
import { type Creator, type Draft, draftPayment, judgedDraft } from './draft.ts';
import {
  type AsksPrice,
  assertOffered,
  assertOwnAddress,
  judgePrices,
  type PriceDeps,
} from './judge-prices.ts';
import type { CreateInput, OwnTerms } from './schema.ts';

export type CreateDeps = PriceDeps & {
  db: Database;
  now: Clock;
  payUrl: string;
  /** What settles live payments. */
  rail: Rail;
  /** Wakes those who tell of invoices; absent: none is made. */
  hints?: Hints;
};

export type CreatePayment = (
  creator: Creator,
  input: CreateInput,
  key: IdempotencyKey | null,
  /** The link that it is made by. */
  link?: PaymentLink,
) => Promise<Answer>;

/**
 * Returns `createPayment`. Calls that come together share one commit, and prices one reading of the rates. Refusals: `currency_unsupported`,
 * `not_approved`, `own_address_missing`, `no_rate`, `no_rates`, `amount_below_minimum`, `field_invalid`, `reference_exists`, those of
 * `admitPayments`, and those of the Idempotency-Key.
 */
export function createPaymentCreator(deps: CreateDeps): CreatePayment {
  const submit = keyedBatch<Draft>({
    db: deps.db,
    now: deps.now,
    prepare: (drafts) => judgeDrafts(deps, drafts),
    write: (tx, drafts, now) => insertAdmitted(tx, deps, drafts, now),
    // A live payment's addresses are written beside it, and so is an invoice.
    writesOnce: ({ row, invoice }) => row.mode === 'test' && row.link_id === null && invoice === null,
    wasWritten: wasInserted,
    factsOf: ({ row }) => ({ 'florin.payment_id': row.id }),
  });
  return async (creator, input, key, link) => {
    assertCreatable(deps, creator, input);
    return await submit(draftPayment(deps, { creator, input, link, now: deps.now() }, key));
  };
}

/** What decides whether a payment may be made. Where its amount is undefined its customer will say how much. */
export type Creatable = Pick<CreateInput, 'success_url' | 'failure_url'> & {
  own?: Pick<OwnTerms, 'assetCodes'>;
  asks: { price: null; currency: Currency; amount: bigint | undefined } | AsksPrice;
};

/**
 * Refuses a payment that this creator may not make: `currency_unsupported`, `not_approved`, `own_address_missing`,
 * `field_invalid`, `amount_below_minimum`. Whether a price has a rate and meets the minimum is judged afterwards (`judgePrices`).
 */
export function assertCreatable(
  deps: Pick<PriceDeps, 'termsOf' | 'rates' | 'isDirectRequired'> & Pick<CreateDeps, 'now'>,
  { integration, mode }: Creator,
  { asks, own, ...addresses }: Creatable,
): void {
  const live = mode === 'live';
  const { termsOf = builtinTerms } = deps;
  const rates = live ? deps.rates : testRates;
  if (asks.price !== null) assertOffered(deps, asks);
  else if (!termsOf(asks.currency).offered || rates(asks.currency) === null)
    throw refuse(paymentErrors.currency_unsupported);
  if (live && integration.approval !== 'approved') throw refuse(identityErrors.not_approved);
  assertOwnAddress(deps, { integration, mode }, { ...asks, ...own }, deps.now());
  if (live) assertHttps(addresses);
  if (asks.price === null && asks.amount !== undefined)
    assertMinimum(asks.amount, asks.currency, rates, termsOf(asks.currency).minimumCents);
}

/** The same, and the rates and the minimum of a price. */
export async function assertMakeable(
  reader: Reader,
  deps: PriceDeps & Pick<CreateDeps, 'now'>,
  creator: Creator,
  input: Creatable,
): Promise<void> {
  assertCreatable(deps, creator, input);
  const { asks } = input;
  if (asks.price === null) return;
  const { feePayer } = creator.integration;
  const [judged] = await judgePrices(reader, deps, [{ ...asks, ...creator, feePayer }], deps.now());
  if (judged instanceof Refusal) throw judged;
}

function assertHttps(input: Pick<CreateInput, 'success_url' | 'failure_url'>): void {
  for (const field of ['success_url', 'failure_url'] as const) {
    const address = input[field];
    if (address && !isHttpsOrLoopback(address.url)) throw invalid(field, 'must be an https URL in live mode');
  }
}

type Outcome = Refusal | null;

/** Judges the prices among drafts. Rates are read outside the transaction: a batch in test mode is a single statement. */
async function judgeDrafts(deps: CreateDeps, drafts: Draft[]): Promise<(Draft | Refusal)[]> {
  const prices = drafts.flatMap(({ priced }) => priced ?? []);
  if (prices.length === 0) return drafts;
  const judged = (await judgePrices(deps.db, deps, prices, deps.now())).values();
  return drafts.map((draft) => {
    if (draft.priced === null) return draft;
    const { value } = judged.next();
    if (value === undefined) throw new Error('A price was not judged');
    return value instanceof Refusal ? value : judgedDraft(draft, draft.priced, value);
  });
}

/** Writes payments; those made by links must be admitted first. */
async function insertAdmitted(tx: Tx, deps: InsertDeps, drafts: Draft[], now: Date): Promise<Outcome[]> {
  const linked = drafts.flatMap(({ row }) => (row.link_id === null ? [] : [row.link_id]));
  if (linked.length === 0) return await insertPayments(tx, deps, drafts);
  const judged = await admitPayments(tx, linked, now);
  const admitted = drafts.map((draft): Draft | Refusal =>
    draft.row.link_id === null ? draft : (judged.shift() ?? draft),
  );
  return await ofGood(admitted, (good) => insertPayments(tx, deps, good));
}

/** The refusals of these, and for the others what `write` returns. */
async function ofGood(
  drafts: readonly (Draft | Refusal)[],
  write: (good: Draft[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const good = drafts.filter((draft): draft is Draft => !(draft instanceof Refusal));
  const outcomes = good.length > 0 ? await write(good) : [];
  return drafts.map((draft) => (draft instanceof Refusal ? draft : (outcomes.shift() ?? null)));
}

type InsertDeps = Pick<CreateDeps, 'rail' | 'hints'>;

async function insertPayments(tx: Tx, { rail, hints }: InsertDeps, drafts: Draft[]): Promise<Outcome[]> {
  const { rows } = await tx.query<{ id: PaymentId }>({
    name: 'insert-payments',
    text: insertPaymentsSql,
    values: [JSON.stringify(drafts.map(({ row, charge }) => ({ ...row, ...charge })))],
  });
  const inserted = new Set(rows.map((row) => row.id));
  const made = drafts.filter(({ row }) => inserted.has(row.id));
  const live = made.flatMap(({ row: { id, mode }, charge: { currency } }) =>
    mode === 'live' && currency ? [{ id, currency }] : [],
  );
  if (live.length > 0) await rail.open(tx, live);
  if (hints) await insertOwnInvoices(tx, hints, made);
  return drafts.map(({ row }) => (inserted.has(row.id) ? null : refuse(paymentErrors.reference_exists)));
}

/** Writes the invoices among payments that were made, with the event of each. */
async function insertOwnInvoices(tx: Tx, hints: Hints, made: readonly Draft[]): Promise<void> {
  const own = made.flatMap(({ row, invoice }) =>
    invoice ? [{ invoice, payment: { ...row, integrationId: row.integration_id } }] : [],
  );
  if (own.length === 0) return;
  await insertInvoices(tx, own);
  const events = own.map(({ invoice, payment: { id, reference, integrationId, mode, created_at } }) => ({
    ...{ integrationId, mode, invoice, payment: { id, reference, sequence: 0 } },
    ...({ type: 'InvoiceCreated', at: new Date(created_at), more: {} } as const),
  }));
  await recordInvoiceEvents(tx, hints, events);
}

async function wasInserted(reader: Reader, drafts: Draft[]): Promise<boolean[]> {
  const { rows } = await reader.query<{ id: PaymentId }>('SELECT id FROM payments WHERE id = ANY($1)', [
    drafts.map(({ row }) => row.id),
  ]);
  const found = new Set(rows.map((row) => row.id));
  return drafts.map(({ row }) => found.has(row.id));
}
