import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { fieldReader, nameField } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import { missingFactor } from '../accounts/second-factor.ts';
import { identityErrors } from '../errors.ts';
import { currentAnnouncement } from '../merchants/announcements.ts';
import { createMerchant, membershipsOf } from '../merchants/merchants.ts';
import { permissionsOf } from '../roles.ts';
import { NamedId, SignedIn } from './answers/account.ts';
import type { Console } from './console.ts';

const NameBody = Type.Object({ name: nameField(100) });
const readName = fieldReader(NameBody);

/** How many businesses one person may own. Anybody who signs up may make some. */
const mostOwned = 20;

type IdentityConsoleDeps = { db: Database; now: Clock; assets: Assets; mail: { smtpUrl: string | null } };

/** The signed-in person and their merchants. */
export function identityConsoleRoutes(
  dashboard: Console,
  { db, now, assets, mail }: IdentityConsoleDeps,
): void {
  const networks = Object.fromEntries(assets.all.map(({ code, network }) => [code, network]));
  dashboard.get('account', '', { unproven: 'always', answer: SignedIn }, async ({ session }) => {
    const { account } = session;
    const missing = missingFactor(session);
    const memberships = missing === null ? await membershipsOf(db, account.id) : [];
    const data = {
      account: {
        id: account.id,
        email: account.email,
        name: account.name,
        email_verified: account.emailVerified,
        is_operator: account.isOperator,
        has_two_factor: account.hasTwoFactor,
        has_passkey: account.hasPasskey,
      },
      needs_second_factor: account.needsSecondFactor,
      missing_factor: missing,
      merchants: memberships.map((membership) => ({
        ...membership,
        permissions: permissionsOf(membership.role),
      })),
      announcement: await currentAnnouncement(db),
      networks,
      sends_mail: mail.smtpUrl !== null,
    };
    return { message: 'Account', data };
  });

  dashboard.write('POST', 'account', '/merchants', { answer: NamedId }, async (tx, { session, body }) => {
    const { name } = readName(body);
    await assertRoom(tx, session.account.id);
    const id = await createMerchant(tx, { name, ownerId: session.account.id }, now());
    const change = {
      action: 'made a business',
      subject: { kind: 'merchant', id },
      after: { name },
      merchantId: id,
    };
    return { message: 'Business created', data: { id, name }, change };
  });

  dashboard.write(
    'PATCH',
    'merchant',
    '',
    { may: 'manage the team', answer: NamedId },
    async (tx, { merchant, body }) => {
      const { name } = readName(body);
      await tx.query('UPDATE merchants SET name = $2 WHERE id = $1', [merchant.id, name]);
      const subject = { kind: 'merchant', id: merchant.id };
      const change = {
        action: 'renamed the business',
        subject,
        before: { name: merchant.name },
        after: { name },
      };
      return { message: 'Business renamed', data: { id: merchant.id, name }, change };
    },
  );
}

/** Locks the account, so that the limit also holds for businesses that are made at the same time. */
async function assertRoom(tx: Tx, accountId: string): Promise<void> {
  await tx.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const { rowCount } = await tx.query(
    `SELECT FROM members WHERE account_id = $1 AND role = 'owner' LIMIT $2`,
    [accountId, mostOwned],
  );
  if (rowCount === mostOwned) throw refuse(identityErrors.too_many_merchants, { limit: `${mostOwned}` });
}
