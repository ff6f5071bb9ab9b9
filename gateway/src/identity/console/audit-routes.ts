import { type Static, Type } from 'typebox';
import type { Database, Reader } from '../../kit/db/db.ts';
import { endParser, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { type AuditScope, auditEntries, securityEntries } from '../audit/audit-log.ts';
import { subjectOf } from './account-events.ts';
import { AuditPage } from './answers/team.ts';
import type { Console } from './console.ts';

const Part = Type.String({ format: 'text', maxLength: 200 });
const Moment = Type.String({ format: 'date-time' });
const AuditQuery = Type.Object({
  person: Type.Optional(Part),
  action: Type.Optional(Part),
  integration: Type.Optional(Type.String({ pattern: uuidPattern.source })),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  /** `security`: failures, refusals and limits, and the changes that concern who may do what; or all changes. */
  about: Type.Optional(Type.Enum(['changes', 'security', 'everything'])),
  ...pageFields,
});
const readQuery = queryReader(AuditQuery, {}, { to: endParser('to') });

export type AuditRoutesDeps = {
  db: Database;
  /** The usernames of users by their ids. */
  nameUsers: (reader: Reader, ids: string[]) => Promise<Map<string, string>>;
};

/** The audit log and the security log: of a business, of operators, and of one's own account. */
export function auditRoutes(dashboard: Console, { db, nameUsers }: AuditRoutesDeps): void {
  dashboard.getAged(
    'merchant',
    '/audit',
    { may: 'read the audit log', answer: AuditPage },
    async ({ aged, merchant, query }) => ({
      message: 'Audit log',
      data: await auditPage(aged, { merchantId: merchant.id }, readQuery(query)),
    }),
  );

  /** Adds the usernames. Only operators act on users of wallets. */
  async function withUsers(reader: Reader, page: Awaited<ReturnType<typeof auditPage>>) {
    const subjects = page.items.map(({ subject }) => subject).filter(({ kind }) => kind === 'user');
    const ids = subjects.map(({ id }) => id).filter((id) => uuidPattern.test(id));
    const names = await nameUsers(reader, ids);
    for (const subject of subjects) subject.name = names.get(subject.id) ?? null;
    return page;
  }

  // Operators see the changes of operators, but the security log of everybody.
  dashboard.getAged('operator', '/audit', { answer: AuditPage }, async ({ aged, query }) => {
    const wanted = readQuery(query);
    const scope = wanted.about === 'security' ? ({ all: true } as const) : ({ operators: true } as const);
    return { message: 'Staff audit log', data: await withUsers(aged, await auditPage(aged, scope, wanted)) };
  });

  dashboard.get('account', '/activity', { answer: AuditPage }, async ({ session, query }) => ({
    message: 'Recent activity',
    data: await auditPage(db, { subject: subjectOf(session.account) }, readQuery(query)),
  }));
}

async function auditPage(reader: Reader, scope: AuditScope, query: Static<typeof AuditQuery>) {
  const { integration, about, ...rest } = query;
  const filter = { ...rest, ...(integration === undefined ? {} : { integrationId: integration }) };
  if (about === 'everything' || about === 'security') {
    return await pageById(query, (rows) => securityEntries(reader, scope, rows, { ...filter, about }));
  }
  return await pageById(query, (rows) => auditEntries(reader, scope, rows, filter));
}
