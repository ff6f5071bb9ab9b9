import { isAccountEmail } from '../../identity/accounts/accounts.ts';
import { judgeNewPassword } from '../../identity/accounts/passwords.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { transaction } from '../../kit/db/db.ts';
import { invalid } from '../../kit/http/fields.ts';
import { contactOf, setEmail } from '../../wallets/accounts/changes.ts';
import { addPasskey, checkRegistration, type PasskeyPlace } from '../../wallets/accounts/passkeys.ts';
import { signUp } from '../../wallets/accounts/sign-up.ts';
import { checkNewName } from '../../wallets/user-names.ts';
import type { PageContext } from '../context.ts';
import { Fault } from '../notices.ts';
import { signUpView } from '../views/entrance.ts';
import type { Exchange, Frame } from './frame.ts';
import { type EntranceDeps, enter } from './sign-in.ts';

/** The browser's answer to a request for a passkey, from the fields of a form; null: there is none. */
export function answerOf({ field }: Exchange): { token: string; response: unknown } | null {
  const [token, text] = [field('token'), field('response')];
  if (!token || !text) return null;
  try {
    const response: unknown = JSON.parse(text);
    return typeof response === 'object' && response !== null ? { token, response } : null;
  } catch {
    return null;
  }
}

export function passkeyNameIn({ say, format, now }: PageContext): string {
  return say('passkeyName', { date: format.time(now) }).text.slice(0, 60);
}

/** Making a wallet. */
export function signUpForms(frame: Frame, deps: EntranceDeps & { passkeyPlace: PasskeyPlace }): void {
  const { db, guards, now, site, letters, passkeyPlace } = deps;
  const filled = ({ field }: Exchange) => ({
    username: field('username') ?? '',
    email: field('email') ?? '',
    invitation: field('invitation') ?? '',
  });

  frame.page('sign-up', async (exchange) => {
    if (exchange.session) return { to: '' };
    return signUpView(exchange.context, { invitation: exchange.field('invitation') ?? '' });
  });
  frame.form(
    'sign-up',
    async (exchange) => {
      const { field, request, context } = exchange;
      const passkey = answerOf(exchange);
      const [username, password, email] = [field('username'), field('password'), field('email') || null];
      const refusal = checkNewName(username, {}) ?? (passkey ? null : judgeNewPassword(password, {}));
      if (refusal) throw refusal;
      if (email !== null && !isAccountEmail(email)) throw invalid('email', 'must be an e-mail address');
      await guards.creating(request, 'sign-up');
      const userId = await transaction(db, async (tx) => {
        const proved =
          passkey && (await checkRegistration(tx, passkeyPlace, { ...passkey, userId: null }, now()));
        if (passkey && !proved) throw new Fault('passkeyFailed', 400);
        const id = await signUp(
          tx,
          site.signUp,
          {
            username: username ?? '',
            password: passkey ? null : (password ?? ''),
            invitation: field('invitation') || undefined,
            locale: context.locale,
          },
          now(),
        );
        if (proved && !(await addPasskey(tx, id, { ...proved, name: passkeyNameIn(context) }, now())))
          throw new Fault('passkeyFailed', 409);
        if (email !== null) {
          const changer = { id, username: username ?? '', address: request.ip };
          const token = await setEmail(tx, changer, email, now());
          const contact = await contactOf(tx, id);
          if (token) await queueMail(tx, { to: email, ...letters.confirm(contact, email, token) });
        }
        return id;
      });
      return await enter(deps, exchange, userId, { byFactor: passkey !== null });
    },
    (exchange) => signUpView(exchange.context, filled(exchange)),
  );
}
