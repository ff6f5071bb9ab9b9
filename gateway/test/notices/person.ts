import { addMember, createMerchant, type MerchantId } from '../../src/identity/merchants/merchants.ts';
import type { Owner } from '../../src/identity/owner.ts';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { addQuickAccount, seedIntegration, testSeal } from '../support/fixtures.ts';

export type SeededPerson = { accountId: string; email: string; merchantId: MerchantId; owner: Owner };

let made = 0;

/** A person of the team of a new integration, who may read. */
export async function seedPerson(db: Database, seal = testSeal): Promise<SeededPerson> {
  made += 1;
  const now = new Date();
  const { integrationId } = await seedIntegration(db, seal);
  const add = (email: string) =>
    transaction(db, (tx) =>
      addQuickAccount(
        tx,
        { email, name: 'Ada', password: 'correct horse battery', emailVerified: true },
        now,
      ),
    );
  const [ownerId, email] = [await add(`owner-${made}@example.com`), `ada-${made}@example.com`];
  const accountId = await add(email);
  const merchantId = await transaction(db, async (tx) => {
    const id = await createMerchant(tx, { name: 'Corner shops', ownerId }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [integrationId, id]);
    await addMember(tx, { merchantId: id, accountId, role: 'read-only' }, now);
    return id;
  });
  return { accountId, email, merchantId, owner: { integrationId, mode: 'live' } };
}
