import { Type } from 'typebox';
import { transaction } from '../../../kit/db/db.ts';
import { Nothing, Time } from '../../../kit/http/answers.ts';
import { nameField } from '../../../kit/http/fields.ts';
import { judgeAccountEmail } from '../../accounts/accounts.ts';
import { judgeNewPassword } from '../../accounts/passwords.ts';
import { recordChange } from '../../audit/audit-log.ts';
import { makeFirstOperator, requireSetupLink } from '../../setup/setup-link.ts';
import { callAuth } from '../sign-in/auth-call.ts';
import type { AuthRoutesDeps } from '../sign-in/auth-open.ts';
import { rememberHere } from '../sign-in/sign-in-tries.ts';
import type { SetupCalls } from './setup-calls.ts';

const OperatorBody = Type.Object({
  name: nameField(100),
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
});
const SetupLinkState = Type.Object({ expires_at: Time });

type SetupRouteDeps = Pick<AuthRoutesDeps, 'db' | 'auth' | 'now'>;

/** The first operator, by the link of the first run. */
export function setupRoutes(post: SetupCalls, deps: SetupRouteDeps): void {
  const { db, auth, now } = deps;

  post('', { body: Type.Object({}), answer: SetupLinkState }, async (_, { token }) => ({
    message: 'This installation can be set up',
    data: { expires_at: await requireSetupLink(db, token, now()) },
  }));

  const judges = { email: judgeAccountEmail, password: judgeNewPassword };
  post('/operator', { body: OperatorBody, judges, answer: Nothing }, async (person, exchange) => {
    const { request, token } = exchange;
    const email = person.email.toLowerCase();
    const accountId = await transaction(db, async (tx) => {
      const id = await makeFirstOperator(tx, { ...person, token }, now());
      const actor = { kind: 'account', id, name: email, asOperator: true, address: request.ip } as const;
      const change = {
        action: 'became the first operator by the link of the first run',
        subject: { kind: 'account', id },
        after: { email, is_operator: true },
      };
      await recordChange(tx, actor, change, now());
      await rememberHere(tx, deps, exchange, id);
      return id;
    });
    const body = { email, password: person.password };
    await callAuth(auth, 'signInEmail', exchange, { accountId, body });
    return { message: 'You are the operator of this installation', data: null };
  });
}
