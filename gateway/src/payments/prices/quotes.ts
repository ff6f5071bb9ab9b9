import type { Reader, Tx } from '../../kit/db/db.ts';
import { anyLength } from '../../kit/db/sql-arrays.ts';
import type { Currency } from '../../money/assets.ts';
import type { RateSources } from '../../rates/read-rates.ts';
import { isCharged, type Payment } from '../payment/payment.ts';
import type { Quote } from './quote.ts';

/** A quote of a payment. */
export type OwnQuote = { paymentId: string; quote: Quote };

type QuoteRow = {
  payment_id: string;
  currency: Currency;
  amount: bigint;
  fee: bigint;
  amount_due: bigint;
  tolerance: bigint;
  rate: bigint;
  at: Date;
  sources: RateSources;
};

/** The quotes of payments, those of each in the order in which they were made. */
export async function quotesOf(reader: Reader, payments: readonly Payment[]): Promise<OwnQuote[]> {
  const made = payments.flatMap((payment): OwnQuote[] => {
    const quote = firstQuote(payment);
    return quote ? [{ paymentId: payment.id, quote }] : [];
  });
  const chosen = payments.filter(({ choices }) => choices !== null).map(({ id }) => id);
  return chosen.length === 0 ? made : [...made, ...(await chosenQuotes(reader, chosen))];
}

/** The quote that was made with its payment; null where its customer chose, or there is no price. */
function firstQuote(payment: Payment): Quote | null {
  const { price, choices, rate, rateSources, createdAt: at } = payment;
  if (price === null || choices !== null || rate === null || !isCharged(payment)) return null;
  const { currency, amount, fee, amountDue, tolerance } = payment;
  return { currency, amount, fee, amountDue, tolerance, rate, at, sources: rateSources ?? [] };
}

async function chosenQuotes(reader: Reader, ids: readonly string[]): Promise<OwnQuote[]> {
  const { rows } = await reader.query<QuoteRow>({
    name: 'quotes-of-payments',
    text: `SELECT * FROM payment_quotes WHERE payment_id = ANY ${anyLength('$1', 'uuid')} ORDER BY at, currency`,
    values: [ids],
  });
  return rows.map((row) => ({
    paymentId: row.payment_id,
    quote: {
      ...{ currency: row.currency, amount: row.amount, fee: row.fee, amountDue: row.amount_due },
      ...{ tolerance: row.tolerance, rate: row.rate, at: row.at, sources: row.sources },
    },
  }));
}

/** Writes quotes that were made. There is one for each payment and currency: another one throws. */
export async function writeQuotes(tx: Tx, made: readonly OwnQuote[]): Promise<void> {
  if (made.length === 0) return;
  const records = made.map(({ paymentId, quote: { amount, fee, amountDue, tolerance, rate, ...quote } }) => ({
    ...{ payment_id: paymentId, ...quote },
    ...{ amount: amount.toString(), fee: fee.toString(), amount_due: amountDue.toString() },
    ...{ tolerance: tolerance.toString(), rate: rate.toString() },
  }));
  await tx.query({
    name: 'write-quotes',
    text: `INSERT INTO payment_quotes (payment_id, currency, amount, fee, amount_due, tolerance, rate, at, sources)
      SELECT payment_id, currency, amount, fee, amount_due, tolerance, rate, at, sources
      FROM json_to_recordset($1) AS q(payment_id uuid, currency text, amount numeric, fee numeric, amount_due numeric,
        tolerance numeric, rate numeric, at timestamptz, sources jsonb)`,
    values: [JSON.stringify(records)],
  });
}
