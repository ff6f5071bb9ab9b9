import type { Clock } from '../../../kit/clock.ts';
import { kitErrors, refuse } from '../../../kit/errors.ts';
import { Nothing } from '../../../kit/http/answers.ts';
import { isUuid } from '../../../kit/ids.ts';
import type { Auth } from '../../accounts/auth.ts';
import { type ClosingDeps, closeAccount } from '../../closing/close-account.ts';
import { identityErrors } from '../../errors.ts';
import type { Console } from '../admission/terms.ts';

type ClosingRouteDeps = ClosingDeps & { auth: Auth; now: Clock };

/** People close their own account; operators close those of others. */
export function closingRoutes(dashboard: Console, deps: ClosingRouteDeps): void {
  const { auth, now } = deps;

  // Takes no Idempotency-Key: after it nobody is signed in who could send it again.
  const own = { fresh: true, secrets: true, answer: Nothing };
  dashboard.write('DELETE', 'account', '', own, async (tx, { session, actor, reply }) => {
    const { id } = session.account;
    if (!(await closeAccount(tx, deps, id, { actor, now: now() }))) throw refuse(kitErrors.not_found);
    void reply.header('set-cookie', auth.cookies.expire(['session', 'twoFactor', 'passkey', 'device']));
    const change = { action: 'closed the account', subject: { kind: 'account', id } };
    return { message: 'Account closed', data: null, change };
  });

  dashboard.write(
    'DELETE',
    'operator',
    '/accounts/:account',
    { fresh: true, answer: Nothing },
    async (tx, { params: { account: id = '' }, session, actor }) => {
      if (!isUuid(id)) throw refuse(kitErrors.not_found);
      const { rows } = await tx.query('SELECT FROM accounts WHERE id = $1 AND is_operator', [id]);
      // Removing an operator takes two.
      if (rows.length > 0 && id !== session.account.id) throw refuse(identityErrors.operator_closes);
      if (!(await closeAccount(tx, deps, id, { actor, now: now() }))) throw refuse(kitErrors.not_found);
      const change = { action: 'closed an account', subject: { kind: 'account', id } };
      return { message: 'Account closed', data: null, change };
    },
  );
}
