import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/notices/${path}`;

/** Who is told of money, and what. */
export const notices: readonly Mutation[] = [
  {
    name: 'notices/left-the-team',
    file: at('send/send.ts'),
    find: 'if (!listener?.isMember) return',
    replace: 'if (!listener) return',
    harm: 'Somebody who has left a business is told what it earns.',
  },
  {
    name: 'notices/day-of-a-member',
    file: at('day.ts'),
    find: 'if (facts && (await isMember(tx, due.accountId, due.integrationId))) {',
    replace: 'if (facts && ((await isMember(tx, due.accountId, due.integrationId)) || due.seq >= 0n)) {',
    harm: 'Somebody who has left a business gets its daily sums.',
  },
  {
    name: 'notices/unconfirmed-address',
    file: at('send/send.ts'),
    find: 'CASE WHEN a.email_verified THEN a.email END AS email',
    replace: 'a.email AS email',
    harm: 'What a business earns is mailed to whoever has the address that somebody typed.',
  },
  {
    name: 'notices/device-of-another',
    file: at('push/devices.ts'),
    find: "'DELETE FROM notice_devices WHERE account_id = $1 AND id = $2'",
    replace: "'DELETE FROM notice_devices WHERE (account_id = $1 OR $1 IS NOT NULL) AND id = $2'",
    harm: 'Anybody with an account takes the notices of another one away.',
  },
  {
    name: 'notices/code-over',
    file: at('telegram/codes.ts'),
    find: 'return row && row.expires_at > now ? row.id : null;',
    replace: 'return row && row.expires_at !== now ? row.id : null;',
    harm: 'A code that somebody finds weeks later links their chat to the business.',
  },
  {
    name: 'notices/code-once',
    file: at('telegram/codes.ts'),
    find: "'DELETE FROM notice_codes WHERE code_hash = $1 RETURNING account_id AS id, expires_at'",
    replace: "'SELECT account_id AS id, expires_at FROM notice_codes WHERE code_hash = $1'",
    harm: 'A code that was used links a second chat.',
  },
  {
    name: 'notices/day-told-once',
    file: at('day.ts'),
    find: '{ dueAt, seq: range.until }',
    replace: '{ dueAt, seq: range.after }',
    harm: 'Each day tells of the payments of all days before it.',
  },
  {
    name: 'notices/day-settled',
    file: at('day.ts'),
    find: 'after(at, -settledSeconds)',
    replace: 'after(at, settledSeconds)',
    harm: 'An event that was written while the day was counted is told by no day.',
  },
  {
    name: 'notices/failed-payouts',
    file: at('day.ts'),
    find: 'own.filter(({ type }) => !movedNothing.includes(type))',
    replace: 'own.filter(({ type }) => movedNothing.includes(type))',
    harm: 'A day says that money was paid out which was not.',
  },
];
