import { isAccountEmail } from '../../identity/accounts/accounts.ts';
import { judgeNewPassword } from '../../identity/accounts/passwords.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { invalid } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import {
  type Changer,
  contactOf,
  recordUserChange,
  setEmail,
  setPassword,
} from '../../wallets/accounts/changes.ts';
import {
  confirmFactor,
  endFactor,
  makeRecoveryCodes,
  recoveryCodesLeft,
  startFactor,
  useCode,
  waitingSecret,
} from '../../wallets/accounts/factors.ts';
import {
  addPasskey,
  checkRegistration,
  type PasskeyPlace,
  passkeysOf,
  removePasskey,
} from '../../wallets/accounts/passkeys.ts';
import {
  endUserSession,
  endUserSessions,
  markProved,
  userSessions,
} from '../../wallets/accounts/sessions.ts';
import { base32, totpAddress } from '../../wallets/accounts/totp.ts';
import type { View } from '../context.ts';
import { mailUser, onReuse } from '../letters.ts';
import { Fault } from '../notices.ts';
import { type AccountForm, accountView, codesView, factorView } from '../views/account.ts';
import type { Frame, OwnExchange } from './frame.ts';
import { codeAskedOf, proveChange, proveFactor } from './prove.ts';
import type { EntranceDeps } from './sign-in.ts';
import { answerOf, passkeyNameIn } from './sign-up.ts';

type AccountDeps = EntranceDeps & { passkeyPlace: PasskeyPlace };

/** What users change of their own account. */
export function accountForms(frame: Frame, deps: AccountDeps): void {
  const page = createAccountPage(deps);
  frame.ownPage('account', page.show);
  emailForm(frame, deps, page);
  passwordForm(frame, deps, page);
  factorForms(frame, deps, page);
  endFactorForm(frame, deps, page);
  recoveryCodesForm(frame, deps, page);
  passkeyForms(frame, deps, page);
  sessionForms(frame, deps, page);
}

/** The page of the account, on which every form of it is drawn again. */
type AccountPage = {
  show(exchange: OwnExchange): Promise<View>;
  /** The page with this form open. */
  withOpen(form: AccountForm): (exchange: OwnExchange) => Promise<View>;
  /** Mails the owner that the way to sign in was changed. */
  warn(tx: Tx, exchange: OwnExchange): Promise<void>;
};

const account = { to: 'account' } as const;

function changerOf({ session, request }: OwnExchange): Changer {
  const { id, username } = session.user;
  return { id, username, address: request.ip };
}

function createAccountPage({ db, now, letters }: AccountDeps): AccountPage {
  async function show({ context, session }: OwnExchange, open: AccountForm | null): Promise<View> {
    const { id } = session.user;
    const [sessions, passkeys, codesLeft] = await Promise.all([
      userSessions(db, id, now()),
      passkeysOf(db, id),
      recoveryCodesLeft(db, id),
    ]);
    return accountView(context, session, {
      ...{ sessions, passkeys, codesLeft, open },
      codeAsked: codeAskedOf(session, now()),
    });
  }
  return {
    show: (exchange) => show(exchange, null),
    withOpen: (form) => (exchange) => show(exchange, form),
    async warn(tx, { session, request }) {
      const contact = await contactOf(tx, session.user.id);
      await mailUser(tx, contact, letters.changed(contact, request.ip));
    },
  };
}

function emailForm(frame: Frame, deps: AccountDeps, page: AccountPage): void {
  const { db, guards, now, letters } = deps;

  frame.ownForm(
    'account/email',
    async (exchange) => {
      const email = exchange.field('email')?.trim() || null;
      if (email !== null && !isAccountEmail(email)) throw invalid('email', 'must be an e-mail address');
      await proveChange(deps, exchange);
      if (email !== null) await guards.mail(email, 'confirm');
      await transaction(db, async (tx) => {
        const { id } = exchange.session.user;
        if (exchange.session.user.email !== email) await page.warn(tx, exchange);
        const token = await setEmail(tx, changerOf(exchange), email, now());
        const contact = await contactOf(tx, id);
        if (email !== null && token !== null && contact.email === null)
          await queueMail(tx, { to: email, ...letters.confirm(contact, email, token) });
      });
      return { ...account, notice: email === null ? 'emailRemoved' : 'emailSaved' };
    },
    page.withOpen('change-email'),
  );
}

function passwordForm(frame: Frame, deps: AccountDeps, page: AccountPage): void {
  const { db, now } = deps;

  frame.ownForm(
    'account/password',
    async (exchange) => {
      const password = exchange.field('password');
      const refusal = judgeNewPassword(password, {});
      if (refusal) throw refusal;
      await proveChange(deps, exchange);
      await transaction(db, async (tx) => {
        const wanted = { password: password ?? '', but: exchange.session.id };
        await setPassword(tx, changerOf(exchange), wanted, now());
        await page.warn(tx, exchange);
      });
      return { ...account, notice: 'passwordChanged' };
    },
    page.withOpen('change-password'),
  );
}

function factorPage({ context, session }: OwnExchange, secret: Buffer): View {
  const address = totpAddress(secret, 'Florin', session.user.username);
  return factorView(context, { address, key: base32(secret) });
}

