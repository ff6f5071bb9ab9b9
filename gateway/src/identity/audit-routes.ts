import { type Static, Type } from 'typebox';
import { decodeCursor, encodeCursor, pageOf } from '../kit/cursor.ts';
import type { Database, Reader } from '../kit/db.ts';
import { queryReader } from '../kit/fields.ts';
import { uuidPattern } from '../kit/ids.ts';
import { subjectOf } from './account-events.ts';
import { type AuditScope, auditEntries } from './audit-log.ts';
import type { Console } from './console.ts';

const Part = Type.String({ format: 'text', maxLength: 200 });
const Moment = Type.String({ format: 'date-time' });
const AuditQuery = Type.Object({
  person: Type.Optional(Part),
  action: Type.Optional(Part),
  integration: Type.Optional(Type.String({ pattern: uuidPattern.source })),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
const readQuery = queryReader(AuditQuery);
const defaultLimit = 50;

/** What was changed: in a business, by operators, and in somebody's own account. */
export function auditRoutes(dashboard: Console, { db }: { db: Database }): void {
  dashboard.get('merchant', '/audit', { may: 'read the audit log' }, async ({ merchant, query }) => ({
    message: 'Audit log',
    data: await auditPage(db, { merchantId: merchant.id }, readQuery(query)),
  }));

  dashboard.get('operator', '/audit', {}, async ({ query }) => ({
    message: 'Staff audit log',
    data: await auditPage(db, { operators: true }, readQuery(query)),
  }));

  dashboard.get('account', '/activity', {}, async ({ session, query }) => ({
    message: 'Recent activity',
    data: await auditPage(db, { subject: subjectOf(session.account) }, readQuery(query)),
  }));
}

async function auditPage(reader: Reader, scope: AuditScope, query: Static<typeof AuditQuery>) {
  const { cursor, limit = defaultLimit, integration, ...filter } = query;
  const before = cursor === undefined ? null : decodeCursor(cursor, [uuidPattern])[0]!;
  const entries = await auditEntries(
    reader,
    scope,
    { before, limit: limit + 1 },
    { ...filter, ...(integration === undefined ? {} : { integrationId: integration }) },
  );
  return pageOf(entries, limit, ({ id }) => encodeCursor([id]));
}
