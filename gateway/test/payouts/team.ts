import { addMember, createMerchant } from '../../src/identity/merchants/merchants.ts';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { addQuickAccount } from '../support/fixtures.ts';

/** Gives an integration a business with an owner and so many people of finance less one; returns their ids. */
export async function seedMembers(
  db: Database,
  integrationId: string,
  count: number,
  now: Date,
): Promise<string[]> {
  return await transaction(db, async (tx) => {
    const people: string[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const email = `${newId()}@team.example`;
      const person = { email, name: 'Somebody', password: 'a long enough password', emailVerified: true };
      people.push(await addQuickAccount(tx, person, now));
    }
    const [ownerId = '', ...others] = people;
    const merchantId = await createMerchant(tx, { name: 'Corner shop', ownerId }, now);
    for (const accountId of others) await addMember(tx, { merchantId, accountId, role: 'finance' }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [integrationId, merchantId]);
    return people;
  });
}

/** Somebody who is an operator. */
export async function seedOperator(db: Database, now: Date): Promise<string> {
  const email = `${newId()}@operator.example`;
  const person = { email, name: 'Olga', password: 'a long enough password', isOperator: true };
  return await transaction(db, (tx) => addQuickAccount(tx, person, now));
}

/**
 * Somebody who may approve a payout of an integration, did not ask for it, and has not approved it: one of its people,
 * or, where it has none at all, the owner that it gets.
 */
export async function approverOf(
  db: Database,
  integrationId: string,
  payoutId: string,
  now: Date,
): Promise<string> {
  const { rows } = await db.query<{ id: string; is_free: boolean }>(
    `SELECT m.account_id AS id, m.account_id IS DISTINCT FROM p.requested_by AND NOT EXISTS (
       SELECT FROM payout_approvals a WHERE a.payout_id = p.id AND a.account_id = m.account_id) AS is_free
     FROM payouts p JOIN integrations i ON i.id = $1 JOIN members m ON m.merchant_id = i.merchant_id
     WHERE p.id = $2 AND m.role IN ('owner', 'finance') ORDER BY m.created_at, m.account_id`,
    [integrationId, payoutId],
  );
  const [found = rows.length === 0 ? (await seedMembers(db, integrationId, 1, now))[0] : undefined] =
    rows.flatMap((row) => (row.is_free ? row.id : []));
  if (found === undefined) throw new Error(`Nobody of the business is left to approve ${payoutId}`);
  return found;
}
