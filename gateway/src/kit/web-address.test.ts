import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCredentials, uriOf } from './web-address.ts';

// From RFC 3986, appendix A, written independently of the code.
const strict =
  /^https?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})*)*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

describe('a web address', () => {
  test.each([
    'https://shop.example',
    'https://shop.example/ok?o=1',
    'HTTPS://Shop.Example:443/a/../b?x=%2f&y=(z)#top',
    'http://[::1]:4000/hook',
    'http://127.0.0.1:4100//x;y=1?a?b',
  ])('that is a URI stays as it is: %s', (address) => {
    expect(uriOf(address)).toBe(address);
  });

  test.each([
    ['http://host/ü', 'http://host/%C3%BC'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://shop.example/100%?q="ü"#ä', 'https://shop.example/100%25?q=%22%C3%BC%22#%C3%A4'],
    [
      'https://shop.example/{id}|[1]?a[]=`^`#b#c',
      'https://shop.example/%7Bid%7D%7C%5B1%5D?a%5B%5D=%60%5E%60#b%23c',
    ],
    ['https://shop.example:8443/é', 'https://shop.example:8443/%C3%A9'],
  ])('that is no URI is written as one: %s', (address, uri) => {
    expect(uriOf(address)).toBe(uri);
  });

  test('becomes a URI whatever it was, does not change a second time, and leads to the same place', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (path, query, hash) => {
        const address = `https://shop.example:444/${path}?${query}#${hash}`;
        if (/[\s\\]/.test(address) || !address.isWellFormed()) return;
        const uri = uriOf(address);
        expect(uri).toMatch(strict);
        expect(uriOf(uri)).toBe(uri);
        const [before, after] = [new URL(address), new URL(uri)];
        expect(after.host).toBe(before.host);
        expect(decoded(after.pathname)).toBe(decoded(before.pathname));
        expect([...after.searchParams]).toEqual([...before.searchParams]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['https://user:pw@shop.example/', true],
    ['https://user@shop.example/', true],
    ['https://:pw@shop.example/', true],
    ['https://shop.example/user:pw@', false],
  ])('names a user or a password: %s', (address, expected) => {
    expect(hasCredentials(new URL(address))).toBe(expected);
  });
});

const decoded = (text: string): string =>
  text
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1'));
