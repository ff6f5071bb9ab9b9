import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import { decodeCursor, encodeCursor, pageOf } from '../kit/cursor.ts';
import type { Database, Reader } from '../kit/db.ts';
import { fieldReader, queryReader } from '../kit/fields.ts';
import { uuidPattern } from '../kit/ids.ts';
import { currentAnnouncement } from './announcements.ts';
import { type AuditScope, auditEntries } from './audit-log.ts';
import type { Console } from './console.ts';
import { createMerchant, membershipsOf } from './merchants.ts';
import { permissionsOf } from './roles.ts';

const NameBody = Type.Object({ name: Type.String({ format: 'text', minLength: 1, maxLength: 100 }) });
const readName = fieldReader(NameBody);

const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
const readPage = queryReader(PageQuery);
const defaultLimit = 50;

/** Who is signed in, the merchants they belong to, and what was changed there. */
export function identityConsoleRoutes(dashboard: Console, { db, now }: { db: Database; now: Clock }): void {
  dashboard.get('account', '', {}, async ({ session: { account } }) => ({
    message: 'Account',
    data: {
      account: {
        id: account.id,
        email: account.email,
        name: account.name,
        email_verified: account.emailVerified,
        is_operator: account.isOperator,
        has_two_factor: account.hasTwoFactor,
        has_passkey: account.hasPasskey,
      },
      merchants: (await membershipsOf(db, account.id)).map((membership) => ({
        ...membership,
        permissions: permissionsOf(membership.role),
      })),
      announcement: await currentAnnouncement(db),
    },
  }));

  dashboard.write('POST', 'account', '/merchants', {}, async (tx, { session, body }) => {
    const { name } = readName(body);
    const id = await createMerchant(tx, { name, ownerId: session.account.id }, now());
    const change = {
      action: 'made a business',
      subject: { kind: 'merchant', id },
      after: { name },
      merchantId: id,
    };
    return { message: 'Business created', data: { id, name }, change };
  });

  dashboard.write('PATCH', 'merchant', '', { may: 'manage the team' }, async (tx, { merchant, body }) => {
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
  });

  dashboard.get('merchant', '/audit', { may: 'read the audit log' }, async ({ merchant, query }) => ({
    message: 'Audit log',
    data: await auditPage(db, { merchantId: merchant.id }, query),
  }));

  dashboard.get('operator', '/audit', {}, async ({ query }) => ({
    message: 'Staff audit log',
    data: await auditPage(db, { operators: true }, query),
  }));
}

async function auditPage(reader: Reader, scope: AuditScope, query: unknown) {
  const { cursor, limit = defaultLimit } = readPage(query);
  const before = cursor === undefined ? null : decodeCursor(cursor, [uuidPattern])[0]!;
  const entries = await auditEntries(reader, scope, { before, limit: limit + 1 });
  return pageOf(entries, limit, ({ id }) => encodeCursor([id]));
}
