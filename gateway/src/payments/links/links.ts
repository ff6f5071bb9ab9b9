import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { pageOf, timeCursor, timePlaceOf } from '../../kit/http/cursor.ts';
import { isUuid, newId, randomCrockford } from '../../kit/ids.ts';
import { lackingSql } from '../payment/lacking.ts';
import { type LinkId, type LinkRow, type LinkUse, linkColumns, linkOf, type PaymentLink } from './link.ts';
import type { LinkInput } from './schema.ts';

/** 100 random bits. */
const codeLength = 20;

export async function insertLink(
  tx: Tx,
  { integrationId, mode }: Owner,
  input: LinkInput,
  now: Date,
): Promise<PaymentLink> {
  const { asks } = input;
  const found = await tx.query<LinkRow>(
    `INSERT INTO payment_links AS l (id, code, integration_id, mode, title, description, currency, amount, price_amount,
       price_currency, choices, min_amount, max_amount, one_use, success_url, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     RETURNING ${linkColumns}`,
    [
      ...[newId<'payment-link'>(now), randomCrockford(codeLength), integrationId, mode],
      ...[input.title, input.description ?? null, asks.currency, asks.amount],
      ...[asks.price?.amount ?? null, asks.price?.currency ?? null, asks.choices],
      ...[input.min_amount ?? null, input.max_amount ?? null],
      ...[input.one_use ?? false, input.success_url?.uri ?? null, input.expires_at ?? null, now],
    ],
  );
  return linkOf(oneRow(found, 'payment link'));
}

/** The owner's link of that id; anybody else's is `Not found`. */
export async function findLink(reader: Reader, owner: Owner, id: string): Promise<PaymentLink> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<LinkRow>(
    `SELECT ${linkColumns} FROM payment_links l WHERE l.id = $1 AND l.integration_id = $2 AND l.mode = $3`,
    [id, owner.integrationId, owner.mode],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return linkOf(rows[0]);
}

const codePattern = /^[0-9A-HJKMNP-TV-Z]{20}$/;

/** The link of a page. */
export async function findLinkByCode(reader: Reader, code: string): Promise<PaymentLink | null> {
  if (!codePattern.test(code)) return null;
  const { rows } = await reader.query<LinkRow>(
    `SELECT ${linkColumns} FROM payment_links l WHERE l.code = $1`,
    [code],
  );
  return rows[0] ? linkOf(rows[0]) : null;
}

/** A page of the owner's links, newest first, with the completed payments of each. */
export async function listLinks(
  reader: Reader,
  owner: Owner,
  { cursor, limit = 20 }: { cursor?: string; limit?: number },
) {
  const place = timePlaceOf(cursor);
  const { rows } = await reader.query<LinkRow>(
    `SELECT ${linkColumns} FROM payment_links l
     WHERE l.integration_id = $1 AND l.mode = $2
       AND ($3::timestamptz IS NULL OR (l.created_at, l.id) < ($3, $4::uuid))
     ORDER BY l.created_at DESC, l.id DESC LIMIT $5`,
    [owner.integrationId, owner.mode, place?.at ?? null, place?.id ?? null, limit + 1],
  );
  const page = pageOf(rows.map(linkOf), limit, ({ createdAt, id }) => timeCursor({ at: createdAt, id }));
  const uses = await usesOf(
    reader,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.map((link) => ({ link, use: uses(link.id) })) };
}

/** The completed payments of links. */
export async function usesOf(reader: Reader, ids: readonly LinkId[]): Promise<(id: LinkId) => LinkUse> {
  const { rows } = await reader.query<
    { link_id: LinkId; revenue: bigint | null } & Pick<LinkUse, 'uses' | 'completed' | 'lackingPrice'>
  >(
    `SELECT link_id, count(*) FILTER (WHERE completed_at IS NOT NULL)::int AS uses,
       count(*) FILTER (WHERE status = 'completed')::int AS completed,
       sum(amount) FILTER (WHERE status = 'completed') - ${lackingSql('s.link_id = payments.link_id')} AS revenue,
       ${lackingSql('s.link_id = payments.link_id', 'price_amount')} AS "lackingPrice"
     FROM payments WHERE link_id = ANY ($1) GROUP BY link_id`,
    [ids],
  );
  const found = new Map(
    rows.map(({ link_id, revenue, ...use }) => [link_id, { ...use, revenue: revenue ?? 0n }]),
  );
  return (id) => found.get(id) ?? unused;
}

/** Of a link that nobody has paid by. */
export const unused: LinkUse = { uses: 0, completed: 0, revenue: 0n, lackingPrice: 0n };

/** Stops a link, or lets it take payments again. */
export async function setActive(
  tx: Tx,
  { id }: PaymentLink,
  active: boolean,
  now: Date,
): Promise<PaymentLink> {
  const found = await tx.query<LinkRow>(
    `UPDATE payment_links l SET stopped_at = CASE WHEN $2 THEN NULL ELSE coalesce(l.stopped_at, $3) END
     WHERE l.id = $1 RETURNING ${linkColumns}`,
    [id, active, now],
  );
  return linkOf(oneRow(found, 'payment link'));
}

/** A change of a link as the audit log notes it. */
export function linkChange(action: string, before: PaymentLink | null, after: PaymentLink) {
  return {
    action,
    subject: { kind: 'payment link', id: after.id },
    before: before && { active: before.stoppedAt === null },
    after: { title: after.title, active: after.stoppedAt === null },
  };
}

/** Moves the times of the integration's test links closer by `seconds` (the test clock). */
export async function shiftTestLinks(tx: Tx, integrationId: string, seconds: number): Promise<void> {
  await tx.query(
    `UPDATE payment_links SET expires_at = expires_at - $2 * interval '1 second'
     WHERE integration_id = $1 AND mode = 'test' AND expires_at IS NOT NULL`,
    [integrationId, seconds],
  );
}
