import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';

/** The cookies that Florin sets, by their use. */
export type CookieUse = 'session' | 'twoFactor' | 'passkey';
/** What they hold; null: the cookie is missing, or signed with another key. */
export type OwnCookies = { [Use in CookieUse]: string | null };

/** Reads and writes the cookies of the dashboard. Nothing else reads a Cookie header. */
export type Cookies = {
  /** Throws `cookies_refused`, which expires all of them, when one of ours is doubled or malformed. */
  read(header: string | undefined): OwnCookies;
  /** A Cookie header with only these. */
  write(cookies: Partial<OwnCookies>): string;
  /** The Set-Cookie lines that expire all of them. */
  expired: string[];
};

export type CookieOptions = {
  names: { [Use in CookieUse]: string };
  /** The prefix of our cookies' names. Other programs on the host share the header. */
  prefix: string;
  secret: string;
  path: string;
  secure: boolean;
};

const uses: readonly CookieUse[] = ['session', 'twoFactor', 'passkey'];
/** A value, and its HMAC-SHA256 in base64. */
const signedPattern = /^(.+)\.([A-Za-z0-9+/]{43}=)$/s;

export function createCookies({ names, prefix, secret, path, secure }: CookieOptions): Cookies {
  const attributes = `Max-Age=0; Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const expired = uses.map((use) => `${names[use]}=; ${attributes}`);

  const signed = (value: string): string =>
    `${value}.${createHmac('sha256', secret).update(value).digest('base64')}`;

  function refused(): Refusal {
    const row = identityErrors.cookies_refused;
    return new Refusal(row, row.message, undefined, { 'set-cookie': expired });
  }

  /** The value of one of our cookies. Only the form that Florin writes is read. */
  function contentOf(text: string): string | null {
    const plain = decoded(text);
    const value = signedPattern.exec(plain ?? '')?.[1];
    if (plain === null || value === undefined || encodeURIComponent(plain) !== text) throw refused();
    const [given, right] = [Buffer.from(plain), Buffer.from(signed(value))];
    return given.length === right.length && timingSafeEqual(given, right) ? value : null;
  }

  return {
    expired,
    read(header = '') {
      const texts = new Map<string, string>();
      for (const [index, pair] of header.split(';').entries()) {
        const at = pair.indexOf('=');
        const name = at < 0 ? pair : pair.slice(0, at);
        const trimmed = name.trim();
        if (!trimmed.startsWith(prefix)) continue;
        const isPlain = at > 0 && name === (index === 0 ? trimmed : ` ${trimmed}`);
        if (!isPlain || texts.has(trimmed)) throw refused();
        texts.set(trimmed, pair.slice(at + 1));
      }
      const read = (use: CookieUse): string | null => {
        const text = texts.get(names[use]);
        return text === undefined ? null : contentOf(text);
      };
      return { session: read('session'), twoFactor: read('twoFactor'), passkey: read('passkey') };
    },
    write(cookies) {
      const pairs = uses.flatMap((use) => {
        const value = cookies[use];
        return value ? [`${names[use]}=${encodeURIComponent(signed(value))}`] : [];
      });
      return pairs.join('; ');
    },
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
