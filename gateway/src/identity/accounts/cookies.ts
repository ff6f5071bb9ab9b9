import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';

/** The cookies of the dashboard, by their use. */
export type CookieUse = 'session' | 'twoFactor' | 'passkey' | 'device';
/** What they hold; null: the cookie is missing, or signed with another key. */
export type OwnCookies<Use extends string = CookieUse> = { [Each in Use]: string | null };

/** Reads and writes the cookies of the dashboard or of the hosted page. Nothing else reads a Cookie header. */
export type Cookies<Use extends string = CookieUse> = {
  /** Throws `cookies_refused`, which expires all of them, when one of them is doubled or malformed. */
  read(header: string | undefined): OwnCookies<Use>;
  /** A Cookie header with only these. */
  write(cookies: Partial<OwnCookies<Use>>): string;
  /** A Set-Cookie line. */
  set(use: Use, value: string, seconds: number): string;
  /** The Set-Cookie lines that expire these. */
  expire(uses: readonly Use[]): string[];
};

export type CookieOptions<Use extends string = CookieUse> = {
  names: { [Each in Use]: string };
  /** The prefix of our cookies' names. Other programs on the host share the header. */
  prefix: string;
  secret: string;
  path: string;
  secure: boolean;
};

/**
 * Prefix and path of the cookies of one part of the gateway. Over https browsers keep them for this host alone, whatever
 * other hosts of the domain set (`__Host-`); such cookies belong to every path.
 */
export function cookieScope(
  name: string,
  { secure, path }: { secure: boolean; path: string },
): { prefix: string; path: string } {
  return secure ? { prefix: `__Host-${name}.`, path: '/' } : { prefix: `${name}.`, path };
}

/** A value, and its HMAC-SHA256 in base64. */
const signedPattern = /^(.+)\.([A-Za-z0-9+/]{43}=)$/s;

export function createCookies<Use extends string>(options: CookieOptions<Use>): Cookies<Use> {
  const { names, prefix, secret, path, secure } = options;
  const uses = Object.keys(names) as Use[];
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const expire = (which: readonly Use[]): string[] =>
    which.map((use) => `${names[use]}=; Max-Age=0; ${attributes}`);

  const signed = (value: string): string =>
    `${value}.${createHmac('sha256', secret).update(value).digest('base64')}`;

  function refused(): Refusal {
    const row = identityErrors.cookies_refused;
    return new Refusal(row, row.message, { headers: { 'set-cookie': expire(uses) } });
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
    expire,
    set: (use, value, seconds) =>
      `${names[use]}=${encodeURIComponent(signed(value))}; Max-Age=${seconds}; ${attributes}`,
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
      const read = (use: Use): string | null => {
        const text = texts.get(names[use]);
        return text === undefined ? null : contentOf(text);
      };
      return Object.fromEntries(uses.map((use) => [use, read(use)])) as OwnCookies<Use>;
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