function factorForms(frame: Frame, deps: AccountDeps, page: AccountPage): void {
  const { db, guards, now, seal } = deps;

  frame.ownForm(
    'account/factor',
    async (exchange) => {
      if (exchange.session.user.hasFactor) return account;
      await proveChange(deps, exchange);
      return factorPage(exchange, await startFactor(db, seal, exchange.session, now()));
    },
    page.withOpen('start-factor'),
  );
  frame.ownForm(
    'account/factor-on',
    async (exchange) => {
      const { session, field } = exchange;
      const attempt = await guards.bySession(session, 'two-factor');
      const isOn = await transaction(db, async (tx) => {
        if (!(await confirmFactor(tx, seal, { starter: session, code: field('code') ?? '' }, now())))
          return false;
        await recordUserChange(tx, changerOf(exchange), { action: 'turned two-factor sign-in on' }, now());
        await markProved(tx, session, true, now());
        await page.warn(tx, exchange);
        return true;
      });
      if (!isOn) throw new Fault('faultCode', 403);
      await attempt.succeeded();
      return { ...account, notice: 'factorStarted' };
    },
    async (exchange) => {
      const secret = await waitingSecret(db, seal, exchange.session);
      return secret ? factorPage(exchange, secret) : await page.show(exchange);
    },
  );
}

function endFactorForm(
  frame: Frame,
  { db, guards, now, seal, letters }: AccountDeps,
  page: AccountPage,
): void {
  frame.ownForm(
    'account/factor-off',
    async (exchange) => {
      const { session, field } = exchange;
      const attempt = await guards.bySession(session, 'two-factor');
      const isOff = await transaction(db, async (tx) => {
        const reuse = { now: now(), onReuse: onReuse(letters, session.user.id, exchange.request.ip) };
        if (!(await useCode(tx, seal, { userId: session.user.id, code: field('code') ?? '' }, reuse)))
          return false;
        await endFactor(tx, session.user.id);
        await recordUserChange(tx, changerOf(exchange), { action: 'turned two-factor sign-in off' }, now());
        await page.warn(tx, exchange);
        return true;
      });
      if (!isOff) throw new Fault('faultCode', 403);
      await attempt.succeeded();
      return { ...account, notice: 'factorEnded' };
    },
    page.withOpen('end-factor'),
  );
}

function recoveryCodesForm(frame: Frame, deps: AccountDeps, page: AccountPage): void {
  const { db, now } = deps;

  frame.ownForm(
    'account/recovery-codes',
    async (exchange) => {
      await proveChange(deps, exchange);
      const codes = await transaction(db, async (tx) => {
        await recordUserChange(tx, changerOf(exchange), { action: 'made new recovery codes' }, now());
        await page.warn(tx, exchange);
        return await makeRecoveryCodes(tx, exchange.session.user.id);
      });
      return codesView(exchange.context, codes);
    },
    page.withOpen('make-codes'),
  );
}

function passkeyForms(frame: Frame, deps: AccountDeps, page: AccountPage): void {
  const { db, now, passkeyPlace } = deps;

  frame.ownForm(
    'account/passkey',
    async (exchange) => {
      const { session, context } = exchange;
      await proveChange(deps, exchange);
      const answer = answerOf(exchange);
      await transaction(db, async (tx) => {
        const asked = answer && { ...answer, userId: session.user.id };
        const proved = asked && (await checkRegistration(tx, passkeyPlace, asked, now()));
        const passkey = proved && { ...proved, name: passkeyNameIn(context) };
        if (!passkey || !(await addPasskey(tx, session.user.id, passkey, now())))
          throw new Fault('passkeyFailed', 400);
        const change = { action: 'added a passkey', after: { name: passkey.name } };
        await recordUserChange(tx, changerOf(exchange), change, now());
        await page.warn(tx, exchange);
      });
      return { ...account, notice: 'passkeyAdded' };
    },
    page.withOpen('add-passkey'),
  );
  frame.ownForm(
    'account/passkey-off',
    async (exchange) => {
      const { session, field } = exchange;
      const id = field('id') ?? '';
      await proveFactor(deps, exchange);
      await transaction(db, async (tx) => {
        if (!isUuid(id) || !(await removePasskey(tx, session.user.id, id)))
          throw new Fault('passkeyLast', 409);
        await recordUserChange(tx, changerOf(exchange), { action: 'removed a passkey' }, now());
        await page.warn(tx, exchange);
      });
      return { ...account, notice: 'passkeyRemoved' };
    },
    page.show,
  );
}

function sessionForms(frame: Frame, { db }: AccountDeps, page: AccountPage): void {
  frame.ownForm(
    'account/session-off',
    async ({ session, field }) => {
      const id = field('id') ?? '';
      if (isUuid(id)) await endUserSession(db, session.user.id, id);
      return { ...account, notice: 'sessionEnded' };
    },
    page.show,
  );
  frame.ownForm(
    'account/sessions-off',
    async ({ session }) => {
      await endUserSessions(db, session.user.id, session.id);
      return { ...account, notice: 'sessionsEnded' };
    },
    page.show,
  );
}
