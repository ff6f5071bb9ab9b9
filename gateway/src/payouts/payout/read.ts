import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { isCleanText } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Assets } from '../../money/assets.ts';
import { payoutErrors } from './errors.ts';
import {
  type Approval,
  type Payout,
  type PayoutRow,
  type PayoutStatus,
  type PayoutView,
  payoutOf,
  payoutView,
} from './payout.ts';
import { payoutColumns } from './sql.ts';

export type PayoutFilter = {
  status?: PayoutStatus | undefined;
  asset?: string | undefined;
  /** Not only those that were ordered from the business balance. */
  isAnyPurpose?: boolean;
  before: string | null;
  limit: number;
};

/** The payouts of an owner, newest first. */
export async function listPayouts(
  reader: Reader,
  { integrationId, mode }: Owner,
  { status, asset, isAnyPurpose = false, before, limit }: PayoutFilter,
): Promise<Payout[]> {
  const { rows } = await reader.query<PayoutRow>(
    `SELECT ${payoutColumns} FROM payouts
     WHERE integration_id = $1 AND mode = $2 AND ($7 OR purpose = 'merchant_payout')
       AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR asset = $4) AND ($5::uuid IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6`,
    [integrationId, mode, status ?? null, asset ?? null, before, limit, isAnyPurpose],
  );
  return rows.map(payoutOf);
}

/** One of an owner's payouts of any purpose, by its id or its reference. Throws `payout_not_found`. */
export async function findPayout(
  reader: Reader,
  { integrationId, mode }: Owner,
  idOrReference: string,
): Promise<Payout> {
  const reference = isCleanText(idOrReference) ? idOrReference : null;
  const { rows } = await reader.query<PayoutRow>(
    `SELECT ${payoutColumns} FROM payouts
     WHERE integration_id = $1 AND mode = $2 AND (id = $3 OR reference = $4)
     ORDER BY (id = $3) DESC NULLS LAST LIMIT 1`,
    [integrationId, mode, isUuid(idOrReference) ? idOrReference : null, reference],
  );
  if (!rows[0]) throw refuse(payoutErrors.payout_not_found);
  return payoutOf(rows[0]);
}

/** Payouts as the API shows them, with their approvals. */
export async function viewsOf(
  reader: Reader,
  assets: Assets,
  payouts: readonly Payout[],
): Promise<PayoutView[]> {
  const approvals = await approvalsOf(
    reader,
    payouts.map(({ id }) => id),
  );
  return payouts.map((payout) =>
    payoutView(payout, assets.get(payout.asset), approvals.get(payout.id) ?? []),
  );
}

/** The approvals of payouts, oldest first, by the payout's id. */
async function approvalsOf(reader: Reader, ids: readonly string[]): Promise<Map<string, Approval[]>> {
  const { rows } = await reader.query<Approval & { payout_id: string }>(
    `SELECT payout_id, approver AS by, at FROM payout_approvals WHERE payout_id = ANY ($1) ORDER BY at, account_id`,
    [ids],
  );
  const found = new Map<string, Approval[]>(ids.map((id) => [id, []]));
  for (const { payout_id, by, at } of rows) found.get(payout_id)?.push({ by, at });
  return found;
}

/** The payouts that are one with each of these, by its id. */
export async function othersOf(reader: Reader, payouts: readonly Payout[]): Promise<Map<string, Payout[]>> {
  const wanted = payouts.flatMap(({ together }) => together ?? []);
  if (wanted.length === 0) return new Map();
  const { rows } = await reader.query<PayoutRow>(
    `SELECT ${payoutColumns} FROM payouts WHERE together = ANY ($1) ORDER BY id`,
    [wanted],
  );
  const all = rows.map(payoutOf);
  return new Map(
    payouts.map(({ id, together }) => [
      id,
      all.filter((each) => each.together !== null && each.together === together && each.id !== id),
    ]),
  );
}

/** Payouts by their ids, such as those of refunds; one that is missing is left out. */
export async function payoutsById(reader: Reader, ids: readonly string[]): Promise<Map<string, Payout>> {
  const { rows } = await reader.query<PayoutRow>(`SELECT ${payoutColumns} FROM payouts WHERE id = ANY ($1)`, [
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, payoutOf(row)]));
}

/** Which of these ids are test payouts of an integration. */
export async function testPayoutsAmong(
  reader: Reader,
  integrationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await reader.query<{ id: string }>(
    `SELECT id FROM payouts WHERE id = ANY ($2) AND integration_id = $1 AND mode = 'test'`,
    [integrationId, ids],
  );
  return rows.map(({ id }) => id);
}
