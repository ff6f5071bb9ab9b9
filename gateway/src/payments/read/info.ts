import type { Owner } from '../../identity/owner.ts';
import { batched } from '../../kit/db/batch.ts';
import type { Database } from '../../kit/db/db.ts';
import { isReference } from '../create/schema.ts';
import { type PaymentRow, priceOfRow } from '../payment/payment-row.ts';
import { askedNumber, askedOf } from '../payment/price.ts';

type InfoRow = Pick<
  PaymentRow,
  | 'reference'
  | 'amount'
  | 'currency'
  | 'price_amount'
  | 'price_currency'
  | 'status'
  | 'created_at'
  | 'updated_at'
>;

/** The six fields of info. */
type PaymentInfo = {
  payment_reference: string;
  amount: number;
  currency: string;
  payment_status: string;
  created_at: string;
  updated_at: string;
};

/** Info of a reference: of the owner's payment, or of what anyone may see where no owner asks. */
export type InfoLookup = (reference: string, owner: Owner | null) => Promise<PaymentInfo | null>;

const fields =
  'p.reference, p.amount, p.currency, p.price_amount, p.price_currency, p.status, p.created_at, p.updated_at';

// Any number of integrations may have a test payment of one reference; two rows show that there are several.
const openInfoSql = `
SELECT found.*, asked.n::int AS nth FROM unnest($1::text[]) WITH ORDINALITY AS asked(reference, n)
CROSS JOIN LATERAL (SELECT ${fields} FROM payments p WHERE p.reference = asked.reference LIMIT 2) AS found`;

const liveInfoSql = `SELECT ${fields} FROM payments p WHERE p.mode = 'live' AND p.reference = ANY ($1)`;

// `= ANY`, and no mode: see lockOwnPayments.
const ownInfoSql = `
SELECT ${fields}, p.mode, asked.n::int AS nth
FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS asked(reference, integration_id, n)
JOIN payments p ON p.reference = asked.reference AND p.integration_id = asked.integration_id
WHERE p.reference = ANY ($1)`;

/**
 * Returns the lookup of info; lookups that come together share one statement. An owner is answered for its own
 * payments alone; anyone else for the live payment of that reference, or for the test payment where exactly one
 * integration has it (contract.md#payments).
 */
export function createInfoLookup(db: Database): InfoLookup {
  const ofAnyone = batched<string, PaymentInfo | null>(async (references) => {
    const { rows } = await db.query<InfoRow & { nth: number }>({
      name: 'payment-info',
      text: openInfoSql,
      values: [references],
    });
    const found = references.map((): InfoRow[] => []);
    for (const row of rows) found[row.nth - 1]?.push(row);
    const shared = references.filter((_, index) => (found[index]?.length ?? 0) > 1);
    const live = shared.length > 0 ? await liveInfoOf(db, shared) : new Map<string, InfoRow>();
    return references.map((reference, index) => {
      const [first, second] = found[index] ?? [];
      const row = second ? live.get(reference) : first;
      return row ? infoOf(row) : null;
    });
  });
  const ofOwner = batched<{ reference: string; owner: Owner }, PaymentInfo | null>(async (asked) => {
    const { rows } = await db.query<InfoRow & { nth: number; mode: string }>({
      name: 'own-payment-info',
      text: ownInfoSql,
      values: [asked.map(({ reference }) => reference), asked.map(({ owner }) => owner.integrationId)],
    });
    const found = new Map(rows.map((row) => [row.nth, row]));
    return asked.map(({ owner }, index) => {
      const row = found.get(index + 1);
      return row?.mode === owner.mode ? infoOf(row) : null;
    });
  });
  return async (reference, owner) => {
    if (!isReference(reference)) return null;
    return owner ? await ofOwner({ reference, owner }) : await ofAnyone(reference);
  };
}

/** The live payments among those of some references: one for each, if any. */
async function liveInfoOf(db: Database, references: string[]): Promise<Map<string, InfoRow>> {
  const { rows } = await db.query<InfoRow>({
    name: 'live-payment-info',
    text: liveInfoSql,
    values: [references],
  });
  return new Map(rows.map((row) => [row.reference, row]));
}

function infoOf(row: InfoRow): PaymentInfo {
  const asked = { ...row, price: priceOfRow(row) };
  return {
    payment_reference: row.reference,
    amount: askedNumber(asked),
    currency: askedOf(asked).currency,
    payment_status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
