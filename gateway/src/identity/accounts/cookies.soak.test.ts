import { createAuthEndpoint } from 'better-auth/api';
import { parseCookie } from 'cookie';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { type Cookies, type CookieUse, createCookies, type OwnCookies } from './cookies.ts';

/** Headers that are read by both parsers; the long run reads many more. */
const headers = process.env.SOAK ? 100_000 : 3_000;

const secret = 'a secret of this installation';
const options = {
  names: {
    session: 'florin.session_token',
    twoFactor: 'florin.two_factor',
    passkey: 'florin.passkey',
    device: 'florin.device',
  },
  prefix: 'florin.',
  secret,
  path: '/console',
  secure: false,
};
const cookies = createCookies(options);
const uses: CookieUse[] = ['session', 'twoFactor', 'passkey', 'device'];

/** The cookies that our parser reads; null: it refuses the request. */
function readOrRefused(reader: Cookies, header: string): OwnCookies | null {
  try {
    return reader.read(header);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

test('any value that is written can be read', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ minLength: 1 }),
      (session, passkey) => {
        fc.pre(session.isWellFormed());
        expect(cookies.read(cookies.write({ session, passkey }))).toEqual({
          session,
          twoFactor: null,
          passkey,
          device: null,
        });
      },
    ),
  );
  expect(cookies.read(undefined)).toEqual({
    session: null,
    twoFactor: null,
    passkey: null,
    device: null,
  });
});

test('with https all of them are secure, and a cookie without the prefix is not ours', () => {
  const names = Object.fromEntries(
    Object.entries(options.names).map(([use, name]) => [use, `__Host-${name}`]),
  ) as typeof options.names;
  const secure = createCookies({ ...options, names, prefix: '__Host-florin.', secure: true });
  const lines = [...secure.expire(uses), secure.set('device', 'd', 60)];
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^__Host-florin\..*; Secure$/);
  const plain = cookies.write({ session: 'a' });
  expect(secure.read(`${plain}; ${plain}; ${secure.write({ session: 'b' })}`).session).toBe('b');
});

// better-auth's own parser, as its endpoints use it.
const theirs = createAuthEndpoint('/read', { method: 'GET' }, async (ctx) => {
  const read = (use: CookieUse) => ctx.getSignedCookie(options.names[use], secret);
  return {
    session: await read('session'),
    twoFactor: await read('twoFactor'),
    passkey: await read('passkey'),
    device: await read('device'),
  };
});
async function readByLibrary(cookie: string): Promise<OwnCookies> {
  const read = await theirs({ headers: new Headers({ cookie }) });
  // `false`: the signature is not ours.
  const { session, twoFactor, passkey, device } = read;
  return {
    session: session || null,
    twoFactor: twoFactor || null,
    passkey: passkey || null,
    device: device || null,
  };
}

/** What a parser of any cookies finds, where Florin signed it. */
function readAsText(header: string): OwnCookies {
  const found = parseCookie(header);
  const read = (use: CookieUse): string | null => {
    const text = found[options.names[use]];
    const value = text?.slice(0, text.lastIndexOf('.')) ?? '';
    const isOurs = text !== undefined && value !== '' && value.isWellFormed();
    const own = isOurs ? decodeURIComponent(cookies.write({ [use]: value })) : null;
    return own === `${options.names[use]}=${text}` ? value : null;
  };
  return {
    session: read('session'),
    twoFactor: read('twoFactor'),
    passkey: read('passkey'),
    device: read('device'),
  };
}

describe('parsers of one Cookie header', () => {
  const people = ['ada', 'bob.carol', 'd%e=f'];
  const value = fc
    .tuple(fc.constantFrom(...people), fc.constantFrom(...uses))
    .map(([person]) => cookies.write({ session: person }).slice(options.names.session.length + 1));
  const change = fc.constantFrom<((text: string) => string)[]>(
    (text) => text,
    (text) => text.replace(/%3D$/, ''),
    (text) => text.replace(/%3D$/, '='),
    (text) => `${text}%3D`,
    (text) => text.replace(/%2B/g, '+').replace(/%2F/g, '/'),
    (text) => text.replace(/%2B/g, '-').replace(/%2F/g, '_'),
    (text) => text.toLowerCase(),
    (text) => `"${text}"`,
    (text) => ` ${text} `,
    (text) => text.replace('a', '%61'),
    (text) => decodeURIComponent(text),
    (text) => `${text}.`,
    (text) => text.slice(0, -8),
    () => '',
    () => '%zz',
  );
  const spaces = fc.constantFrom('', '', '', ' ', '  ', '\t', '\u00a0');
  const name = fc.constantFrom(
    ...Object.values(options.names),
    ...Object.values(options.names),
    ...['florin.session_data', 'florin.', 'Florin.session_token', '__Host-florin.session_token', 'theme', ''],
  );
  const plain = fc.tuple(name, value).map(([key, text]) => `${key}=${text}`);
  const odd = fc
    .tuple(spaces, name, spaces, fc.constantFrom('=', '=', '=', '', '=='), value, change, spaces)
    .map(
      ([before, key, behind, equals, text, to, end]) => `${before}${key}${behind}${equals}${to(text)}${end}`,
    );
  const header = fc
    .tuple(
      fc.array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: odd }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom('; ', '; ', '; ', '; ', ';', ', ', ';; '),
    )
    .map(([pairs, between]) => pairs.join(between));

  test('find the same person, or the header is refused', async () => {
    let admitted = 0;
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        const ours = readOrRefused(cookies, text);
        if (ours === null) return;
        if (uses.some((use) => ours[use] !== null)) admitted += 1;
        expect(await readByLibrary(text)).toEqual(ours);
        expect(readAsText(text)).toEqual(ours);
        expect(await readByLibrary(cookies.write(ours))).toEqual(ours);
      }),
      { numRuns: headers },
    );
    expect(admitted).toBeGreaterThan(headers / 5);
  });
});
