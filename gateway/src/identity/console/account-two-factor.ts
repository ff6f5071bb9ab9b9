import { Type } from 'typebox';
import { transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { plainCode } from '../accounts/one-time-code.ts';
import { assertFactorLeft } from '../accounts/second-factor.ts';
import { identityErrors } from '../errors.ts';
import { noteMethodChange, withCode } from './account-events.ts';
import { RecoveryCodes, TwoFactorSetup } from './answers/account.ts';
import type { Console } from './console.ts';
import { asOwner, callAuth } from './sign-in/auth-call.ts';
import type { AuthRoutesDeps } from './sign-in/auth-open.ts';

const readPassword = fieldReader(Type.Object({ password: Type.String({ maxLength: 1000 }) }));
const readCode = fieldReader(Type.Object({ code: Type.String({ maxLength: 30, format: 'text' }) }));

/** Codes of an authenticator app, and recovery codes in case the app is lost. */
export function twoFactorRoutes(dashboard: Console, deps: AuthRoutesDeps): void {
  const { db, guards, auth, now } = deps;
  // A sign-in needs no code until a first code was right.
  const settingUp = { fresh: true, unproven: 'to set up' } as const;
  dashboard.act('POST', 'account', '/two-factor', { ...settingUp, answer: TwoFactorSetup }, async (call) => {
    const { account } = call.session;
    const { password } = readPassword(call.body);
    const attempt = await guards.bySession(call.session, 'two-factor');
    if (account.hasTwoFactor) throw refuse(identityErrors.two_factor_on);
    const answer = await callAuth(auth, 'enableTwoFactor', call, { ...asOwner(call), body: { password } });
    await attempt.succeeded();
    const data = { totp_uri: `${answer.totpURI}`, recovery_codes: recoveryCodesOf(answer) };
    return { message: 'Confirm with a first code', data };
  });

  dashboard.act(
    'POST',
    'account',
    '/two-factor/confirm',
    { ...settingUp, answer: Nothing },
    async (call, record) => {
      const { account } = call.session;
      const code = plainCode(readCode(call.body).code);
      const attempt = await guards.bySession(call.session, 'two-factor');
      if (account.hasTwoFactor) throw refuse(identityErrors.two_factor_on);
      await withCode(deps, call.request, { ...account, code }, () =>
        callAuth(auth, 'verifyTOTP', call, { ...asOwner(call), secondFactor: { at: now() }, body: { code } }),
      );
      await attempt.succeeded();
      await noteMethodChange(db, call, record, {
        action: 'turned two-factor sign-in on',
        warning: 'two-factor sign-in was turned on',
      });
      return { message: 'Two-factor sign-in is on', data: null };
    },
  );

  dashboard.act(
    'POST',
    'account',
    '/two-factor/off',
    { fresh: true, answer: Nothing },
    async (call, record) => {
      const { account } = call.session;
      const { password } = readPassword(call.body);
      const attempt = await guards.bySession(call.session, 'two-factor');
      if (!account.hasTwoFactor) throw refuse(identityErrors.two_factor_off);
      await transaction(db, (tx) => assertFactorLeft(tx, call.session, null));
      await callAuth(auth, 'disableTwoFactor', call, { ...asOwner(call), body: { password } });
      await attempt.succeeded();
      await noteMethodChange(db, call, record, {
        action: 'turned two-factor sign-in off',
        warning: 'two-factor sign-in was turned off',
      });
      return { message: 'Two-factor sign-in is off', data: null };
    },
  );

  dashboard.act(
    'POST',
    'account',
    '/two-factor/recovery-codes',
    { fresh: true, answer: RecoveryCodes },
    async (call, record) => {
      const { password } = readPassword(call.body);
      const attempt = await guards.bySession(call.session, 'two-factor');
      const answer = await callAuth(auth, 'generateBackupCodes', call, {
        ...asOwner(call),
        body: { password },
      });
      await attempt.succeeded();
      await noteMethodChange(db, call, record, {
        action: 'made new recovery codes',
        warning: 'new recovery codes were made, and the old ones are void',
      });
      return { message: 'New recovery codes', data: { recovery_codes: recoveryCodesOf(answer) } };
    },
  );
}

/** The recovery codes in an answer of better-auth. */
function recoveryCodesOf({ backupCodes }: Record<string, unknown>): string[] {
  if (!Array.isArray(backupCodes)) throw new Error('better-auth answered no recovery codes');
  return backupCodes.map(String);
}
