import { Type } from 'typebox';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, nameField } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { PasskeyBody } from '../accounts/passkey-checks.ts';
import { assertFactorLeft } from '../accounts/second-factor.ts';
import { markSecondFactor } from '../accounts/sessions.ts';
import { identityErrors } from '../errors.ts';
import { noteMethodChange, subjectOf, warnOwner } from './account-events.ts';
import { Named, PasskeyAdded, PasskeyOptions, PasskeyPage } from './answers/account.ts';
import type { Call, Console } from './console.ts';
import { asOwner, callAuth } from './sign-in/auth-call.ts';
import type { AuthRoutesDeps } from './sign-in/auth-open.ts';

const Name = nameField(60);
const readName = fieldReader(Type.Object({ name: Name }));
const readPasskey = fieldReader(Type.Object({ name: Name, ...PasskeyBody.properties }));
const mostPasskeys = 50;

type Passkey = { id: string; name: string | null; created_at: Date; backed_up: boolean };

/** The passkeys of an account, the newest first. */
async function listPasskeys(reader: Reader, accountId: string): Promise<Passkey[]> {
  const { rows } = await reader.query<Passkey>(
    `SELECT id, name, created_at, backed_up FROM passkeys
     WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [accountId, mostPasskeys],
  );
  return rows;
}

/** Passkeys of an account. Each of them is enough to sign in, without password and code. */
export function passkeyRoutes(dashboard: Console, { db, auth, now }: AuthRoutesDeps): void {
  dashboard.get('account', '/passkeys', { answer: PasskeyPage }, async ({ session }) => ({
    message: 'Passkeys',
    data: { items: await listPasskeys(db, session.account.id), next_cursor: null },
  }));

  // Somebody who signs up with another person's address must not keep access after that person confirms it.
  function assertOwnAddress({ session }: Call<'account'>): void {
    if (!session.account.emailVerified) throw refuse(identityErrors.email_not_verified);
  }

  dashboard.act(
    'POST',
    'account',
    '/passkeys/options',
    { fresh: true, unproven: 'to set up', answer: PasskeyOptions },
    async (call) => {
      assertOwnAddress(call);
      const data = await callAuth(auth, 'generatePasskeyRegistrationOptions', call, asOwner(call));
      return { message: 'Passkey options', data };
    },
  );

  dashboard.act(
    'POST',
    'account',
    '/passkeys',
    { fresh: true, unproven: 'to set up', answer: PasskeyAdded },
    async (call, record) => {
      const body = readPasskey(call.body);
      assertOwnAddress(call);
      const { id } = await callAuth(auth, 'verifyPasskeyRegistration', call, {
        accountId: call.session.account.id,
        cookies: ['session', 'passkey'],
        body,
      });
      // To make the passkey was to show it.
      await markSecondFactor(db, call.session, now());
      await noteMethodChange(db, call, record, {
        action: 'added a passkey',
        warning: `the passkey "${body.name}" was added`,
      });
      return { message: 'Passkey added', data: { id: `${id}` } };
    },
  );

  dashboard.write('PATCH', 'account', '/passkeys/:passkey', { answer: Named }, async (tx, call) => {
    const { account } = call.session;
    const { name } = readName(call.body);
    const former = await passkeyName(tx, account.id, call.params.passkey);
    await tx.query('UPDATE passkeys SET name = $2 WHERE id = $1', [call.params.passkey, name]);
    const change = { action: 'renamed a passkey', before: { name: former }, after: { name } };
    return { message: 'Passkey renamed', data: { name }, change: { ...change, subject: subjectOf(account) } };
  });

  dashboard.write(
    'DELETE',
    'account',
    '/passkeys/:passkey',
    { fresh: true, answer: Nothing },
    async (tx, call) => {
      const { account } = call.session;
      const name = await passkeyName(tx, account.id, call.params.passkey);
      await assertFactorLeft(tx, call.session, call.params.passkey ?? null);
      await tx.query('DELETE FROM passkeys WHERE id = $1', [call.params.passkey]);
      await warnOwner(tx, call.request, account.email, `the passkey "${name ?? ''}" was removed`);
      const change = { action: 'removed a passkey', subject: subjectOf(account), before: { name } };
      return { message: 'Passkey removed', data: null, change };
    },
  );
}

/** The name of one of the account's passkeys, whose row it locks; throws `not_found`. */
async function passkeyName(tx: Tx, accountId: string, id = ''): Promise<string | null> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await tx.query<{ name: string | null }>(
    'SELECT name FROM passkeys WHERE id = $1 AND account_id = $2 FOR UPDATE',
    [id, accountId],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0].name;
}
