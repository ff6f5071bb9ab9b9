import type { Locale } from '../checkout/locale.ts';
import { LOCALES } from '../checkout/locale.ts';
import { letter } from '../identity/mail/letter.ts';
import { type Letter, queueMail } from '../identity/mail/mail.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { type Contact, contactOf } from '../wallets/accounts/changes.ts';
import type { UserId } from '../wallets/users.ts';
import { sayIn } from './locale.ts';

/** The mails to users, each in the user's language. */
export type WalletLetters = {
  confirm(to: Contact, email: string, token: string): Letter;
  reset(to: Contact, token: string): Letter;
  newPlace(to: Contact, address: string): Letter;
  changed(to: Contact, address: string): Letter;
  /** A code of the authenticator app was given a second time. */
  reused(to: Contact, address: string): Letter;
};

export function localeOf({ locale }: { locale: string }): Locale {
  return LOCALES.find((each) => each === locale) ?? 'en';
}

/** `url` is the public address of the wallet, without a slash at its end. */
export function walletLetters(url: string): WalletLetters {
  const linkIn = (to: Contact, page: string, token: string) =>
    `${url}/${page}?${new URLSearchParams({ token, lang: localeOf(to) })}`;
  const account = (to: Contact) => `${url}/account?${new URLSearchParams({ lang: localeOf(to) })}`;
  const security = (
    to: Contact,
    what: 'mailPlace' | 'mailReused' | 'mailChange',
    address: string,
  ): Letter => {
    const say = sayIn(localeOf(to));
    return letter({
      kind: 'wallet_security',
      subject: say(`${what}Subject`).text,
      paragraphs: [say(what, { username: to.username, address }).text],
      action: { label: say('accountTitle').text, url: account(to) },
      closing: say('mailAlarm').text,
      locale: localeOf(to),
    });
  };
  return {
    confirm(to, _email, token) {
      const say = sayIn(localeOf(to));
      return letter({
        kind: 'wallet_confirm_address',
        subject: say('mailConfirmSubject').text,
        paragraphs: [say('mailConfirm', { username: to.username }).text],
        action: { label: say('confirmButton').text, url: linkIn(to, 'confirm', token) },
        closing: say('mailConfirmIgnore').text,
        locale: localeOf(to),
      });
    },
    reset(to, token) {
      const say = sayIn(localeOf(to));
      return letter({
        kind: 'wallet_reset_password',
        subject: say('mailResetSubject').text,
        paragraphs: [say('mailReset', { username: to.username }).text],
        action: { label: say('resetTitle').text, url: linkIn(to, 'reset', token) },
        closing: say('mailResetIgnore').text,
        locale: localeOf(to),
      });
    },
    newPlace: (to, address) => security(to, 'mailPlace', address),
    reused: (to, address) => security(to, 'mailReused', address),
    changed: (to, address) => security(to, 'mailChange', address),
  };
}

/** For `takeCode`: mails the owner that a code of the authenticator app was given a second time, from `address`. */
export function onReuse(letters: WalletLetters, userId: UserId, address: string): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const contact = await contactOf(tx, userId);
    await mailUser(tx, contact, letters.reused(contact, address));
  };
}

/** Queues a mail to a user's confirmed address; without one nothing is sent. */
export async function mailUser(reader: Reader, { email }: Contact, what: Letter): Promise<void> {
  if (email !== null) await queueMail(reader, { to: email, ...what });
}
