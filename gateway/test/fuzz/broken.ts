import type { Call } from './document.ts';
import type { Draft, FuzzRequest } from './make.ts';
import { oddText } from './odd.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The Cookie header of a person, damaged, doubled or mixed with others. */
export function cookieHeader(cookie: string, random: Random): string[] {
  const damaged: readonly ((text: string) => string)[] = [
    (text) => `${text}; ${text}`,
    (text) => text.slice(0, -3),
    (text) => text.toUpperCase(),
    (text) => text.replace('=', '=="'),
    (text) => text.replaceAll('%', '%25'),
    (text) => `theme=dark; ${text}; a=b`,
    (text) => `${text};`,
    (text) =>
      text.replace(
        'florin.session_token',
        random.pick(['florin.session_token ', 'Florin.session_token', 'florin.session_data']),
      ),
    (text) => `${text}; florin.device=${'d'.repeat(random.pick([10, 300, 4000]))}`,
    (text) => `florin.session_token=${encodeURIComponent(oddText(random).toWellFormed())}; ${text}`,
    () => ';'.repeat(random.pick([1, 100, 4000])),
    () => '='.repeat(100),
  ];
  const text = random
    .pick(damaged)(cookie)
    .replace(/[\r\n\0]/g, '');
  return random.chance(0.1) ? [`cookie: ${cookie}`, `cookie: ${text}`] : [`cookie: ${text}`];
}

const formFields = [
  'asset',
  'username',
  'password',
  'transaction',
  'outcome',
  'reason',
  'text',
  'refund',
  'to',
  'confirm',
];
const formValues = [
  'usdc-base',
  'wallet',
  'ada',
  'success',
  'yes',
  'overpaid',
  '0xabc',
  'test_wallet',
  'en',
  'xx',
];

/** A call of the hosted page: of a payment that is there, one that is not, or with damaged values. */
export function asPage(
  call: Call,
  random: Random,
  { known, app }: World,
): Draft & Pick<FuzzRequest, 'call' | 'person'> {
  const key = random.chance(0.85)
    ? known.pages.pick(random)
    : `reference=${encodeURIComponent(oddText(random).toWellFormed())}&app=x`;
  const pairs = [key];
  for (let field = random.int(5); field > 0; field--) {
    const value = random.chance(0.6) ? random.pick(formValues) : oddText(random).toWellFormed();
    pairs.push(`${random.pick([...formFields, 'lang', 'notice', 'token'])}=${encodeURIComponent(value)}`);
  }
  const text = pairs.join('&');
  const common = { call, person: null, method: call.method };
  if (call.method === 'GET')
    return { ...common, target: `${call.path}?${text}`, headers: pageHeaders(random), body: null };
  const type = random.chance(0.93)
    ? 'application/x-www-form-urlencoded'
    : random.pick(['application/json', 'text/plain', '']);
  const origin = random.chance(0.95) ? app.baseUrl : 'https://evil.example';
  const headers = [`content-type: ${type}`, `origin: ${origin}`, ...pageHeaders(random)];
  const body = random.chance(0.97)
    ? text
    : random.pick(['%', '&&==', '%00=%00', `a=${'b'.repeat(70_000)}`, '{"a":1}']);
  return { ...common, target: call.path, headers, body };
}

function pageHeaders(random: Random): string[] {
  const languages = ['en', 'de-DE,de;q=0.9', 'ar', 'zz', '*', ';;q=', 'x'.repeat(500)];
  return random.chance(0.5)
    ? []
    : [
        `accept-language: ${random.pick(languages)}`,
        `user-agent: ${random.pick(['PiBrowser', 'Mozilla/5.0'])}`,
      ];
}

/** Bytes that are no request, or only nearly one. */
export function brokenBytes(whole: Buffer, draft: Draft, random: Random): Buffer {
  const text = whole.toString('latin1');
  const changes: readonly (() => string)[] = [
    () => text.slice(0, random.int(text.length)),
    () => text.replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', ''])),
    () =>
      text.replace(
        'host: 127.0.0.1',
        random.pick(['host: a\r\nhost: b', 'x: y', 'host:', 'Host : a', 'host: a\r\n b']),
      ),
    () => text.replaceAll('\r\n', random.pick(['\n', '\r', '\r\r\n', '\n\r'])),
    () =>
      text.replace(
        /content-length: \d+/,
        random.pick([
          'content-length: -1',
          'content-length: 0x10',
          'content-length: 999999',
          'content-length: 1, 1',
        ]),
      ),
    () =>
      text.replace(
        '\r\n\r\n',
        `\r\ntransfer-encoding: ${random.pick(['chunked', 'xchunked', 'chunked, gzip', 'identity', ' chunked'])}\r\n\r\n`,
      ),
    () => text.replace('\r\n\r\n', `\r\n${'a'.repeat(random.pick([10, 20_000]))}: b\r\n\r\n`),
    () => text.replace('\r\n\r\n', `\r\n${'h: v\r\n'.repeat(random.pick([10, 90, 3000]))}\r\n`),
    () => text.replace(/\/\S*/, `/${'p'.repeat(random.pick([100, 9000, 20_000]))}`),
    () =>
      text.replace(
        draft.method,
        random.pick(['get', 'BREW', 'CONNECT', 'PRI', '', '\x16\x03\x01', draft.method.repeat(40)]),
      ),
    () => text + text,
    () => `${text}garbage`,
    () => String.fromCharCode(...Array.from({ length: random.int(400) }, () => random.int(256))),
    () => {
      // A webhook's address must go on leading to this machine.
      if (text.includes('"url"')) return text.slice(0, -1);
      const bytes = Buffer.from(whole);
      for (let times = 1 + random.int(6); times > 0; times--)
        bytes[random.int(bytes.length)] = random.int(256);
      return bytes.toString('latin1');
    },
    () =>
      `${draft.method} ${draft.target} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n`,
    () =>
      `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${random.pick(['5\r\nab', 'zz\r\n', '0\r\n', 'ffffffffffffffff1\r\n', '1;a=b\r\nx\r\n0\r\n\r\n'])}`,
  ];
  return Buffer.from(random.pick(changes)(), 'latin1');
}
