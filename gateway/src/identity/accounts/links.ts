import { hash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { confirmAddressLetter, resetPasswordLetter } from '../mail/letters.ts';
import { type Letter, queueMail } from '../mail/mail.ts';
import type { AccountId } from './accounts.ts';

/** What a link in a mail does; it does nothing else. */
export type LinkPurpose = 'confirm_address' | 'change_address' | 'reset_password';

/** A link of one account. It is valid only while the account has the address that the link names. */
export type Link = {
  accountId: AccountId;
  purpose: LinkPurpose;
  /** The account's address when the link was made. */
  email: string;
  /** The account's new address; null for a link that does not change it. */
  newEmail: string | null;
};

const hourSeconds = 3600;
type Kind = { page: string; seconds: number; letter: (url: string) => Letter };
const confirmation: Kind = { page: 'verify-email', seconds: 24 * hourSeconds, letter: confirmAddressLetter };
const kinds: Record<LinkPurpose, Kind> = {
  confirm_address: confirmation,
  change_address: confirmation,
  reset_password: { page: 'reset-password', seconds: hourSeconds, letter: resetPasswordLetter },
};

// 190 random bits need no slow hash.
const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** Makes a link, and returns the token in it. */
export async function makeLink(tx: Tx, link: Link, now: Date): Promise<string> {
  const { seconds } = kinds[link.purpose];
  const token = randomBase62(32);
  await tx.query(
    `INSERT INTO account_links (token_hash, account_id, purpose, email, new_email, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [tokenHash(token), link.accountId, link.purpose, link.email, link.newEmail, after(now, seconds)],
  );
  return token;
}

/** Makes a link and queues its mail. The link of a new address is sent to that address. */
export async function mailLink(tx: Tx, baseUrl: string, link: Link, now: Date): Promise<void> {
  const { page, letter } = kinds[link.purpose];
  const url = `${baseUrl}/app/${page}?token=${await makeLink(tx, link, now)}`;
  await queueMail(tx, { to: link.newEmail ?? link.email, ...letter(url) });
}

/**
 * Uses a link, which ends all links of its account for the same purpose; null for a link that is unknown, expired or used.
 * The account's row is locked: of two links that are used at once, the second sees what the first did.
 */
export async function useLink(
  tx: Tx,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<Link | null> {
  const { rows } = await tx.query<Link>(
    `SELECT l.account_id AS "accountId", l.purpose, l.email, l.new_email AS "newEmail"
     FROM accounts a JOIN account_links l ON l.account_id = a.id AND l.email = a.email
     WHERE l.token_hash = $1 AND l.purpose = ANY ($2) AND l.expires_at > $3
     FOR UPDATE`,
    [tokenHash(token), purposes, now],
  );
  const link = rows[0];
  if (!link) return null;
  await tx.query('DELETE FROM account_links WHERE account_id = $1 AND purpose = $2', [
    link.accountId,
    link.purpose,
  ]);
  return link;
}
