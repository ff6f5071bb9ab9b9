import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { changeOperator, endSessions, searchAccounts } from '../accounts/operator-accounts.ts';
import { identityErrors } from '../errors.ts';
import { Ended } from './answers/account.ts';
import { AccountPage, OperatorSet } from './answers/operators.ts';
import type { Console } from './console.ts';

const AccountsQuery = Type.Object({
  ...pageFields,
  search: Type.Optional(Type.String({ maxLength: 254, format: 'text' })),
  kind: Type.Optional(Type.Enum(['operators'])),
});
const readAccountsQuery = queryReader(AccountsQuery);
const readOperatorBody = fieldReader(Type.Object({ is_operator: Type.Boolean() }));

/** For operators: all accounts, who is an operator, and signing people out. */
export function operatorAccountRoutes(dashboard: Console, { db, now }: { db: Database; now: Clock }): void {
  dashboard.get('operator', '/accounts', { answer: AccountPage }, async ({ query }) => {
    const { search = '', kind, ...page } = readAccountsQuery(query);
    const terms = { search: search.trim(), operatorsOnly: kind === 'operators', now: now() };
    const found = await pageById(page, (rows) => searchAccounts(db, { ...terms, ...rows }));
    const items = found.items.map(({ created_at, last_seen_at, ...account }) => ({
      ...account,
      created_at: created_at.toISOString(),
      last_seen_at: last_seen_at?.toISOString() ?? null,
    }));
    return { message: 'Accounts', data: { items, next_cursor: found.next_cursor } };
  });

  dashboard.propose(
    'PUT',
    '/accounts/:account/operator',
    {
      kind: 'operator_rights',
      title: 'Make somebody an operator, or take that away',
      answer: OperatorSet,
      // Operators may give up their own rights alone.
      isAtOnce: ({ params, body, by }) =>
        params.account === by.accountId && !readOperatorBody(body).is_operator,
    },
    async (tx, { params, body, by }) => {
      const id = accountIdOf(params);
      const { is_operator } = readOperatorBody(body);
      const changed = await changeOperator(tx, { id, isOperator: is_operator, by: by.accountId });
      if (changed.outcome === 'refused') throw refuse(identityErrors.operators_only);
      if (changed.outcome === 'unknown') throw refuse(kitErrors.not_found);
      if (changed.outcome === 'last') throw refuse(identityErrors.operator_last);
      const { email } = changed;
      return {
        message: is_operator ? 'Made an operator' : 'No longer an operator',
        data: { id, is_operator },
        change:
          changed.outcome === 'unchanged'
            ? null
            : {
                action: is_operator ? 'made somebody an operator' : 'took operator rights away',
                subject: { kind: 'account', id },
                before: { email, is_operator: !is_operator },
                after: { email, is_operator },
              },
      };
    },
  );

  dashboard.write(
    'DELETE',
    'operator',
    '/accounts/:account/sessions',
    { fresh: true, answer: Ended },
    async (tx, call) => {
      const id = accountIdOf(call.params);
      const ended = await endSessions(tx, id);
      if (ended === null) throw refuse(kitErrors.not_found);
      const subject = { kind: 'account', id };
      const change = ended > 0 ? { action: 'ended every session', subject, after: { ended } } : null;
      return { message: 'Signed out everywhere', data: { ended }, change };
    },
  );
}

function accountIdOf({ account = '' }: Record<string, string>): string {
  if (!isUuid(account)) throw refuse(kitErrors.not_found);
  return account;
}
